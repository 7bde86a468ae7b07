import QueuePoolsLocks
import QueuePools
import QueuePoolsSentinels

/// A drawing in flight: waits for memory, then for a thread of the pool, is drawn, and comes back. Its
/// picture is for the passes that have *subscribed*: one, or several of layers that want the same.
///
///     waits for memory ──► waits in the pool ──► drawn by a thread ──► received
///         │   ▲ ▲              │                   │
///         │   │ └── ``replace``┤  a newer plan that needs more memory
///         │   └────────────────┼───────────────────┘  a composition, which the thread has planned
///         └───── ``leave`` ────┴──► withdrawn, when the last subscriber leaves
///
/// - **Replace**: a newer pass of the layer puts its plan in the place of the older one's, with the age and
///   the rank of the drawing. So a layer that is invalidated again and again waits no longer than one that is
///   invalidated once, and what waits is never stale.
/// - **Move**: the tier is the highest of the subscribers'. The job is submitted to the other tier first and
///   cancelled afterwards; if the other tier refuses it, the drawing keeps its place.
/// - **Leave**: a subscriber no longer wants the picture. The last one withdraws a drawing that waits, and
///   stops one that has begun.
/// - **Compositions** are admitted without bytes: the thread plans them, and takes the bytes. If there is no
///   room, the drawing waits for memory after all, in the order of its arrival, with the plan and its bytes.
///
/// **The pool drops jobs** when it is shut down. A job that is released decrements `DrawSlot.jobs`; if none
/// is left and the plan is still there, no thread will ever take it, and the drawing comes back with an
/// error. A move has two jobs for a moment, so it needs no rule of its own.
///
/// **Ordering.** The lock of `slot` orders the main actor, which puts plans in and takes them out, and the
/// thread that takes one. A plan leaves the slot once, so either the main actor has it back, or one thread
/// draws it. That thread leaves a sentinel in its place, by which the main actor can stop it.
@MainActor
final class Drawing {
    private enum Phase {
        /// The budget has no room yet.
        case waitingForMemory(DrawPlan)
        /// In the pool; drawn, or being drawn, if the slot is empty. No job if the pool refused it.
        case submitted(PoolJob?)
        /// Received or withdrawn.
        case ended

        /// Takes the plan of a drawing that waits for memory, which is submitted then, without a job yet.
        mutating func beginSubmission() -> DrawPlan? {
            guard case .waitingForMemory = self else { return nil }
            var former = Phase.submitted(nil)
            swap(&self, &former)
            return if case .waitingForMemory(let plan) = former { plan } else { nil }
        }
    }

    nonisolated let host: DisplayHost
    /// When what waits in this place first was requested.
    let since: Duration
    private nonisolated let slot: Lock<DrawSlot>
    @exclusivity(unchecked) private var phase: Phase
    @exclusivity(unchecked) private var subscribers: Subscribers
    /// True once no pass wants the picture that is being drawn.
    @exclusivity(unchecked) private var isStopped = false
    /// The bytes that are, or will be, charged to the budget before a thread draws.
    @exclusivity(unchecked) private(set) var byteCount: Int
    /// In the backlog, from its beginning to its end.
    @exclusivity(unchecked) private(set) var tier: QoSTier
    @exclusivity(unchecked) private var isDemotable: Bool
    @exclusivity(unchecked) private var isDemoted = false
    /// Where it is in the budget's waiting list while it waits for memory, and when it came.
    @exclusivity(unchecked) var waitingListEntry = MemoryBudget.Entry()

    /// Begins to wait for a pass.
    ///
    /// - Parameter mayDemoteOthers: see `Demotion.beginWaiting`.
    convenience init(_ plan: consuming DrawPlan, for pass: LayerPass, mayDemoteOthers: Bool) {
        self.init(plan, Subscribers(pass), since: pass.requestedAt, isDemotable: !pass.isMoved)
        pass.phase = .subscribed(self)
        beginFlight(pass.key, of: pass.pipeline)
        begin(mayDemoteOthers: mayDemoteOthers)
    }

