import QueuePoolsLocks
import Synchronization

/// A job that tasks can await. Its closure keeps the value, so that nothing here is generic.
///
/// # Phases
///
///     new ────────▶ submitted ──▶ running ──▶ ended, with a value
///      └─▶ waitingForRoom ─┘         └─▶ submitted, as the next stage of a pipeline
///     each before running ──▶ ending ──▶ ended, for a reason of the pool
///
/// Phases change under the lock, and no other code runs under it: the pool may run, release or refuse the job
/// while that is submitted. Of the threads that begin the job or end it, one finds it waiting and changes
/// that; the closure is then that thread's, until the phase is `ended`. Those that come later acquire the
/// lock.
///
/// # Tickets
///
/// Each submission of the job to a tier is a ``Ticket``, which the pool's closure captures. While its task's
/// priority rises, the job has several. The first whose turn comes begins the job; the others do nothing when
/// their turns come, which statistics call *void*. A job that waits and has no ticket left ends: its queues
/// have released it. A thread that submits the job counts as a ticket until it has stored the place.
///
/// So a move to another tier needs no rule of its own: the job is submitted there, and the thread that has
/// done that settles which place is the superfluous one (``State/settle(_:_:)``), whatever
/// became of the job meanwhile. That one is withdrawn, and counted as moved out of its tier. Each stage of a
/// pipeline is a *round*, whose tickets are void in the next.
@usableFromInline
final class AwaitedJob: CancellationSource, @unchecked Sendable {  // under locks, or the phase's owner's
    private let state = Lock(State())
    // Relaxed, all three, because they order nothing.
    private let isSubmitted = Atomic<Bool>(false)
    private let wasCancelled = Atomic<Bool>(false)
    /// Whether the job waits no more: saves its tickets the lock.
    private let hasLeft = Atomic<Bool>(false)
    private let options: JobOptions
    private let calledAt = monotonicNanoseconds()
    /// The priority of the task that submits it.
    private let priority = withCallersTask { $0?.priority.rawValue }

    // Set before another thread has the job.
    private var extras: JobExtras?
    private var target: (any AwaitedJobTarget)?
    private var context: CapturedTaskLocals?
    // In nanoseconds of the target's clock.
    private var finishBy = UInt64.max
    /// Changed between two stages, while a void ticket of the former may read it. Relaxed: orders nothing.
    private let startBy = Atomic<UInt64>(.max)
    private var begin: UInt64?

    /// Belongs to the thread that begins the job or ends it.
    private var body: (@Sendable () -> Void)?
    /// That of the pool that runs the job, for its thread.
    private var runningIn: Unmanaged<AwaitedJobs>?
    /// Used under the lock of the list.
    var links = AwaitedJobs.Links()

    @usableFromInline
    init(_ options: consuming JobOptions, _ body: consuming @escaping @Sendable () -> Void) {
        extras = options.extras
        self.options = consume options
        self.body = consume body
    }

    /// A release of memory, on its way to a pool: no job, but passed on as one.
    convenience init(release: @escaping @Sendable () -> Void) {
        let extras = JobExtras()
        extras.release = release
        self.init(
            JobOptions(
                qos: .background, keyHash: nil, label: nil, whenFull: .wait, startBy: nil, isAwaited: false,
                extras: extras)
        ) {}
    }

    var isRelease: Bool { extras?.release != nil }

    /// Takes the release out; nil if this is a job, or was taken.
    func takeRelease() -> (@Sendable () -> Void)? { extras?.release.take() }

    override var isCancelled: Bool { wasCancelled.load(ordering: .relaxed) }

    override var isCancelledOnItsThread: Bool {
        isCancelled || runningIn?._withUnsafeGuaranteedRef { $0.isCancellingRunningJobs } ?? false
    }

    override var pool: AwaitedJobs? { runningIn?.takeUnretainedValue() }

    /// Adds a closure that is called once when the job has ended, before the job is submitted. Tasks that
    /// await the job continue afterwards. Its parameter is the reason if the job has no value.
    @usableFromInline
    func whenEnded(_ handler: @escaping @Sendable (AwaitedJob, PoolError?) -> Void) {
        let extras = extras ?? JobExtras()
        self.extras = extras
        extras.endHandlers.append(handler)
    }

