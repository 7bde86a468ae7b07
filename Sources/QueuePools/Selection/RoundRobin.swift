public import Synchronization

/// Deals the indices 0, 1, … count−1, 0, 1, … to any number of threads, exactly in turn.
///
/// A turn is one atomic increment and a remainder. Over k·count turns every index is dealt k times, whoever
/// asks, and that stays true when the counter wraps around, for counts that are not powers of two as well.
///
/// **Invariant.** The index of a turn is `v mod count`, where `v` is the value that its increment replaced.
/// Increments replace consecutive values, so indices are consecutive modulo `count`, unless the counter
/// jumps. It jumps in one place only, by `wrap`, a multiple of `count`: so residues never jump.
///
/// **Wrap-around.** The one turn that replaces the value `wrap` takes `wrap` off the counter. The turns that
/// come between its increment and its subtraction see values above `wrap` and use them as they are. 64 bits
/// cannot overflow before it comes: `wrap` is below 2⁶², and 2⁶³ turns would have to happen meanwhile.
///
/// **Ordering.** Relaxed throughout: the counter guards no other memory; only its own modification order
/// counts, and that is total for a single atomic however it is ordered.
///
/// The counter has two cache lines to itself (x86 fetches lines in pairs), so that tiers do not slow each
/// other down. What it replaces: YYDispatchQueuePool's signed 32-bit counter, negated when negative, which is
/// undefined at the smallest integer and skips queues at the wrap-around.
@usableFromInline
struct RoundRobin: ~Copyable, @unchecked Sendable {  // the counter is atomic; the rest never changes
    private static let isolation = 128

    @usableFromInline let counter: UnsafeMutablePointer<Atomic<UInt64>>
    @usableFromInline let count: UInt64
    @usableFromInline let wrap: UInt64

    /// - Parameters:
    ///   - count: how many indices are dealt, at least 1.
    ///   - first: the counter's first value; tests start just below the wrap-around.
    ///   - limit: about where the counter wraps around.
    init(count: Int, startingAt first: UInt64 = 0, wrappingBelow limit: UInt64 = 1 << 62) {
        self.count = UInt64(count)
        wrap = limit - limit % self.count
        counter = UnsafeMutableRawPointer.allocate(byteCount: Self.isolation, alignment: Self.isolation)
            .bindMemory(to: Atomic<UInt64>.self, capacity: 1)
        counter.initialize(to: Atomic(first))
    }

    deinit {
        counter.deinitialize(count: 1)
        counter.deallocate()
    }

    @inlinable @inline(__always)
    func next() -> Int {
        let value = counter.pointee.wrappingAdd(1, ordering: .relaxed).oldValue
        if value == wrap { counter.pointee.wrappingSubtract(wrap, ordering: .relaxed) }
        return Int(truncatingIfNeeded: value % count)
    }
}
