import QueuePoolsLocks
import Synchronization

/// A job that tasks can await. Its closure keeps the value, so that nothing here is generic.
///
/// # Phases
///
///     new ──▶ placing ──▶ placed ──▶ running ──▶ ended, with a value
///      └──▶ suspended ──┘   ▲ └─▶ moving ─┘
///     each before running ──▶ ending ──▶ ended, for a reason of the pool
///
/// Phases change under the lock, and no other code runs under it: the pool may run, release or refuse the job
/// while that is placed. Of the threads that begin the job or end it, one finds it waiting and changes that;
/// the closure is then that thread's, until the phase is `ended`. Those that come later acquire the lock.
///
/// A place that proves superfluous, because the job has ended meanwhile, or has begun on the tier that it was
/// to leave, is withdrawn by the thread that placed it. A job that begins at such a place is *void*.
@usableFromInline
final class AwaitedJob: @unchecked Sendable {  // under locks, or the phase's owner's
    private let state = Lock(State())
    // Relaxed, all three, because they order nothing.
    private let isSubmitted = Atomic<Bool>(false)
    private let wasCancelled = Atomic<Bool>(false)
    /// Whether the job waits no more: saves its ``Turn`` the lock.
    private let hasLeft = Atomic<Bool>(false)
    private let options: JobOptions
    private let calledAt = monotonicNanoseconds()
    /// The priority of the task that submits it.
    private let priority = withUnsafeCurrentTask { $0?.priority.rawValue }
    /// Belongs to the thread that begins the job or ends it.
    private var body: (@Sendable (JobScope) -> Void)?
    /// Set before another thread has the job.
    private var target: (any AwaitedJobTarget)?
    /// Used under the lock of the list.
    var links = AwaitedJobs.Links()

    @usableFromInline
    init(_ options: JobOptions, _ body: @escaping @Sendable (JobScope) -> Void) {
        self.options = options
        self.body = body
    }

    var isCancelled: Bool { wasCancelled.load(ordering: .relaxed) }

    private func accounting(on tier: QoSTier) -> TierAccounting? { target?.accounting(on: tier) }

    private func error(_ code: PoolError.Code) -> PoolError { PoolError(code, by: pool.subject) }

    private var pool: any AwaitedJobTarget {
        guard let target else {
            fatalError("JobSubmitting.start(_:) has returned, and passed the job to no pool")
        }
        return target
    }

    // MARK: Submitting

    /// Submits the job, once; again only if it was refused.
    func submit(to target: any AwaitedJobTarget) throws(PoolError) {
        require(
            !isSubmitted.exchange(true, ordering: .relaxed),
            "a JobRequest was started twice; the second time by \(target.subject)")
        do {
            try submitFirst(to: target)
        } catch {
            isSubmitted.store(false, ordering: .relaxed)
            throw error
        }
    }

    private func submitFirst(to target: any AwaitedJobTarget) throws(PoolError) {
        self.target = target
        guard !isForkedChild else { throw error(.forked) }
        let tier =
            options.qos ?? priority.map { QoSTier(priority: TaskPriority(rawValue: $0)) } ?? .current
            ?? .default
        let accounting = accounting(on: tier)
        do {
            try enter(tier, accounting)
        } catch {
            accounting?.countRefused()
            throw error
        }
        if let jobs = accounting?.awaited {
            // Entered once accepted, so that no shutdown ends a refused job. It may have begun.
            if !jobs.enter(self) { end(.shutDown) }
            if hasLeft.load(ordering: .relaxed) { jobs.leave(self) }
        }
        if let deadline = options.deadline { startTimer(until: deadline) }
    }

    private var isExpired: Bool { options.deadline.map { $0 <= JobOptions.now } ?? false }

    private func enter(_ tier: QoSTier, _ accounting: TierAccounting?) throws(PoolError) {
        try options.whenFull.validate()
        guard !isExpired else { throw error(.expired) }
        let entry = state.withLock { state -> JobCapacity.Entry in
            // Under the lock, because there may be room before this returns.
            let entry =
                accounting?.capacity?.enter(
                    suspendingAtMost: options.whenFull.limit, { [self] in resume(on: tier) }) ?? .room
            switch entry {
            case .room: state.phase = .placing(tier)
            case .suspended(let call): state.phase = .suspended(call, tier)
            case .full: break
            }
            return entry
        }
        switch entry {
        case .full: throw error(.full)
        case .suspended: break
        case .room:
            let reason: SubmissionReason = options.isAwaited ? .suspending : .starting
            guard place(on: tier, because: reason) else {
                accounting?.capacity?.giveBack()
                state.withLock { $0.phase = .new }
                throw error(pool.refusalCode)
            }
        }
    }

