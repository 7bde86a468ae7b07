#if os(Linux)
    /// Delayed jobs, the earliest first. Jobs that are due at the same time come out in the order in which
    /// they went in.
    ///
    /// Each group has a heap of its own, and the heaps are in a heap, by their earliest jobs. So a group's
    /// jobs are taken out at once, however many they and those of other groups are.
    struct DelayedJobHeap {
        /// The jobs of a group, or those that the supervisor calls itself: at least one.
        private final class Part: HeapElement {
            var key: ObjectIdentifier?
            var jobs = IndexedHeap<DelayedJob>()
            var heapIndex = 0

            func isBefore(_ other: Part) -> Bool {
                guard let job = jobs.first, let otherJob = other.jobs.first else { return false }
                return job.isBefore(otherJob)
            }
        }

        private var parts = IndexedHeap<Part>()
        /// By the group, which its jobs retain.
        private var partOfGroup: [ObjectIdentifier?: Part] = [:]
        /// So that a timer alone takes no memory each time.
        private var spare: Part?
        private var turns: UInt64 = 0

        /// When the earliest is due, in nanoseconds of the monotonic clock; `.max` if there is none.
        var nextDeadline: UInt64 { parts.first?.jobs.first?.deadline ?? .max }

        /// O(log *n*).
        mutating func insert(_ job: DelayedJob) {
            job.turn = turns
            turns += 1
            if let part = partOfGroup[job.groupKey] {
                part.jobs.insert(job)
                if part.jobs.first === job { parts.update(part) }
            } else {
                let part = spare.take() ?? Part()
                part.key = job.groupKey
                part.jobs.insert(job)
                partOfGroup[job.groupKey] = part
                parts.insert(part)
            }
        }

        /// Takes out a job, if it is there. O(log *n*).
        mutating func remove(_ job: DelayedJob) {
            guard let part = partOfGroup[job.groupKey] else { return }
            let isFirst = part.jobs.first === job
            guard part.jobs.remove(job) else { return }
            if part.jobs.first == nil {
                discard(part)
            } else if isFirst {
                parts.update(part)
            }
        }

        /// Takes out the earliest if it is due. O(log *n*).
        mutating func takeDue(at now: UInt64) -> DelayedJob? {
            guard let first = parts.first?.jobs.first, first.deadline <= now else { return nil }
            remove(first)
            return first
        }

        /// Takes out those of a group: those that are due, in order, and the others, in any order. O(log *n*)
        /// for each that is due, and once.
        mutating func takeAll(
            of group: WorkerGroup, at now: UInt64
        ) -> (due: [DelayedJob], rest: [DelayedJob]) {
            guard let part = partOfGroup[ObjectIdentifier(group)] else { return ([], []) }
            var due: [DelayedJob] = []
            while let job = part.jobs.first, job.deadline <= now {
                _ = part.jobs.remove(job)
                due.append(job)
            }
            let rest = part.jobs.takeAll()
            discard(part)
            return (due, rest)
        }

        private mutating func discard(_ part: Part) {
            _ = parts.remove(part)
            partOfGroup[part.key] = nil
            // After a burst.
            if partOfGroup.isEmpty, partOfGroup.capacity > 1_024 { partOfGroup = [:] }
            spare = part
        }
    }

    extension DelayedJob: HeapElement {
        fileprivate var groupKey: ObjectIdentifier? { group.map(ObjectIdentifier.init) }

        func isBefore(_ other: DelayedJob) -> Bool { (deadline, turn) < (other.deadline, other.turn) }
    }
#endif
