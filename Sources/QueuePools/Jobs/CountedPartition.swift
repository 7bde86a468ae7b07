import QueuePoolsLocks
import Synchronization

/// Counts and cancels jobs for queues that do neither, such as `DispatchQueue`s.
final class CountedPartition<Queue: SerialQueue>: NodePartition<Queue>, @unchecked Sendable {  // constant
    /// Retained until the partition ends. Not references, which would be counted once more for each job.
    private let counted: [Unmanaged<CountedIntake>]
    private let time: PoolTime

    init(_ queues: [Queue], labels: [String], accounting: TierAccounting) {
        time = accounting.time
        let hidesContext = !(Queue.self is any ContextFreeQueue.Type)
        counted = labels.map {
            .passRetained(CountedIntake(label: $0, accounting: accounting, hidesContext: hidesContext))
        }
        super.init(queues)
    }

    deinit {
        for intake in counted { intake.release() }
    }

    override func submit(
        _ body: __owned @escaping @Sendable () -> Void, to queue: Int?, because reason: SubmissionReason
    ) -> PoolJob? {
        let queue = queue ?? turns.next()
        return counted[queue]._withUnsafeGuaranteedRef { intake in
            guard !isForkedChild, let stamp = intake.accept(since: reason.calledAt) else { return nil }
            let job = CountedJob(body: body, stamp: stamp, intake: intake)
            enqueue(job, on: queue)
            return PoolJob(owner: job)
        }
    }

    override func submit(
        _ body: @escaping @Sendable () -> Void, to queue: Int?, at time: UInt64
    ) -> PoolJob? {
        let number = queue ?? turns.next()
        let intake = counted[number].takeUnretainedValue()
        guard !isForkedChild, intake.accept() != nil else { return nil }
        let queue = queues[number].takeUnretainedValue()
        let job = DelayedCountedJob(body: body, at: time, intake: intake)
        // A clock of the pool's own is its queues', which would retain themselves by this closure.
        let retained = self.time.clock == nil ? queue : nil
        job.wait(by: self.time) { [weak queue] in
            guard let queue = retained ?? queue, job.takePlace() else { return }
            Self.enqueue(job, on: queue)
        }
        return PoolJob(owner: job)
    }

    override func submit(release body: @escaping @Sendable () -> Void) {
        let queue = turns.next()
        counted[queue]._withUnsafeGuaranteedRef { intake in
            if let stamp = intake.accept() {
                enqueue(CountedJob(body: body, stamp: stamp, intake: intake, isRelease: true), on: queue)
            } else {
                queues[queue]._withUnsafeGuaranteedRef { $0.enqueue { intake.runJob(body, stamp: nil) } }
            }
        }
    }

    private func enqueue(_ job: CountedJob, on queue: Int) {
        queues[queue]._withUnsafeGuaranteedRef { Self.enqueue(job, on: $0) }
    }

    private static func enqueue(_ job: CountedJob, on queue: Queue) {
        let turn = CountedJob.Turn(job: job)
        queue.enqueue { turn.job.run() }
    }

    override func submit(_ step: UnownedJob, of executor: any StepExecutor, to queue: Int?) {
        let queue = queue ?? turns.next()
        counted[queue]._withUnsafeGuaranteedRef { intake in
            let stamp = intake.accept()
            // Retained: once the step can run, it may release the last other reference to the pool, and a
            // program's queue may touch itself after that.
            let queue = queues[queue].takeUnretainedValue()
            withExtendedLifetime(queue) {
                queue.enqueue { intake.run({ executor.run(step) }, stamp: stamp) }
            }
        }
    }

    override var isCurrent: Bool {
        super.isCurrent || counted.contains { RunFrame.contains($0.takeUnretainedValue()) }
    }

    override var intakes: [any JobIntake] { counted.map { $0.takeUnretainedValue() } }

    override func add(to statistics: inout TierStatistics) {
        for intake in counted { intake.takeUnretainedValue().add(to: &statistics) }
    }
}

/// A job on a queue that cannot take jobs back: an object of under 100 bytes with the closure.
private class CountedJob: JobOwner, @unchecked Sendable {  // the body is that of the thread that takes it
    private enum State: UInt8, AtomicRepresentable {
        /// Waits, and has a place of the tier's capacity.
        case waiting
        /// Waits without a place: a release, or a job whose time has not come.
        case waitingApart
        case taken
    }