    private init(
        _ plan: consuming DrawPlan, _ subscribers: consuming Subscribers, since: Duration, isDemotable: Bool
    ) {
        host = plan.pipeline.host
        slot = Lock(DrawSlot())
        byteCount = plan.byteCount
        phase = .waitingForMemory(plan)
        tier = subscribers.highestTier
        (self.subscribers, self.since, self.isDemotable) = (subscribers, since, isDemotable)
    }

    private func begin(mayDemoteOthers: Bool) {
        host.demotion.beginWaiting(self, mayDemoteOthers: mayDemoteOthers)
        host.backlog.enter(tier)
        host.budget.admit(self)
    }

    // MARK: Waiting

    /// There is memory.
    func submit() {
        var plan = phase.beginSubmission()
        guard plan != nil else { return }
        slot.withLock { slot in
            slot.plan = plan.take()
            slot.jobs += 1
        }
        let job = DrawJob(of: self)
        do {
            phase = .submitted(try host.pool.async(qos: tier) { job.run() })
        } catch {
            takePlan().map { refuse($0, error) }
        }
        extendLifetime(job)
    }

    /// True until a thread or the main actor takes the plan.
    var isWaiting: Bool {
        switch phase {
        case .waitingForMemory: true
        case .submitted: slot.withLock { $0.plan != nil }
        case .ended: false
        }
    }

    private nonisolated func takePlan(leaving sentinel: Sentinel? = nil) -> DrawPlan? {
        slot.withLock { slot in
            if slot.plan != nil { slot.sentinel = sentinel }
            return slot.plan.take()
        }
    }

    /// Puts the plan of a newer pass of the layer in the place of an older one's. Returns false if a thread
    /// has begun. Passes of other layers that want the former picture wait for it in a new place.
    func replace(_ older: LayerPass, by newer: LayerPass, _ plan: DrawPlan) -> Bool {
        // A composition that is not planned keeps the bytes: else each newer pass would wait from the start.
        let plan = plan.work.isComposition ? DrawPlan(plan, work: plan.work, byteCount: byteCount) : plan
        let (former, isSubmitted): (DrawPlan?, Bool)
        switch phase {
        case .waitingForMemory(let waiting):
            (former, isSubmitted) = (waiting, false)
            phase = .waitingForMemory(plan)
        case .submitted(let job):
            let more = max(0, plan.byteCount - byteCount)
            let fits = host.budget.takes(bytes: more)
            (former, isSubmitted) = (slot.withLock { $0.exchange(for: fits ? plan : nil) }, true)
            if former == nil, fits, more > 0 { host.budget.release(bytes: more) }
            if former != nil, !fits {
                job?.cancel()
                phase = .waitingForMemory(plan)
            }
        case .ended: (former, isSubmitted) = (nil, true)
        }
        guard let former else { return false }
        var others = subscribers
        others.remove(older)
        if others.count == 0 { endWaiting(former) } else { endFlight(former) }
        beginFlight(plan.key, of: plan.pipeline)
        let (wantedTier, formerByteCount, wasDemotable) = (older.task.qos, byteCount, isDemotable)
        older.task.qos = tier
        byteCount = plan.byteCount
        subscribers = Subscribers(newer)
        newer.phase = .subscribed(self)
        if newer.isMoved { isDemotable = false }
        if newer.task.qos != wantedTier { isDemoted = false }
        if !isSubmitted {
            host.budget.startWhatFits()
        } else if case .submitted = phase {
            host.budget.release(bytes: max(0, formerByteCount - byteCount))
        } else {
            // In the order of its age: before others can take the bytes that are released.
            host.budget.admit(self)
            host.budget.release(bytes: formerByteCount)
        }
        changeTier()
        // Last: it takes from the budget.
        if others.count > 0 {
            let drawing = Drawing(former, others, since: since, isDemotable: wasDemotable)
            drawing.subscribers.forEach { $0.phase = .subscribed(drawing) }
            drawing.waitingListEntry.arrival = waitingListEntry.arrival
            drawing.beginFlight(former.key, of: former.pipeline)
            drawing.begin(mayDemoteOthers: false)
        }
        return true
    }

