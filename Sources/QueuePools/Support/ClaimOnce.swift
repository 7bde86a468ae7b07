import Synchronization

/// A flag that one of several callers claims. Relaxed, because the claimant's data are ordered elsewhere.
struct ClaimOnce: ~Copyable {
    private let isTaken = Atomic<Bool>(false)

    var isClaimed: Bool { isTaken.load(ordering: .relaxed) }

    /// True for the first call.
    @inline(__always)
    func claim() -> Bool { !isTaken.exchange(true, ordering: .relaxed) }
}