    /// Adds a closure of the program's, which is called with the task-local values that the job carries.
    @usableFromInline
    func tellEnd(_ onEnd: @escaping @Sendable (PoolError?) -> Void) {
        whenEnded { job, error in
            let tell = { CapturedTaskLocals.bind(job.context) { onEnd(error) } }
            // Without a value, a thread that runs any code may have ended the job: that has a context.
            if error == nil { tell() } else { withoutContext(tell) }
        }
    }

    /// Makes the job the first stage of a pipeline, before it is submitted. The closure returns the next one
    /// when a stage has run, or nil after the last.
    func continueWith(_ nextStage: @escaping @Sendable () -> JobStage?) {
        let extras = extras ?? JobExtras()
        self.extras = extras
        extras.nextStage = nextStage
        extras.isPipeline = true
    }

    private var entrance: any AwaitedJobTarget { target.unsafelyUnwrapped }

    /// Traps if a `start(_:)` of the program's has not submitted the job. Called when that has returned.
    @usableFromInline
    func checkPassed() { if !isSubmitted.load(ordering: .relaxed) { Self.isPassedNowhere() } }

    private static func isPassedNowhere() -> Never {
        fatalError("JobSubmitting.start(_:) has returned, and passed the job to no pool")
    }

    // MARK: Submitting

    /// Submits the job; again only if it was refused, or for its next stage.
    func submit(to target: any AwaitedJobTarget) throws(PoolError) {
        require(
            !isSubmitted.exchange(true, ordering: .relaxed),
            "a JobRequest was started twice; the second time by \(target.subject)")
        if let stage = extras?.stage { return submit(stage, to: target) }
        let tier =
            options.qos ?? priority.map { QoSTier(priority: TaskPriority(rawValue: $0)) } ?? .current
            ?? .default
        var accounting: TierAccounting?
        let times: (startBy: UInt64, finishBy: UInt64)
        do throws(PoolError) {
            self.target = target
            guard !isForkedChild else { throw PoolError(.forked, by: target.subject) }
            accounting = target.accounting(on: tier)
            try options.whenFull.validate()
            try prepare(for: target)
            times = (startBy.load(ordering: .relaxed), finishBy)
            try enter(target, tier, accounting)
        } catch {
            accounting?.countRefused()
            isSubmitted.store(false, ordering: .relaxed)
            throw error
        }
        // None for a pipeline, whose job may be in a stage, and in that pool's list, by now.
        if let jobs = target.awaited {
            // Entered once accepted, so that no shutdown ends a refused job. It may have begun.
            if !jobs.enter(self) { end(.shutDown) }
            if hasLeft.load(ordering: .relaxed) { jobs.leave(self) }
        }
        // Before it was submitted, there was nothing to end.
        if isCancelled { end(.cancelled) }
        startTimers(times.startBy, times.finishBy)
    }

    /// Computes the times, and captures the submitter's task-local values.
    private func prepare(for target: any AwaitedJobTarget) throws(PoolError) {
        context = target.carrier?.capture()
        guard options.startBy != nil || options.extras != nil else { return }
        begin = options.extras?.begin?.deadline(of: target.time)
        finishBy = target.time.time(for: options.extras?.finishBy)
        startBy.store(min(target.time.time(for: options.startBy), finishBy), ordering: .relaxed)
        if isExpired { throw PoolError(.expired, by: target.subject) }
    }

    private var isExpired: Bool { hasPassed(startBy.load(ordering: .relaxed)) }

    private func hasPassed(_ time: UInt64) -> Bool { time < .max && time <= entrance.time.now }

