import Locks
import QueuePools

/// A place in which draws of one layer wait, the newest of them: first for memory, then for a thread of the
/// pool.
///
/// A newer draw takes the place over with its age and its rank. So a layer that is invalidated again and
/// again waits no longer than one that is invalidated once, and what waits is never stale. The pool's job is
/// for the place, and draws what it finds there.
///
/// Ordering: the lock orders the main actor, which exchanges draws, and the thread that takes one. A draw
/// leaves the place once, so either the main actor has it back or the thread draws it.
@MainActor
final class DrawPlace: @unchecked Sendable {  // all but `content` is the main actor's
    private enum Stage {
        /// The budget has no room yet.
        case waitingForMemory
        /// In the pool, or drawn by now; the job is nil if the pool refused it.
        case submitted(PoolJob?)
        /// The main actor has taken the draw out.
        case left
    }

    private struct Content {
        var draw: Draw?
        /// The number of the job in the pool for which the draw waits; while there is none, of the next.
        var job = 1
        /// The number of the last job that was released without having found a draw.
        var droppedJob = 0
    }

    private nonisolated let content: Lock<Content>
    private let host: DisplayHost
    let since: Duration
    private var jobCount = 0
    /// The bytes that are, or will be, charged to the budget for the draw.
    private(set) var byteCount: Int
    private(set) var tier: QoSTier
    /// The tier before it was demoted.
    private(set) var wantedTier: QoSTier
    @exclusivity(unchecked) private var stage = Stage.waitingForMemory
    private var isDemotable: Bool
    /// Where the place is in the budget's waiting list while it waits for memory, and when it came.
    @exclusivity(unchecked) var waitingListEntry = MemoryBudget.Entry()

    /// A place for a draw that is to be drawn.
    init(for draw: Draw) {
        content = Lock(Content(draw: draw))
        host = draw.pipeline.host
        since = draw.requestedAt
        byteCount = draw.byteCount
        tier = draw.task.tier
        wantedTier = tier
        isDemotable = !draw.isMoved
    }

    /// There is memory.
    func submit() {
        jobCount += 1
        let job = DrawJob(of: self, jobCount)
        do {
            stage = .submitted(try host.pool.async(qos: tier) { job.run() })
        } catch {
            stage = .submitted(nil)
            take()?.refuse(error)
        }
        extendLifetime(job)
    }

    /// Takes a job off the pool; false if it runs, has run, or was dropped.
    private func cancel(_ job: PoolJob?) -> Bool {
        // So that the job, which is released now, is not mistaken for one that the pool has dropped.
        content.withLock { $0.job = jobCount + 1 }
        if job?.cancel() == true { return true }
        let isDropped = content.withLock { content in
            content.job = jobCount
            return content.droppedJob == jobCount
        }
        if isDropped { take()?.refuse(DisplayError.poolDroppedDraw) }
        return false
    }

    nonisolated func take() -> Draw? { content.withLock { $0.draw.take() } }

    /// A job was released. If its draw still waits, the pool has dropped it.
    nonisolated func jobIsGone(_ number: Int) {
        content.withLock { content in
            if content.job == number { return content.draw.take() }
            content.droppedJob = number
            return nil
        }?.refuse(DisplayError.poolDroppedDraw)
    }

    /// True until a thread or the main actor takes the draw.
    var isWaiting: Bool {
        if case .left = stage { false } else { content.withLock { $0.draw != nil } }
    }

    /// Puts a newer draw in the place of an older one; false if a thread has begun that.
    func exchange(_ older: Draw, for newer: Draw) -> Bool {
        let (former, bytes) = (byteCount, newer.byteCount)
        switch stage {
        case .waitingForMemory:
            guard replace(older, with: newer) else { return false }
            byteCount = bytes
            host.budget.startWhatFits()
        case .submitted where bytes <= former || host.budget.fits(bytes - former):
            guard replace(older, with: newer) else { return false }
            byteCount = bytes
            if bytes > former {
                host.budget.charge(bytes: bytes - former)
            } else {
                host.budget.release(bytes: former - bytes)
            }
        case .submitted(let job):
            // Waits for memory again, in the order of its age.
            guard cancel(job), replace(older, with: newer) else { return false }
            stage = .waitingForMemory
            byteCount = bytes
            host.budget.release(bytes: former)
            host.budget.admit(self)
        case .left:
            return false
        }
        if newer.isMoved { isDemotable = false }
        if newer.task.tier != older.task.tier {
            wantedTier = newer.task.tier
            change(to: wantedTier)
        }
        return true
    }

    /// Takes a draw out; false if a thread has begun it. Nothing waits here then.
    func withdraw(_ owner: Draw) -> Bool {
        guard replace(owner, with: nil) else { return false }
        let former = stage
        stage = .left
        host.forgetStarted()
        switch former {
        case .waitingForMemory: host.budget.withdraw(self)
        case .submitted(let job):
            job?.cancel()
            host.budget.release(bytes: byteCount)
        case .left: break
        }
        return true
    }

    private func replace(_ older: Draw, with newer: Draw?) -> Bool {
        content.withLock { content in
            guard content.draw === older else { return false }
            content.draw = newer
            return true
        }
    }

    /// Moves the draw to a tier, if it waits; a draw that several layers share is only raised. It keeps that
    /// tier then.
    func move(to tier: QoSTier) {
        isDemotable = false
        change(to: tier)
        wantedTier = self.tier
    }

    /// Raises the draw to a tier, if it waits. It is not demoted any more.
    func raise(to tier: QoSTier) { move(to: max(tier, self.tier)) }

    /// Lets newer draws go first, once, unless the program has chosen this one's tier.
    func demote() {
        guard isDemotable, let lower = QoSTier(rawValue: tier.rawValue - 1) else { return }
        isDemotable = false
        change(to: lower)
    }

    private func change(to tier: QoSTier) {
        guard tier != self.tier, let draw = content.withLock({ $0.draw }), tier > self.tier || !draw.isShared
        else {
            return
        }
        switch stage {
        case .waitingForMemory:
            self.tier = tier
            host.budget.moveToTier(self)
        case .submitted(let job):
            guard cancel(job) else { return }
            self.tier = tier
            submit()
        case .left:
            break
        }
    }
}

/// The pool's job of a place. A pool that is shut down may drop it; then the draw is refused.
private final class DrawJob: Sendable {
    private let place: DrawPlace
    private let number: Int

    init(of place: DrawPlace, _ number: Int) {
        self.place = place
        self.number = number
    }

    deinit { place.jobIsGone(number) }

    func run() { place.take()?.run() }
}
