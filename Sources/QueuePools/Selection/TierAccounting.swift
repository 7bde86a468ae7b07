import Synchronization

/// The counts of a tier, beside those of each of its queues.
///
/// Queues know of an awaited job only that it began, or was cancelled. Its other ends are counted here,
/// relaxed, as a correction of their figures: a job that was cancelled in its queue may have expired or
/// moved, and one that its queue began may have been void (``AwaitedJob``).
final class TierAccounting: Sendable {
    let tier: QoSTier
    let waits = TimeHistogram()
    let runs = TimeHistogram()
    /// Nil if any number of jobs may wait.
    let capacity: JobCapacity?
    /// Whether a job keeps its place when it begins, as in a pipeline's gate.
    let keepsPlaces: Bool
    let awaited: AwaitedJobs
    private let limit: Int?
    /// The task-local values that jobs of the pool carry.
    let carrier: TaskLocalCarrier?
    let time: PoolTime

    private let refused = Atomic<Int>(0)
    private let expired = Atomic<Int>(0)
    private let void = Atomic<Int>(0)
    private let movedIn = Atomic<Int>(0)
    private let movedOut = Atomic<Int>(0)

    init(
        _ tier: QoSTier, capacity: Int? = nil, awaited: AwaitedJobs = AwaitedJobs(),
        carrier: TaskLocalCarrier? = nil, time: PoolTime = PoolTime(clock: nil), keepsPlaces: Bool = false
    ) {
        self.keepsPlaces = keepsPlaces
        self.tier = tier
        limit = capacity
        self.capacity = capacity.map { JobCapacity($0) }
        self.awaited = awaited
        self.carrier = carrier
        self.time = time
    }

    func countRefused() { refused.wrappingAdd(1, ordering: .relaxed) }
    func countExpired() { expired.wrappingAdd(1, ordering: .relaxed) }
    func countVoid() { void.wrappingAdd(1, ordering: .relaxed) }
    func countMovedIn() { movedIn.wrappingAdd(1, ordering: .relaxed) }
    func countMovedOut() { movedOut.wrappingAdd(1, ordering: .relaxed) }

    /// Reads the counts, and returns a function that corrects the figures of queues, which are read later.
    ///
    /// Calls that wait for room count as submitted, and those that ended before they were accepted as
    /// cancelled, expired or moved.
    func corrections() -> (inout TierStatistics) -> Void {
        let (refused, void) = (refused.load(ordering: .relaxed), void.load(ordering: .relaxed))
        let expired = expired.load(ordering: .relaxed)
        let (movedIn, movedOut) = (movedIn.load(ordering: .relaxed), movedOut.load(ordering: .relaxed))
        let waiting = capacity?.waitingCalls ?? (present: 0, ended: 0)
        return { [limit] statistics in
            statistics.capacity = limit
            statistics.refused = refused
            statistics.expired = expired
            (statistics.movedIn, statistics.movedOut) = (movedIn, movedOut)
            statistics.waitingForRoom = waiting.present
            statistics.submitted += waiting.present + waiting.ended - movedIn
            statistics.finished = max(0, statistics.finished - void)
            statistics.cancelled = max(
                0, statistics.cancelled + waiting.ended + void - expired - movedOut)
        }
    }
}