    /// Called once, with room that a suspended job waits for, or when there will be none any more. Returns
    /// false if the room is not used.
    private func resume(on tier: QoSTier) -> Bool {
        let isWaiting = state.withLock { state in
            switch state.phase {
            case .suspended:
                state.phase = .placing(tier)
                return true
            case .moving(_, _, isSuspended: true, _): state.hasMissedRoom = true
            default: break
            }
            return false
        }
        guard isWaiting else { return false }
        if place(on: tier, because: .room(since: calledAt)) { return true }
        end(pool.refusalCode)
        return false
    }

    /// Captured by the pool's closure: ends the job if that is released without a call.
    private struct Turn: ~Copyable, Sendable {
        let job: AwaitedJob
        let tier: QoSTier

        deinit { if !job.hasLeft.load(ordering: .relaxed) { job.drop(on: tier) } }
    }

    private func send(to tier: QoSTier, because reason: SubmissionReason) -> PoolJob? {
        let turn = Turn(job: self, tier: tier)
        return pool.place(
            { turn.job.run(on: turn.tier) }, on: tier, keyHash: options.keyHash, because: reason)
    }

    /// Puts a job that is `placing` on its tier. Returns false if it is refused, and stays so.
    private func place(on tier: QoSTier, because reason: SubmissionReason) -> Bool {
        guard let place = send(to: tier, because: reason) else {
            state.withLock { $0.isDropped = false }
            return false
        }
        typealias Placed = (
            admission: UnsafeContinuation<Void, Never>?, wish: QoSTier?, isDropped: Bool, isSuperfluous: Bool
        )
        let placed = state.withLock { state -> Placed in
            defer { (state.wish, state.isDropped) = (nil, false) }
            let isSuperfluous: Bool
            switch state.phase {
            case .placing:
                state.phase = .placed(place, tier)
                isSuperfluous = false
            case .ending, .ended(_?): isSuperfluous = true
            default: isSuperfluous = false
            }
            let admission = isSuperfluous ? nil : state.admission.take()
            return (admission, state.wish, state.isDropped, isSuperfluous)
        }
        if placed.isSuperfluous { place.cancel() }
        if placed.isDropped { endDropped() }
        placed.admission?.resume()
        if let wish = placed.wish { move(to: wish) }
        return true
    }

    // MARK: Running

    /// Runs the job, whose turn has come on a tier.
    private func run(on tier: QoSTier) {
        let isExpired = isExpired
        let (isWaiting, admission) = state.withLock { state in
            switch state.phase {
            case .placed(_, tier), .placing(tier), .moving(_, tier, _, _), .moving(_, _, _, to: tier):
                state.beganOn = tier
                state.phase = isExpired ? .placing(tier) : .running
                defer { state.admission = nil }
                return (true, state.admission)
            default: return (false, nil)
            }
        }
        admission?.resume()
        guard isWaiting, !isExpired else {
            accounting(on: tier)?.countVoid()
            if isWaiting { end(.expired) }
            return
        }
        leave()
        if let label = options.label { labelJob(label) }
        // Released before the tasks are resumed.
        body.take()?(JobScope(of: self))
        finish(nil)
    }

    /// Called by the thread that has run the job, or has ended its waiting.
    private func finish(_ code: PoolError.Code?) {
        typealias Tasks = (
            first: UnsafeContinuation<Void, Never>?, others: [UnsafeContinuation<Void, Never>],
            admitted: UnsafeContinuation<Void, Never>?
        )
        let tasks = state.withLock { state -> Tasks in
            state.phase = .ended(code)
            return (state.waiter, state.otherWaiters, state.admission.take())
        }
        tasks.admitted?.resume()
        tasks.first?.resume()
        for task in tasks.others { task.resume() }
    }

