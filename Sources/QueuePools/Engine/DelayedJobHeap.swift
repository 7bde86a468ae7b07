#if os(Linux)
    /// Delayed jobs, the earliest first. Jobs that are due at the same time come out in the order in which
    /// they went in. Belongs to the supervisor's thread.
    ///
    /// Each group has a heap of its own, and the heaps are in a heap, by their earliest jobs. So a group's
    /// jobs are taken out at once, however many they and those of other groups are.
    struct DelayedJobHeap {
        /// The jobs of a group, or those that the supervisor calls itself.
        final class Part: HeapElement, @unchecked Sendable {  // used on the supervisor's thread only
            fileprivate var jobs = IndexedHeap<DelayedJob>()
            var heapIndex = 0

            func isBefore(_ other: Part) -> Bool {
                guard let job = jobs.first, let otherJob = other.jobs.first else { return false }
                return job.isBefore(otherJob)
            }
        }

        /// The parts that have jobs.
        private var parts = IndexedHeap<Part>()
        private let supervisors = Part()
        private var turns: UInt64 = 0

        /// When the earliest is due, in nanoseconds of the monotonic clock; `.max` if there is none.
        var nextDeadline: UInt64 { parts.first?.jobs.first?.deadline ?? .max }

        private func part(of job: DelayedJob) -> Part { job.group?.delayedJobs ?? supervisors }

        /// O(log *n*).
        mutating func insert(_ job: DelayedJob) {
            job.turn = turns
            turns += 1
            let part = part(of: job)
            part.jobs.insert(job)
            if part.jobs.count == 1 { parts.insert(part) } else { parts.update(part) }
        }

        /// Takes out a job, if it is there. O(log *n*).
        mutating func remove(_ job: DelayedJob) {
            let part = part(of: job)
            guard part.jobs.remove(job) else { return }
            if part.jobs.first == nil { parts.remove(part) } else { parts.update(part) }
        }

        /// Takes out the earliest if it is due. O(log *n*).
        mutating func takeDue(at now: UInt64) -> DelayedJob? {
            guard let first = parts.first?.jobs.first, first.deadline <= now else { return nil }
            remove(first)
            return first
        }

        /// Takes out those of a group: those that are due, in order, and the others, in any order. O(log *n*)
        /// for each that is due, and once for the group.
        mutating func takeAll(
            of group: WorkerGroup, at now: UInt64
        ) -> (due: [DelayedJob], rest: [DelayedJob]) {
            let part = group.delayedJobs
            parts.remove(part)
            var due: [DelayedJob] = []
            while let job = part.jobs.first, job.deadline <= now {
                part.jobs.remove(job)
                due.append(job)
            }
            return (due, part.jobs.takeAll())
        }
    }

    extension DelayedJob: HeapElement {
        func isBefore(_ other: DelayedJob) -> Bool { (deadline, turn) < (other.deadline, other.turn) }
    }
#endif