    /// The plan was taken by the main actor.
    private func endWaiting(_ plan: DrawPlan) {
        endFlight(plan)
        host.signposts?.end(.waiting, of: plan.id)
        host.append(.release(plan))
    }

    /// Passes of other layers can subscribe from now on.
    private func beginFlight(_ key: PictureKey?, of pipeline: DisplayPipeline) {
        if let key { pipeline.cache?.begin(self, for: key) }
    }

    /// None can any more.
    private func endFlight(_ plan: DrawPlan) {
        if let key = plan.key { plan.pipeline.cache?.end(self, for: key) }
    }

    // MARK: Tiers

    /// The highest tier of the subscribers.
    var wantedTier: QoSTier { subscribers.highestTier }

    /// A subscriber is wanted on another tier: then the drawing is not demoted any more.
    func move(_ pass: LayerPass, to tier: QoSTier) {
        subscribers.setTier(tier, of: pass)
        (isDemotable, isDemoted) = (false, false)
        changeTier()
    }

    /// Lets newer draws go first, once, unless the program has chosen its tier, or layers share it.
    func demote() {
        guard isDemotable, subscribers.count == 1 else { return }
        (isDemotable, isDemoted) = (false, true)
        changeTier()
    }

    private func changeTier() {
        let next = isDemoted ? QoSTier(rawValue: wantedTier.rawValue - 1) ?? wantedTier : wantedTier
        guard next != tier else { return }
        switch phase {
        case .waitingForMemory:
            enterTier(next)
            host.budget.moveToTier(self)
        case .submitted(let former):
            guard isWaiting else { return }
            slot.withLock { $0.jobs += 1 }
            let job = DrawJob(of: self)
            guard let submitted = try? host.pool.async(qos: next, { job.run() }) else { return }
            phase = .submitted(submitted)
            // If it runs already, it draws, on the tier where it was.
            if former?.cancel() ?? true { enterTier(next) }
        case .ended: break
        }
    }

    private func enterTier(_ next: QoSTier) {
        host.backlog.leave(tier)
        tier = next
        host.backlog.enter(next)
    }

    // MARK: Subscribers

    /// Whether a pass can subscribe that would wait in a drawing of its own otherwise.
    func canBeJoined(insteadOf own: Drawing?) -> Bool {
        if case .ended = phase { return false }
        guard !isStopped else { return false }
        guard let own, isWaiting, own.isWaiting else { return true }
        // In its own place the newer closure is drawn. One that has waited for longer is not given up.
        return own === self ? subscribers.count > 1 : own.since >= since
    }

    func subscribe(_ pass: LayerPass) {
        subscribers.append(pass)
        pass.phase = .subscribed(self)
        if pass.isMoved { isDemotable = false }
        isDemoted = false
        changeTier()
    }

    /// A pass no longer wants the picture. Returns false if it is being drawn for that pass alone.
    func leave(_ pass: LayerPass) -> Bool {
        if subscribers.count == 1 {
            guard withdraw() else { return false }
            subscribers.remove(pass)
            pass.task.qos = tier
        } else {
            subscribers.remove(pass)
            pass.task.qos = tier
            changeTier()
        }
        return true
    }

    /// Ends a drawing that has not begun. Returns false if it has.
    private func withdraw() -> Bool {
        switch phase {
        case .waitingForMemory(let plan):
            phase = .ended
            endWaiting(plan)
            host.budget.withdraw(self)
        case .submitted(let job):
            guard let plan = takePlan() else { return false }
            phase = .ended
            endWaiting(plan)
            job?.cancel()
            host.budget.release(bytes: byteCount)
        case .ended: return false
        }
        host.backlog.leave(tier)
        host.demotion.forgetStarted()
        return true
    }

    /// Stops the drawing, which has begun.
    func stop() {
        isStopped = true
        slot.withLock { $0.sentinel }?.increase()
    }