    /// Begins a round: submits the job to a tier, or lets it wait for room.
    private func enter(
        _ target: any AwaitedJobTarget, _ tier: QoSTier, _ accounting: TierAccounting?
    ) throws(PoolError) {
        let stage = extras?.stage
        let limit = stage == nil ? options.whenFull.limit : nil
        let keyHash = stage.map(\.keyHash) ?? options.keyHash
        let begin = delayedBegin(of: target)
        let capacity = begin == nil ? accounting?.capacity : nil
        let (entry, ticket) = state.withLock { state -> (JobCapacity.Entry, Ticket?) in
            state.beginRound(on: tier, keyHash: keyHash)
            // Under the lock, because there may be room before this returns.
            let entry =
                capacity?.enter(waitingAtMost: limit) { [self, round = state.round] step in
                    switch step {
                    case .asks: target.waitsForThreadOnly(on: tier, keyHash: keyHash)
                    case .resumes: resume(round, accounting)
                    }
                } ?? .room
            switch entry {
            case .room: return (entry, state.issueFirst(begin: begin))
            case .waitingForRoom(let call): state.phase = .waitingForRoom(call)
            case .full: break
            }
            return (entry, nil)
        }
        if case .full = entry { throw PoolError(.full, by: target.subject) }
        guard let ticket else { return }
        guard place(ticket, of: target, accounting, because: options.isAwaited ? .suspending : .starting)
        else {
            capacity?.giveBack()
            guard state.withLock({ $0.takeBack() }) else { return }
            throw PoolError(target.refusalCode, by: target.subject)
        }
    }

    /// Called once, with room that a job waits for, or when there will be none any more. Returns
    /// false if the room is not used.
    private func resume(_ round: UInt32, _ accounting: TierAccounting?) -> Bool {
        typealias Resumed = (
            ticket: Ticket, target: any AwaitedJobTarget, admission: UnsafeContinuation<Void, Never>?
        )
        let resumed = state.withLock { state -> Resumed? in
            guard state.round == round, case .waitingForRoom = state.phase else { return nil }
            return (state.issueFirst(begin: nil), pool(of: state), state.admission.take())
        }
        guard let resumed else { return false }
        defer { resumed.admission?.resume() }
        let isPlaced = place(
            resumed.ticket, of: resumed.target, accounting, because: .room(since: calledAt))
        if !isPlaced { end(resumed.target.refusalCode) }
        return isPlaced
    }

    /// A submission of the job, captured by the pool's closure.
    private struct Submission: ~Copyable, Sendable {
        let job: AwaitedJob
        let ticket: Ticket
        /// The tier's, which the queue retains.
        let accounting: Unmanaged<TierAccounting>?

        deinit { if !job.hasLeft.load(ordering: .relaxed) { job.ticketIsGone(ticket) } }
    }

    private func send(
        _ ticket: Ticket, to target: any AwaitedJobTarget, _ accounting: TierAccounting?,
        because reason: SubmissionReason
    ) -> PoolJob? {
        let submission = Submission(
            job: self, ticket: ticket, accounting: accounting.map { .passUnretained($0) })
        let destination = JobDestination(
            tier: ticket.tier, keyHash: ticket.keyHash, reason: reason, begin: ticket.begin)
        return target.place(
            { submission.job.run(submission.ticket, submission.accounting) }, at: destination)
    }

    /// When a job begins whose time has not come.
    private func delayedBegin(of target: any AwaitedJobTarget) -> UInt64? {
        begin.flatMap { $0 > target.time.now ? $0 : nil }
    }

    /// Sends a job, whose phase says that it is submitted. Returns false if it is refused.
    private func place(
        _ ticket: Ticket, of target: any AwaitedJobTarget, _ accounting: TierAccounting?,
        because reason: SubmissionReason
    ) -> Bool {
        guard let place = send(ticket, to: target, accounting, because: reason) else {
            state.withLock { if $0.round == ticket.round { $0.tickets -= 1 } }
            return false
        }
        settle(place, ticket, of: target, accounting)
        return true
    }

    /// Stores the place of a job that has been sent, and withdraws the place that is superfluous.
    private func settle(
        _ place: PoolJob, _ ticket: Ticket, of target: any AwaitedJobTarget, _ accounting: TierAccounting?
    ) {
        let settled = state.withLock { $0.settle(place, ticket) }
        settled.admission?.resume()
        withdraw(settled.superfluous, from: target)
        if settled.isReleased { endReleased() }
    }

