#if os(Linux)
    import Dispatch
    import Synchronization

    /// What is to happen later. It can be cancelled until it begins.
    final class DelayedJob: JobOwner, @unchecked Sendable {
        enum Target {
            /// A job of a queue. The queue is held, so that nothing is lost when the last other reference goes.
            case queue(WorkerQueue)
            /// An unordered job: one of the lane for due jobs.
            case lane(UnorderedLane, of: WorkerGroup)
            /// Something for the supervisor to do.
            case supervisor
        }

        private enum Stage: UInt8, AtomicRepresentable {
            case waiting
            /// In a lane, which counts it when its turn comes, whether it was cancelled or not.
            case inLane
            case taken
        }

        // The thread that takes it, and no other, touches the body from then on. Relaxed: each has the job from the thread
        // that made it, one way or another.
        private let stage = Atomic<Stage>(.waiting)
        private var body: (@Sendable () -> Void)?
        let target: Target
        let deadline: UInt64
        private let supervisor: Supervisor
        // The supervisor's: its place in the heap, and the order of those with the same deadline.
        fileprivate var place: Int?
        fileprivate var turn: UInt64 = 0
        /// The next in a list of due jobs.
        fileprivate var next: Unmanaged<DelayedJob>?

        init(
            target: Target, deadline: UInt64, supervisor: Supervisor, body: @escaping @Sendable () -> Void
        ) {
            self.target = target
            self.deadline = deadline
            self.supervisor = supervisor
            self.body = body
        }

        fileprivate func belongs(to group: WorkerGroup) -> Bool {
            switch target {
            case .queue(let queue): queue.group === group
            case .lane(_, of: let ownGroup): ownGroup === group
            case .supervisor: false
            }
        }

        /// Whether it has begun or was cancelled.
        var isTaken: Bool { stage.load(ordering: .relaxed) == .taken }

        /// The body to run, unless the job was cancelled.
        func begin() -> (@Sendable () -> Void)? { take()?.body }

        private func take() -> (body: @Sendable () -> Void, stage: Stage)? {
            let before = stage.exchange(.taken, ordering: .relaxed)
            guard before != .taken, let body = body.take() else { return nil }
            switch target {
            case .queue(let queue): queue.accounts?.capacity?.giveBack()
            case .lane(let lane, of: _): lane.accounts?.capacity?.giveBack()
            case .supervisor: break
            }
            return (body, before)
        }

        @discardableResult
        func cancel(_: JobPlace) -> Bool {
            guard let stage = take()?.stage else { return false }
            switch target {
            case .queue(let queue): didCancel(queue.counters, of: queue.group)
            case .lane(let lane, of: let group) where stage == .waiting: didCancel(lane.counters, of: group)
            default: break
            }
            return true
        }

        private func didCancel(_ counters: borrowing JobCounters, of group: WorkerGroup) {
            counters.cancelled.wrappingAdd(1, ordering: .relaxed)
            if !group.isForked { supervisor.remove(self) }
        }

        /// Whether the queue or lane has been closed.
        var isRefused: Bool {
            switch target {
            case .queue(let queue): queue.mailbox.isClosed
            case .lane(let lane, of: _): lane.mailbox.isClosed
            case .supervisor: false
            }
        }

        /// Its time has come: it runs before what waits. False if the queue or lane has been closed.
        func becomeDue(duringClosing: Bool = false) -> Bool {
            switch target {
            case .queue(let queue): return queue.acceptDue(self, duringClosing: duringClosing)
            case .lane(let lane, of: let group):
                guard !isRefused else { return false }
                let isWaiting = stage.compareExchange(
                    expected: .waiting, desired: .inLane, ordering: .relaxed
                ).exchanged
                if isWaiting {
                    lane.accept(self)
                    group.wakeIfNeeded()
                }
                return true
            case .supervisor:
                begin()?()
                return true
            }
        }

        /// Cancels it on another thread: what it captured may do anything when it is released.
        func cancelElsewhere() {
            switch target {
            case .queue(let queue): queue.enqueue { self.cancel(JobPlace()) }
            case .lane: DispatchQueue.elsewhere.async { self.cancel(JobPlace()) }
            case .supervisor: break
            }
        }
    }

    /// Jobs whose time has come: a list that any thread appends to, and the queue's holder takes from.
    ///
    /// Appending exchanges the newest job, releasing; the holder takes the whole list with one exchange, acquiring, and
    /// turns it around. No single job is ever taken off the shared list, so an address that comes back does no harm.
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

        /// Takes all of them, the one first that has waited longest.
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

    /// Delayed jobs, the earliest first: a binary heap in which each job knows its place. Jobs that are due at the same
    /// time come out in the order in which they went in.
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
            job.place = jobs.count - 1
            rise(jobs.count - 1)
        }

        /// Takes out a job, if it is there. O(log *n*).
        mutating func remove(_ job: DelayedJob) {
            guard let place = job.place else { return }
            job.place = nil
            let last = jobs.removeLast()
            guard place < jobs.count else { return }
            put(last, at: place)
            rise(place)
            sink(last.place ?? place)
        }

        /// Takes out the earliest if it is due. O(log *n*).
        mutating func takeDue(at now: UInt64) -> DelayedJob? {
            guard nextDeadline <= now, let first = jobs.first else { return nil }
            remove(first)
            return first
        }

        /// Takes out those of a group. O(*n*).
        mutating func takeAll(of group: WorkerGroup) -> [DelayedJob] {
            let taken = jobs.filter { $0.belongs(to: group) }.sorted(by: Self.isBefore)
            guard !taken.isEmpty else { return [] }
            for job in taken { job.place = nil }
            jobs.removeAll { $0.place == nil }
            jobs.sort(by: Self.isBefore)  // what is in order is a heap
            for (place, job) in jobs.enumerated() { job.place = place }
            return taken
        }

        private mutating func put(_ job: DelayedJob, at place: Int) {
            jobs[place] = job
            job.place = place
        }

        private mutating func rise(_ start: Int) {
            var place = start
            while place > 0, Self.isBefore(jobs[place], jobs[(place - 1) / 2]) {
                exchange(place, (place - 1) / 2)
                place = (place - 1) / 2
            }
        }

        private mutating func sink(_ start: Int) {
            var place = start
            while 2 * place + 1 < jobs.count {
                var least = 2 * place + 1
                if least + 1 < jobs.count, Self.isBefore(jobs[least + 1], jobs[least]) { least += 1 }
                guard Self.isBefore(jobs[least], jobs[place]) else { return }
                exchange(place, least)
                place = least
            }
        }

        private mutating func exchange(_ a: Int, _ b: Int) {
            jobs.swapAt(a, b)
            jobs[a].place = a
            jobs[b].place = b
        }

        private static func isBefore(_ a: DelayedJob, _ b: DelayedJob) -> Bool {
            (a.deadline, a.turn) < (b.deadline, b.turn)
        }
    }
#endif