    // Relaxed: the thread that takes the job has it, and its body, from the submitter.
    private let state: Atomic<State>
    private var body: (@Sendable () -> Void)?
    private let stamp: SubmissionStamp
    fileprivate let intake: CountedIntake
    /// A shutdown does not cancel a release.
    private let isRelease: Bool

    init(
        body: @escaping @Sendable () -> Void, stamp: SubmissionStamp, intake: CountedIntake,
        isRelease: Bool = false, hasPlace: Bool = true
    ) {
        state = Atomic(isRelease || !hasPlace ? .waitingApart : .waiting)
        self.body = body
        self.stamp = stamp
        self.intake = intake
        self.isRelease = isRelease
    }

    func cancel(_: JobPlace = JobPlace()) -> Bool {
        guard take() else { return false }
        body = nil
        intake.cancel()
        return true
    }

    var isTaken: Bool { state.load(ordering: .relaxed) == .taken }

    /// Captured by the queue's closure: cancels the job if that is released without a call.
    struct Turn: ~Copyable, Sendable {
        let job: CountedJob

        deinit { if !job.isTaken { _ = job.cancel() } }
    }

    /// Runs the job, unless it was cancelled. Called once, by the queue.
    func run() {
        if intake.cancelsWaiting, !isRelease {
            _ = cancel()
        } else if take() {
            intake.runJob(callBody, stamp: stamp)
        }
    }

    /// A function of its own, so that the closure's captures are released before the job counts as finished.
    @inline(never)
    private func callBody() { body.take().unsafelyUnwrapped() }

    /// Takes a place of the capacity for a job whose time has come, whether or not there is one. Returns
    /// false if the job was cancelled.
    ///
    /// The place is taken first, so that the thread that takes the job returns one that was taken.
    func takePlace() -> Bool {
        let capacity = intake.accounting.capacity
        capacity?.takeAnyway()
        let change = state.compareExchange(expected: .waitingApart, desired: .waiting, ordering: .relaxed)
        if change.exchanged { intake.countPending(-1) } else { capacity?.giveBack() }
        return change.exchanged
    }

    /// Takes the job, which then no longer waits. Returns false if it was taken before.
    private func take() -> Bool {
        let before = state.exchange(.taken, ordering: .relaxed)
        switch before {
        case .waiting: intake.accounting.capacity?.giveBack()
        case .waitingApart: if !isRelease { intake.countPending(-1) }
        case .taken: break
        }
        return before != .taken
    }
}

/// A job that enters its queue at its time. Until then the clock retains it.
private final class DelayedCountedJob: CountedJob, DelayedIntakeJob, @unchecked Sendable {  // as CountedJob
    let time: UInt64
    private let timer = Lock<PoolJob?>(nil)
    private let enqueuing = Lock<(@Sendable () -> Void)?>(nil)

    init(body: @escaping @Sendable () -> Void, at time: UInt64, intake: CountedIntake) {
        self.time = time
        super.init(
            body: body, stamp: SubmissionStamp(nanoseconds: nil), intake: intake, hasPlace: false)
        intake.countPending(1)
    }

    deinit { intake.delayed.leave(self) }

    /// Calls a closure, which enqueues the job, when its time has come. A closed intake cancels the job.
    func wait(by clock: PoolTime, _ enqueue: @escaping @Sendable () -> Void) {
        enqueuing.withLock { $0 = enqueue }
        let timer = clock.call(at: time, on: intake.enqueuer) { [self] in becomeDue() }
        self.timer.withLock { $0 = timer }
        if !intake.delayed.enter(self) { _ = cancel() }
        if isTaken || enqueuing.withLock({ $0 == nil }) { self.timer.withLock { $0.take() }?.cancel() }
    }

    private func becomeDue() { enqueuing.withLock { $0.take() }?() }

    override func cancel(_ place: JobPlace = JobPlace()) -> Bool {
        guard super.cancel(place) else { return false }
        timer.withLock { $0.take() }?.cancel()
        _ = enqueuing.withLock { $0.take() }
        return true
    }

    func intakeCloses(at now: UInt64) {
        guard time <= now else {
            _ = cancel()
            return
        }
        // Behind the due jobs that are being enqueued, unless a test moves the time.
        guard intake.accounting.time.clock == nil else { return becomeDue() }
        intake.enqueuer.call { [self] in becomeDue() }
    }
}