    private func withdraw(_ place: State.Superfluous?, from target: any AwaitedJobTarget) {
        guard let place else { return }
        // Before it is withdrawn, so that statistics do not count it as cancelled.
        if let tier = place.movedFrom { target.accounting(on: tier)?.countMovedOut() }
        place.job.cancel()
    }

    // MARK: Running

    /// Runs the job, the turn of one of whose tickets has come.
    private func run(_ ticket: Ticket, _ accounting: Unmanaged<TierAccounting>?) {
        let isExpired = isExpired
        let begun = state.withLock { $0.begin(ticket, isExpired: isExpired) }
        guard let begun, !isExpired else {
            accounting?._withUnsafeGuaranteedRef { $0.countVoid() }
            accounting?._withUnsafeGuaranteedRef { if $0.keepsPlaces { $0.capacity?.giveBack() } }
            if begun != nil { end(.expired) }
            return
        }
        begun.admission?.resume()
        if let superfluous = begun.superfluous { withdraw(superfluous, from: present) }
        let awaited = accounting?._withUnsafeGuaranteedRef { Unmanaged.passUnretained($0.awaited) }
        leave(awaited?.takeUnretainedValue())
        runningIn = awaited
        if let label = extras?.stage.map(\.label) ?? options.label { labelJob(label) }
        CancellationSource.with(.passUnretained(self)) { callBody() }
        let isPoolCancelling = runningIn?._withUnsafeGuaranteedRef { $0.isCancellingRunningJobs } ?? false
        runningIn = nil
        // First, because those who are told of the end may submit the next job.
        accounting?._withUnsafeGuaranteedRef { $0.capacity?.endEarly() }
        if let stage = extras?.nextStage?() {
            return begin(stage, after: ticket.round, isPoolCancelling: isPoolCancelling)
        }
        tellEnd(nil)
        finish(nil)
    }

    /// A function of its own, so that the closure is released before the tasks are resumed.
    @inline(never)
    private func callBody() {
        if let context { context.bind { body.take()?() } } else { body.take()?() }
    }

    /// Calls those who are to know of the end. Called by the thread that has run the job, or has ended its
    /// waiting, before ``finish(_:)``.
    private func tellEnd(_ code: PoolError.Code?) {
        guard let extras else { return }
        extras.nextStage = nil
        extras.stage = nil
        let handlers = extras.endHandlers
        extras.endHandlers = []
        guard !handlers.isEmpty else { return }
        let error = code.map { code in PoolError(code, by: present.subject) }
        for handler in handlers { handler(self, error) }
    }

    /// The pool of the round.
    private var present: any AwaitedJobTarget { state.withLock { pool(of: $0) } }

    private func pool(of state: borrowing State) -> any AwaitedJobTarget { state.target ?? entrance }

    /// Ends the job without a value.
    private func fail(_ code: PoolError.Code) {
        body = nil
        tellEnd(code)
        finish(code)
    }

    /// Resumes those who await the job.
    private func finish(_ code: PoolError.Code?) {
        typealias Tasks = (
            first: UnsafeContinuation<Void, Never>?, others: [UnsafeContinuation<Void, Never>],
            accepted: UnsafeContinuation<Void, Never>?, timer: PoolJob?
        )
        let tasks = state.withLock { state -> Tasks in
            state.phase = .ended(code)
            return (state.waiter, state.otherWaiters, state.admission.take(), state.finishTimer.take())
        }
        tasks.timer?.cancel()
        tasks.accepted?.resume()
        tasks.first?.resume()
        for task in tasks.others { task.resume() }
    }

    /// Called by the thread that has ended the waiting.
    private func leave(_ jobs: AwaitedJobs?) {
        hasLeft.store(true, ordering: .relaxed)
        jobs?.leave(self)
        if options.startBy != nil { state.withLock { $0.startTimer.take() }?.cancel() }
    }

    // MARK: Stages

