#if os(Linux)
    import CLinuxThreads
    import Synchronization

    /// What takes delayed jobs when their time has come: a queue or a lane.
    protocol DelayedJobTarget: JobOwner {
        var group: WorkerGroup { get }
        func countCancelled()
        /// Has a job run before those that wait. Returns false if the target has been closed, unless that is
        /// just happening, and the job came before: then the job's submitter takes it back, unless the holder
        /// of a queue has taken it.
        func accept(_ job: DelayedJob, isClosing: Bool) -> Bool
    }

    /// A closure that is called later, once. It can be cancelled until it begins.
    final class DelayedJob: JobOwner, @unchecked Sendable {
        private enum Stage: UInt8, AtomicRepresentable {
            case waiting
            /// In a lane, which counts it when its turn comes, whether it was cancelled or not.
            case inLane
            case taken
        }

        // Only the thread that takes it touches the body. Relaxed: every thread has the job from the thread
        // that made it, which orders `body`.
        private let stage = Atomic<Stage>(.waiting)
        private var body: (@Sendable () -> Void)?
        /// Nil for what the supervisor calls itself. Retained with its group, so that releasing all other
        /// references loses no job.
        private let target: (any DelayedJobTarget)?
        fileprivate let group: WorkerGroup?
        let deadline: UInt64
        let supervisor: Supervisor
        // The supervisor's: its place in the heap, and the order of those with the same deadline.
        fileprivate var place: Int?
        fileprivate var turn: UInt64 = 0
        /// The next in a list of due jobs.
        fileprivate var next: Unmanaged<DelayedJob>?

        init(
            of target: (any DelayedJobTarget)? = nil, at deadline: UInt64, by supervisor: Supervisor,
            _ body: @escaping @Sendable () -> Void
        ) {
            self.target = target
            group = target?.group
            self.deadline = deadline
            self.supervisor = supervisor
            self.body = body
        }

        /// Whether it has begun or was cancelled.
        var isTaken: Bool { stage.load(ordering: .relaxed) == .taken }

        /// The body to run, unless the job was cancelled.
        func begin() -> (@Sendable () -> Void)? { take()?.body }

        private func take() -> (body: @Sendable () -> Void, stage: Stage)? {
            let before = stage.exchange(.taken, ordering: .relaxed)
            guard before != .taken, let body = body.take() else { return nil }
            group?.accounting?.capacity?.giveBack()
            return (body, before)
        }

        @discardableResult
        func cancel(_: JobPlace = JobPlace()) -> Bool {
            guard let taken = take() else { return false }
            // Counted first: what the closure captured may take long to release.
            withExtendedLifetime(taken.body) {
                guard taken.stage == .waiting, let target else { return }
                target.countCancelled()
                if !target.group.isForked { supervisor.remove(self) }
            }
            return true
        }

        /// Takes the job back for its submitter, because the target was closed. Returns false if it was
        /// taken, or is in a lane.
        func takeBack() -> Bool {
            guard stage.compareExchange(expected: .waiting, desired: .taken, ordering: .relaxed).exchanged
            else { return false }
            body = nil
            supervisor.remove(self)
            return true
        }

        /// Its time has come: it runs before what waits. Returns false if the queue or lane has been closed.
        func becomeDue(isClosing: Bool = false) -> Bool {
            if let target { return target.accept(self, isClosing: isClosing) }
            begin()?()
            return true
        }

        /// Has a lane count it from now on. Returns false if it was cancelled.
        func enterLane() -> Bool {
            stage.compareExchange(expected: .waiting, desired: .inLane, ordering: .relaxed).exchanged
        }
    }

    /// Jobs whose time has come: a list that any thread appends to, and the queue's holder takes from.
    ///
    /// Appending exchanges the newest job, releasing; the holder takes the whole list by an exchange,
    /// acquiring, and reverses it. As no single job is taken off, an address that recurs is harmless.
    struct DueJobs: ~Copyable {
        private let newest = Atomic<Unmanaged<DelayedJob>?>(nil)

        /// Relaxed: a position in the mailbox follows each job, and orders it.
        @inline(__always)
        var isFilled: Bool { newest.load(ordering: .relaxed) != nil }

        func append(_ job: DelayedJob) {
            let owned = Unmanaged.passRetained(job)
            job.next = newest.load(ordering: .relaxed)
            while true {
                let (isAppended, present) = newest.weakCompareExchange(
                    expected: job.next, desired: owned, successOrdering: .releasing, failureOrdering: .relaxed
                )
                if isAppended { return }
                job.next = present
            }
        }

        /// Takes all of them, the one that has waited longest first.
        func takeAll() -> [DelayedJob] {
            var jobs: [DelayedJob] = []
            var next = newest.exchange(nil, ordering: .acquiring)
            while let job = next?.takeRetainedValue() {
                jobs.append(job)
                next = job.next
            }
            return jobs.reversed()
        }
    }

    /// Delayed jobs, the earliest first: a binary heap in which each job knows its place. Jobs that are due
    /// at the same time come out in the order in which they went in.
    struct DelayedJobHeap {
        private var jobs: [DelayedJob] = []
        private var turns: UInt64 = 0

        /// When the earliest is due, in nanoseconds of the monotonic clock; `.max` if there is none.
        var nextDeadline: UInt64 { jobs.first?.deadline ?? .max }

        /// O(log *n*).
        mutating func insert(_ job: DelayedJob) {
            job.turn = turns
            turns += 1
            jobs.append(job)
            rise(job, from: jobs.count - 1)
        }

        /// Takes out a job, if it is there. O(log *n*).
        mutating func remove(_ job: DelayedJob) {
            guard let place = job.place else { return }
            job.place = nil
            let last = jobs.removeLast()
            if last !== job { sink(last, from: place) }
            // After a burst. A timer alone keeps its memory.
            if jobs.isEmpty, jobs.capacity > 1_024 { jobs = [] }
        }

        /// Takes out the earliest if it is due. O(log *n*).
        mutating func takeDue(at now: UInt64) -> DelayedJob? {
            guard nextDeadline <= now, let first = jobs.first else { return nil }
            remove(first)
            return first
        }

        /// Takes out those of a group. O(*n* log *n*), or O(*n*) if there are none.
        mutating func takeAll(of group: WorkerGroup) -> [DelayedJob] {
            guard jobs.contains(where: { $0.group === group }) else { return [] }
            let all = jobs.sorted(by: Self.isBefore)
            jobs = []
            for job in all {
                job.place = job.group === group ? nil : jobs.count
                if job.place != nil { jobs.append(job) }  // what is in order is a heap
            }
            return all.filter { $0.place == nil }
        }

        /// Puts a job where it belongs on the way from a place to the root.
        private mutating func rise(_ job: DelayedJob, from start: Int) {
            var place = start
            while place > 0, Self.isBefore(job, jobs[(place - 1) / 2]) {
                put(jobs[(place - 1) / 2], at: place)
                place = (place - 1) / 2
            }
            put(job, at: place)
        }

        /// Puts a job where it belongs below a place, or on the way from there to the root.
        private mutating func sink(_ job: DelayedJob, from start: Int) {
            var place = start
            while 2 * place + 1 < jobs.count {
                var least = 2 * place + 1
                if least + 1 < jobs.count, Self.isBefore(jobs[least + 1], jobs[least]) { least += 1 }
                guard Self.isBefore(jobs[least], job) else { break }
                put(jobs[least], at: place)
                place = least
            }
            rise(job, from: place)
        }

        private mutating func put(_ job: DelayedJob, at place: Int) {
            jobs[place] = job
            job.place = place
        }

        private static func isBefore(_ a: DelayedJob, _ b: DelayedJob) -> Bool {
            (a.deadline, a.turn) < (b.deadline, b.turn)
        }
    }
#endif
