#if os(Linux)
    import CQueuePoolsThreads
    import Synchronization

    /// A queue or a lane, which takes delayed jobs when their time has come.
    protocol DelayedJobTarget: JobOwner {
        var group: WorkerGroup { get }
        func countCancelled()
        /// So many more jobs have a time that has not come.
        func countPending(_ difference: Int32)
        /// Queues a due job ahead of waiting jobs. Returns false if the target is closed: the submitter then
        /// takes the job back, unless it has begun. A closed queue accepts jobs of a closing (`isClosing`).
        func accept(_ job: DelayedJob, isClosing: Bool) -> Bool
    }

    /// A closure that is called later, once. It can be cancelled until it begins.
    final class DelayedJob: JobOwner, @unchecked Sendable {
        private enum Stage: UInt8, AtomicRepresentable {
            case waiting
            /// Its time has come. It has a place of the capacity, from before this stage to after it.
            case due
            /// In a lane, which counts it when its turn comes, whether it was cancelled or not.
            case inLane
            case taken
        }

        // Only the thread that takes it touches the body. Relaxed: every thread has the job from the thread
        // that made it, which orders `body`.
        private let stage: Atomic<Stage>
        private var body: (@Sendable () -> Void)?
        /// Nil for a call of the supervisor. Retained with its group: releasing references loses no job.
        private let target: (any DelayedJobTarget)?
        let group: WorkerGroup?
        let deadline: UInt64
        let supervisor: Supervisor
        // The supervisor's: its place in the heap, and the order of those with the same deadline.
        var heapIndex = 0
        var turn: UInt64 = 0
        /// The next in a list of due jobs.
        fileprivate var next: Unmanaged<DelayedJob>?

        /// - Parameter hasPlace: whether it has a place of the capacity, although its time may not have come.
        init(
            of target: (any DelayedJobTarget)? = nil, at deadline: UInt64, by supervisor: Supervisor,
            hasPlace: Bool = false, _ body: @escaping @Sendable () -> Void
        ) {
            stage = Atomic(hasPlace ? .due : .waiting)
            self.target = target
            group = target?.group
            self.deadline = deadline
            self.supervisor = supervisor
            self.body = body
            if !hasPlace { target?.countPending(1) }
        }

        /// Whether it has begun or was cancelled.
        var isTaken: Bool { stage.load(ordering: .relaxed) == .taken }

        /// Begins the job. Returns its closure, or nil if it was cancelled.
        func begin() -> (@Sendable () -> Void)? { take()?.body }

        private func take() -> (body: @Sendable () -> Void, stage: Stage)? {
            let before = stage.exchange(.taken, ordering: .relaxed)
            guard before != .taken, let body = body.take() else { return nil }
            if before == .waiting { target?.countPending(-1) } else { capacity?.giveBack() }
            return (body, before)
        }

        @discardableResult
        func cancel(_: JobPlace = JobPlace()) -> Bool { cancel(isKept: true) }

        /// - Parameter isKept: whether the supervisor may keep the job.
        @discardableResult
        func cancel(isKept: Bool) -> Bool {
            guard let taken = take() else { return false }
            // Counted first: releasing the closure's captures may take long.
            withExtendedLifetime(taken.body) {
                guard taken.stage != .inLane else { return }
                target?.countCancelled()
                if isKept { supervisor.remove(self) }
            }
            return true
        }

        /// Takes the job back for its submitter, because the target was closed. Returns false if it was
        /// taken, or is in a lane.
        ///
        /// - Parameter keepsPlace: whether the submitter has taken the job's place, and returns it.
        func takeBack(keepingPlace keepsPlace: Bool) -> Bool {
            for before in [Stage.waiting, .due] {
                guard stage.compareExchange(expected: before, desired: .taken, ordering: .relaxed).exchanged
                else { continue }
                if before == .waiting { target?.countPending(-1) }
                if before == .due, !keepsPlace { capacity?.giveBack() }
                body = nil
                supervisor.remove(self)
                return true
            }
            return false
        }

        /// Hands the job over, because its time has come. Returns false if the queue or lane has been closed.
        func becomeDue(isClosing: Bool = false) -> Bool {
            guard let target else {
                begin()?()
                return true
            }
            return !takesPlace() || target.accept(self, isClosing: isClosing)
        }

        /// Takes a place of the capacity, even if there is none, because the job's time has come. Returns
        /// false if it was cancelled.
        ///
        /// The thread that begins or cancels the job finds it either before this stage, or with its place,
        /// and returns that: the exchanges of `stage` decide, one of which fails.
        private func takesPlace() -> Bool {
            if stage.load(ordering: .relaxed) == .due { return true }
            capacity?.takeAnyway()
            if stage.compareExchange(expected: .waiting, desired: .due, ordering: .relaxed).exchanged {
                target?.countPending(-1)
                return true
            }
            capacity?.giveBack()
            return false
        }

        private var capacity: JobCapacity? { group?.accounting?.capacity }

        /// Leaves it to a lane, which counts it from now on. Returns false if it was cancelled.
        func enterLane() -> Bool {
            stage.compareExchange(expected: .due, desired: .inLane, ordering: .relaxed).exchanged
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
#endif
