import Synchronization

/// Lets the first of several callers do something. Relaxed: what that one uses is ordered elsewhere.
struct ClaimOnce: ~Copyable {
    private let isTaken = Atomic<Bool>(false)

    var isClaimed: Bool { isTaken.load(ordering: .relaxed) }

    /// True for the first call.
    @inline(__always)
    func claim() -> Bool { !isTaken.exchange(true, ordering: .relaxed) }
}
