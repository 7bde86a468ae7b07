import Synchronization

/// The state that the loops of a tier share. Relaxed: the counts order nothing.
final class TierLoops: Sendable {
    private static let shortLoopsInRow = 4

    /// How many threads can take part in a loop, with its caller.
    let threadLimit: Int
    /// The helpers in each of the tier's partitions.
    let partitions: [LoopHelpers]
    private let shortLoops = Atomic<Int>(0)

    /// - Parameter threadCounts: how many threads each partition of the tier has.
    init(threadCounts: [Int]) {
        threadLimit = threadCounts.reduce(0, +)
        partitions = threadCounts.map { LoopHelpers(threadCount: $0) }
    }

    /// Whether the next loop probably ends before a thread would be awake to help.
    var expectsShortLoop: Bool { shortLoops.load(ordering: .relaxed) == Self.shortLoopsInRow }

    func note(isShort: Bool) {
        let count = shortLoops.load(ordering: .relaxed)
        let new = isShort ? min(count + 1, Self.shortLoopsInRow) : 0
        if new != count { shortLoops.store(new, ordering: .relaxed) }
    }
}

/// The helpers on the threads of a partition: its own, of loops whose callers are on its node, and guests, of
/// loops elsewhere.
///
/// A partition of *n* threads has at most *n* − 1 helpers of its own, because a caller takes part. They may
/// take threads from guests: a guest that finds more helpers than threads leaves at the end of its chunk. So
/// a loop has the threads of its node, and those of other nodes while no loop there needs them.
///
/// Relaxed, and each count for itself: the counts order nothing, and if a guest comes at the same time as a
/// helper of the partition's own, there is one too many until it leaves.
final class LoopHelpers: Sendable {
    private let threadCount: Int
    private let own = Atomic<Int>(0)
    private let guests = Atomic<Int>(0)

    init(threadCount: Int) { self.threadCount = threadCount }

    /// Takes a place for one more helper. Returns nil if there is none.
    func takePlace(isGuest: Bool) -> HelperPlace? {
        guard isGuest ? takeGuest() : takeOwn() else { return nil }
        return HelperPlace(of: self, isGuest: isGuest)
    }

    private func takeOwn() -> Bool {
        guard own.load(ordering: .relaxed) < threadCount - 1 else { return false }
        if own.wrappingAdd(1, ordering: .relaxed).newValue < threadCount { return true }
        giveBack(isGuest: false)
        return false
    }

    private func takeGuest() -> Bool {
        guard guests.load(ordering: .relaxed) < guestLimit else { return false }
        if guests.wrappingAdd(1, ordering: .relaxed).newValue <= guestLimit { return true }
        giveBack(isGuest: true)
        return false
    }

    /// How many guests there is room for, beside the partition's own helpers and the caller of these.
    private var guestLimit: Int {
        let own = own.load(ordering: .relaxed)
        return own > 0 ? threadCount - 1 - own : threadCount
    }

    fileprivate func giveBack(isGuest: Bool) {
        if isGuest {
            guests.wrappingSubtract(1, ordering: .relaxed)
        } else {
            own.wrappingSubtract(1, ordering: .relaxed)
        }
    }

    /// Gives a guest's place back, if there are too many guests.
    fileprivate func giveBackExcess() -> Bool {
        var seen = guests.load(ordering: .relaxed)
        while seen > guestLimit {
            let exchange = guests.weakCompareExchange(expected: seen, desired: seen - 1, ordering: .relaxed)
            if exchange.exchanged { return true }
            seen = exchange.original
        }
        return false
    }

    /// Calls a closure during which a caller of the partition's node is idle, so that one more thread may
    /// help a loop.
    func whileIdle(_ body: () -> Void) {
        giveBack(isGuest: false)
        body()
        own.wrappingAdd(1, ordering: .relaxed)
    }
}

/// The place of a helper among those of its partition. It is given back once: by the helper, or when its
/// closure is released without a call, because it was cancelled, refused, or dropped by its queue.
struct HelperPlace: ~Copyable, Sendable {
    private let helpers: LoopHelpers
    private let isGuest: Bool
    private let isGivenBack = ClaimOnce()

    fileprivate init(of helpers: LoopHelpers, isGuest: Bool) {
        self.helpers = helpers
        self.isGuest = isGuest
    }

    deinit { giveBack() }

    func giveBack() { if isGivenBack.claim() { helpers.giveBack(isGuest: isGuest) } }

    /// Gives the place back if it is a guest's, and the partition's own loops need the thread.
    func giveBackIfNeeded() -> Bool {
        guard isGuest, helpers.giveBackExcess() else { return false }
        return isGivenBack.claim()
    }
}
