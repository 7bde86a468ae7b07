public import Synchronization

/// The queues of a tier that belong to one NUMA node, with a counter of their own. Unordered jobs go to the
/// next queue in turn. A subclass submits jobs to a kind of queue.
@usableFromInline
class NodePartition<Queue: SerialQueue>: @unchecked Sendable {  // nothing in it changes but the atomic turns
    @usableFromInline final let queues: UnsafeMutableBufferPointer<Unmanaged<Queue>>
    @usableFromInline final let turns: RoundRobin

    init(_ queues: [Queue]) {
        self.queues = .allocate(capacity: queues.count)
        _ = self.queues.initialize(from: queues.map { .passRetained($0) })
        turns = RoundRobin(count: queues.count)
    }

    deinit {
        for queue in queues { queue.release() }
        queues.deallocate()
    }

    @inlinable @inline(__always)
    final var nextQueue: Queue { queues[turns.next()].takeUnretainedValue() }

    /// Submits a job that can be cancelled. Returns nil if it is refused.
    ///
    /// - Parameter queue: the number of its queue; nil: the job is unordered.
    @usableFromInline
    func submit(
        _ body: __owned @escaping @Sendable () -> Void, to queue: Int?, because reason: SubmissionReason
    ) -> PoolJob? {
        Self.isAbstract()
    }

    /// Submits a job that begins at a time, in nanoseconds of the pool's clock. Returns nil if it is refused.
    func submit(_ body: @escaping @Sendable () -> Void, to queue: Int?, at time: UInt64) -> PoolJob? {
        Self.isAbstract()
    }

    /// Submits a step of an actor to its queue, or an unordered step of a task: counted, never refused, since
    /// it must be able to continue.
    func submit(_ step: UnownedJob, of executor: any StepExecutor, to queue: Int?) { Self.isAbstract() }

    /// Submits an unordered release: counted, never refused, without a place of the tier's capacity.
    func submit(release body: @escaping @Sendable () -> Void) { Self.isAbstract() }

    var isCurrent: Bool { queues.contains { $0.takeUnretainedValue().isCurrent } }

    /// The intakes, which a shutdown closes.
    var intakes: [any JobIntake] { Self.isAbstract() }

    /// Ends the pool's own threads when they are idle; also joins them if asked, unless they run steps.
    func endThreads(joining isJoining: Bool) {}

    func add(to statistics: inout TierStatistics) { Self.isAbstract() }

    private static func isAbstract() -> Never { fatalError("each kind of partition does this") }
}

/// Deals the indices 0, 1, … count−1, 0, 1, … to any number of threads, exactly in turn.
///
/// A turn is one atomic increment and a remainder. Over k·count turns of any threads every index is dealt k
/// times, also when the counter wraps around, and for counts that are not powers of two.
///
/// **Invariant.** The index of a turn is `v mod count`, where `v` is the value that its increment replaced.
/// Increments replace consecutive values, so indices are consecutive modulo `count`. The counter jumps in one
/// place only, by `wrap`, a multiple of `count`: so residues never jump.
///
/// **Wrap-around.** The one turn that replaces the value `wrap` subtracts `wrap` from the counter. The turns
/// between its increment and its subtraction use values above `wrap` as they are. 64 bits cannot overflow
/// before that: `wrap` is below 2⁶², and 2⁶³ turns would have to happen meanwhile.
///
/// **Ordering.** Relaxed: the counter guards no other memory; the order of its own changes is total.
///
/// The counter has two cache lines to itself (x86 fetches lines in pairs), so that tiers do not slow each
/// other down. YYDispatchQueuePool's signed 32-bit counter skipped queues at the wrap-around.
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