    /// Called by the thread that has ended the waiting.
    private func leave() {
        hasLeft.store(true, ordering: .relaxed)
        pool.awaited?.leave(self)
        if options.deadline != nil { state.withLock { $0.timer.take() }?.cancel() }
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

    /// Ends the job if it waits. Returns whether it did.
    @discardableResult
    func end(_ code: PoolError.Code) -> Bool {
        let waiting = state.withLock { state -> (place: PoolJob?, tier: QoSTier)? in
            let waiting: (place: PoolJob?, tier: QoSTier)
            switch state.phase {
            case .suspended(let place, let tier), .placed(let place, let tier),
                .moving(from: let place, let tier, _, _):
                waiting = (place, tier)
            case .placing(let tier): waiting = (nil, tier)
            case .new, .running, .ending, .ended: return nil
            }
            state.phase = .ending(code)
            return waiting
        }
        guard let (place, tier) = waiting else { return false }
        if code == .expired { accounting(on: tier)?.countExpired() }
        leave()
        place?.cancel()
        body = nil
        finish(code)
        return true
    }

    /// The queue or lane of a tier has released the job. A thread that places or moves it finds out.
    private func drop(on tier: QoSTier) {
        let isOver = state.withLock { state in
            switch state.phase {
            case .placed(_, tier): return true
            case .moving(_, tier, _, _): state.isOriginDropped = true
            case .placing(tier), .moving(_, _, _, to: tier): state.isDropped = true
            default: break
            }
            return false
        }
        if isOver { endDropped() }
    }

    private func endDropped() { end(pool.refusalCode == .shutDown ? .shutDown : .cancelled) }

    private func startTimer(until deadline: Duration) {
        // Elsewhere, because resuming a task takes its lock, whose owner may wait for the supervisor.
        let timer = call(after: deadline - JobOptions.now) { [self] in
            runElsewhereInTurn { self.end(.expired) }
        }
        guard let timer else { return }
        let isLate = state.withLock { state in
            switch state.phase {
            case .suspended, .placing, .placed, .moving:
                state.timer = timer
                return false
            case .new, .running, .ending, .ended: return true
            }
        }
        if isLate { timer.cancel() }
    }

    // MARK: Moving

    /// Moves the job to a higher tier if it waits, whether or not there is room. It is placed there first; if
    /// that is refused, it stays.
    private func move(to tier: QoSTier) {
        let origin = state.withLock { state -> (place: PoolJob, tier: QoSTier)? in
            let (place, present, isSuspended): (PoolJob, QoSTier, Bool)
            switch state.phase {
            case .suspended(let call, let tier): (place, present, isSuspended) = (call, tier, true)
            case .placed(let job, let tier): (place, present, isSuspended) = (job, tier, false)
            case .placing(let present), .moving(_, _, _, to: let present):
                if tier > present { state.wish = max(tier, state.wish ?? tier) }
                return nil
            case .new, .running, .ending, .ended: return nil
            }
            guard tier > present else { return nil }
            state.phase = .moving(from: place, present, isSuspended: isSuspended, to: tier)
            return (place, present)
        }
        guard let origin else { return }
        let accounting = accounting(on: tier)
        accounting?.capacity?.takeAnyway()
        let new = send(to: tier, because: .priority(since: calledAt))
        if new == nil { accounting?.capacity?.giveBack() } else { accounting?.countMovedIn() }

        typealias Settled = (Move, admission: UnsafeContinuation<Void, Never>?, wish: QoSTier?)
        let (result, admission, wish) = state.withLock { state -> Settled in
            let result = state.settleMove(to: new, on: tier)
            defer {
                (state.wish, state.hasMissedRoom) = (nil, false)
                (state.isDropped, state.isOriginDropped) = (false, false)
            }
            return (result, result == .moved ? state.admission.take() : nil, state.wish)
        }
        if result == .moved {
            self.accounting(on: origin.tier)?.countMovedOut()
            origin.place.cancel()
        } else if let new {
            accounting?.countMovedOut()
            new.cancel()
        }
        admission?.resume()
        switch result {
        case .moved, .stayed: break
        case .hasRoom:
            let capacity = self.accounting(on: origin.tier)?.capacity
            capacity?.takeMissed()
            if !place(on: origin.tier, because: .room(since: calledAt)) {
                capacity?.leaveMissed()
                end(pool.refusalCode)
            }
        case .isNowhere: endDropped()
        }
        if let wish { move(to: wish) }
    }

    // MARK: Awaiting

    // A function that has its caller's isolation as a parameter makes the runtime compare executors at each
    // entry and return. One that inherits it does not.

    /// Waits until the job has ended, on the caller's executor. Cancelling the task cancels the job; a rise
    /// of its priority above that of the submission moves the job.
    @usableFromInline
    nonisolated(nonsending) func waitUntilEnded() async {
        #if os(Linux)
            if options.keyHash == nil, pool.hasTiers {
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
            case (.ended, _), (.placing, .admission), (.placed, .admission), (.running, .admission):
                return true
            case (_, .admission): state.admission = task
            case (_, .end):
                if state.waiter == nil { state.waiter = task } else { state.otherWaiters.append(task) }
            }
            return false
        }
        if isOver { task.resume() }
    }

    /// Throws the reason if the job has ended without a value.
    @usableFromInline
    func checkEnd() throws {
        guard case .ended(let code?) = state.withLock({ $0.phase }) else { return }
        if code == .cancelled, Task.isCancelled { throw CancellationError() }
        throw error(code)
    }
}