    /// False if it is drawn already: then stopping comes too late.
    var canBeStopped: Bool { slot.withLock { $0.sentinel != nil } }

    // MARK: Drawing

    /// Draws, if a plan waits; called on a pool thread, by a job.
    nonisolated func run() {
        // Made and released here, and not on the main thread, which needs none before.
        let sentinel = Sentinel()
        guard let plan = takePlan(leaving: sentinel) else { return }
        host.post(draw(consume plan, sentinel), of: self)
    }

    /// Draws a plan; or returns it with its bytes, if there is no room for those.
    private nonisolated func draw(_ plan: consuming DrawPlan, _ sentinel: Sentinel) -> DrawProduct {
        let (id, byteCount) = (plan.id, plan.byteCount)
        do { plan = try plan.prepared() } catch {
            host.signposts?.end(.waiting, of: id)
            return DrawProduct(plan: plan, result: .failed(error), times: nil)
        }
        guard host.budget.takes(bytes: plan.byteCount - byteCount) else {
            return DrawProduct(plan: plan, result: .lacksMemory, times: nil)
        }
        host.signposts?.end(.waiting, of: id)
        let product = DrawPlan.draw(plan, sentinel)
        slot.withLock { $0.sentinel = nil }
        return product
    }

    /// Comes back without having been drawn: later, as every drawing does, and not to a caller that is still
    /// beginning the pass.
    private nonisolated func refuse(_ plan: consuming DrawPlan, _ error: any Error) {
        host.signposts?.end(.waiting, of: plan.id)
        host.post(DrawProduct(plan: consume plan, result: .failed(error), times: nil), of: self)
    }

    /// A job has run or was dropped.
    nonisolated func jobEnds() {
        let dropped = slot.withLock { slot in
            slot.jobs -= 1
            return slot.jobs == 0 ? slot.plan.take() : nil
        }
        if let dropped { refuse(dropped, DisplayError.poolDroppedDraw) }
    }

    /// Comes back to the main actor: each subscriber gets the picture.
    func receive(_ product: consuming DrawProduct) {
        if case .lacksMemory = product.result { return waitForMemory(product.plan) }
        byteCount = product.plan.byteCount
        phase = .ended
        host.backlog.leave(tier)
        endFlight(product.plan)
        product.plan.keep(product.result)
        host.budget.release(bytes: byteCount)
        let passes = subscribers.takeAll()
        // One report has the time of the drawing, so that sums are right.
        let reporter = passes.first { $0.id == product.plan.id } ?? passes.first { _ in true }
        if case .finished = product.result, let times = product.times, reporter?.isDraft == false {
            host.backlog.drew(in: times.end - times.start)
        }
        // Before the first of them is shown, which may show others of its group. It holds the picture in
        // place of the drawing.
        var isHeld = false
        passes.forEach { pass in
            pass.task.qos = tier
            guard case .finished(let picture) = product.result else { return pass.phase = .ready(nil) }
            pass.phase = .ready(isHeld ? picture.hold() : picture)
            isHeld = true
        }
        passes.forEach { $0.pipeline.receive(product, of: $0) }
        if case .finished(let picture) = product.result {
            if !isHeld { host.discard(picture) }
            host.signposts?.end(.committing, of: product.plan.id)
        }
        // Reports come when the call that receives has ended.
        reporter?.product = product
    }

    /// There was no room for the bytes of a planned composition. One that was stopped does not wait for them.
    private func waitForMemory(_ plan: DrawPlan) {
        slot.withLock { $0.sentinel = nil }
        guard !isStopped else {
            host.signposts?.end(.waiting, of: plan.id)
            let plan = DrawPlan(plan, work: plan.work, byteCount: byteCount)
            return receive(DrawProduct(plan: plan, result: .stopped(.waiting), times: nil))
        }
        let reserved = byteCount
        phase = .waitingForMemory(plan)
        byteCount = plan.byteCount
        host.budget.admit(self)
        host.budget.release(bytes: reserved)
        changeTier()
    }
}