    /// Submits the job as its next stage, on the thread that has run the stage before. That may have been
    /// told to give up, by the job's cancellation or by a shutdown of its pool: then its value is partial.
    private func begin(_ stage: JobStage, after round: UInt32, isPoolCancelling: Bool) {
        guard !isCancelled else { return fail(stopCode) }
        guard !isPoolCancelling else { return fail(.shutDown) }
        body = stage.body
        startBy.store(finishBy, ordering: .relaxed)
        extras?.stage = stage
        isSubmitted.store(false, ordering: .relaxed)
        do { try stage.pool.start(JobRequest(self)) } catch { return fail(error.code) }
        // Submitted, or ended because it was refused; it may be in a later round by now.
        let isPassed = state.withLock { state in
            if case .ended = state.phase { return true }
            return state.round != round
        }
        if !isPassed { Self.isPassedNowhere() }
    }

    /// Why a job ends that was cancelled while a stage ran.
    private var stopCode: PoolError.Code { hasPassed(finishBy) ? .expired : .cancelled }

    /// Never full: a stage waits until there is room. What the pipeline has accepted bounds how many wait.
    private func submit(_ stage: JobStage, to target: any AwaitedJobTarget) {
        hasLeft.store(false, ordering: .relaxed)
        let tier = state.withLock { state in
            state.target = target  // which the error names, if it refuses the stage
            return stage.qos ?? state.tier
        }
        let accounting = target.accounting(on: tier)
        // Entered first: a thread that runs the stage may be in the next one when this returns.
        let jobs = accounting?.awaited
        guard jobs?.enter(self) ?? true else { return fail(.shutDown) }
        do throws(PoolError) {
            try enter(target, tier, accounting)
        } catch {
            jobs?.leave(self)
            return fail(error.code)
        }
        // Between two stages there is nothing to end, and nothing to move.
        if isCancelled { end(stopCode) }
        if let jobs, jobs.isClosed { end(.shutDown, in: jobs) }
        if let tier = state.withLock({ $0.raised }) { move(to: tier) }
    }

    // MARK: Ending without a value

    /// Ends the job if it waits; if it runs, its scope says from now on that it is cancelled.
    ///
    /// - Returns: whether this ended it.
    @usableFromInline
    func cancel() -> Bool {
        wasCancelled.store(true, ordering: .relaxed)
        return end(.cancelled)
    }

    /// Ends the job if it waits, in any pool or in that of a list. Returns whether it did.
    @discardableResult
    func end(_ code: PoolError.Code, in jobs: AwaitedJobs? = nil) -> Bool {
        typealias Waiting = (place: PoolJob?, tier: QoSTier, target: any AwaitedJobTarget)
        let waiting = state.withLock { state -> Waiting? in
            guard jobs == nil || pool(of: state).awaited === jobs else { return nil }
            let place: PoolJob?
            switch state.phase {
            case .waitingForRoom(let call): place = call
            case .submitted: place = state.place.take()
            case .new, .running, .ending, .ended: return nil
            }
            state.phase = .ending
            return (place, state.tier, pool(of: state))
        }
        guard let (place, tier, target) = waiting else { return false }
        if code == .expired { target.accounting(on: tier)?.countExpired() }
        leave(target.awaited)
        place?.cancel()
        fail(code)
        return true
    }

    /// A queue or lane has released one of the job's tickets.
    private func ticketIsGone(_ ticket: Ticket) {
        if state.withLock({ $0.loses(ticket) }) { endReleased() }
    }

    private func endReleased() {
        let pool = present
        let isShutDown = pool.refusalCode == .shutDown || pool.awaited?.isClosed ?? false
        end(isShutDown ? .shutDown : .cancelled)
    }

    private func startTimers(_ startBy: UInt64, _ finishBy: UInt64) {
        if startBy < finishBy {
            let timer = entrance.time.call(at: startBy, on: .ofEnds) { [self] in end(.expired) }
            keep(timer, untilItEnds: false)
        }
        if finishBy < .max {
            let timer = entrance.time.call(at: finishBy, on: .ofEnds) { [self] in
                if !end(.expired) { wasCancelled.store(true, ordering: .relaxed) }
            }
            keep(timer, untilItEnds: true)
        }
    }

    /// Keeps a timer until the job ends, or only until it begins.
    private func keep(_ timer: PoolJob?, untilItEnds isOfEnd: Bool) {
        guard let timer else { return }
        let isKept = state.withLock { state in
            switch state.phase {
            case .waitingForRoom, .submitted: break
            case .running where isOfEnd: break
            case .new, .running, .ending, .ended: return false
            }
            if isOfEnd { state.finishTimer = timer } else { state.startTimer = timer }
            return true
        }
        if !isKept { timer.cancel() }
    }

    // MARK: Moving

    /// Moves the job to a higher tier if it waits, whether or not there is room. It is submitted there, and
    /// withdrawn from the tier that it leaves; if that is refused, it stays.
    private func move(to tier: QoSTier) {
        let origin = state.withLock { state -> (ticket: Ticket, target: any AwaitedJobTarget)? in
            state.raised = max(state.raised ?? tier, tier)
            guard state.isWaiting, state.keyHash == nil, tier > state.tier else { return nil }
            let target = pool(of: state)
            guard target.hasTiers else { return nil }
            return (state.issue(on: tier, begin: delayedBegin(of: target)), target)
        }
        guard let (ticket, target) = origin else { return }
        let accounting = target.accounting(on: tier)
        let capacity = ticket.begin == nil ? accounting?.capacity : nil
        capacity?.takeAnyway()
        if let new = send(ticket, to: target, accounting, because: .priority(since: calledAt)) {
            accounting?.countMovedIn()
            settle(new, ticket, of: target, accounting)
        } else {
            capacity?.giveBack()
        }
    }

    // MARK: Awaiting

    // A function that has its caller's isolation as a parameter makes the runtime compare executors at each
    // entry and return. One that inherits it does not.

    /// Waits until the job has ended, on the caller's executor. Cancelling the task cancels the job; a rise
    /// of its priority above that of the submission moves the job.
    @usableFromInline
    nonisolated(nonsending) func waitUntilEnded() async {
        #if os(Linux)
            if options.keyHash == nil, entrance.hasTiers || extras?.isPipeline ?? false {
                return await withTaskPriorityEscalationHandler {
                    // The priority may have risen before the handler was there.
                    let present = Task.currentPriority
                    if present.rawValue > priority ?? .max { move(to: QoSTier(priority: present)) }
                    await wait(for: .end)
                } onPriorityEscalated: { [self] _, priority in
                    move(to: QoSTier(priority: priority))
                }
            }
        #endif
        await wait(for: .end)
    }

    /// Waits until the job is accepted, or has ended before.
    @usableFromInline
    nonisolated(nonsending) func waitUntilAdmitted() async { await wait(for: .admission) }

    private func wait(for event: Event, isolation: isolated (any Actor)? = #isolation) async {
        await withTaskCancellationHandler {
            _ = isolation
            await withUnsafeContinuation { resume($0, at: event) }
        } onCancel: {
            _ = cancel()
        }
    }

    private enum Event { case admission, end }

    private func resume(_ task: UnsafeContinuation<Void, Never>, at event: Event) {
        let isOver = state.withLock { state in
            switch (state.phase, event) {
            case (.ended, _), (.submitted, .admission), (.running, .admission): return true
            // In the pipeline, and waits for room in a stage's tier.
            case (.waitingForRoom, .admission) where state.round > 1: return true
            case (_, .admission): state.admission = task
            case (_, .end):
                if state.waiter == nil { state.waiter = task } else { state.otherWaiters.append(task) }
            }
            return false
        }
        if isOver { task.resume() }
    }

    /// The reason if the job has ended without a value.
    @usableFromInline
    var endError: PoolError? {
        state.withLock { state in
            guard case .ended(let code?) = state.phase else { return nil }
            return PoolError(code, by: pool(of: state).subject)
        }
    }

    /// Throws the reason if the job has ended without a value.
    @usableFromInline
    func checkEnd() throws {
        guard let error = endError else { return }
        if error.code == .cancelled, Task.isCancelled { throw CancellationError() }
        throw error
    }
}

/// The job is its own handle, for those who submit it without awaiting it.
extension AwaitedJob: JobOwner {
    func cancel(_: JobPlace) -> Bool { cancel() }
}
