import Dispatch
import QueuePoolsLocks
import Synchronization

extension QueuePool {
    /// Calls a closure with each number of a range, on the calling thread and on free threads of a tier, and
    /// returns when all calls have.
    ///
    ///     pool.forEach(0..<rows.count, qos: .userInitiated) { row in sums[row] = sum(rows[row]) }
    ///
    /// The calling thread takes part, and never waits for a job that has not begun: so a loop makes progress
    /// whatever the pool does, also in a job of the same tier, in another loop's closure, or if the pool is
    /// full, shut down, or has no thread. At the end the caller waits for the calls that other threads have
    /// begun. In a task, prefer ``run(forEach:qos:chunk:_:)`` if a chunk takes long.
    ///
    /// Threads take chunks of the range in ascending order. All loops of a tier together have one helper less
    /// than the tier has queues; a helper is an unordered job, and is cancelled if the loop ends before it
    /// begins. After several loops of a tier that each took a few microseconds, the next one begins without
    /// helpers, and calls them when it has taken as long. So no call may wait for another call.
    ///
    /// The caller's task-local values and priority hold for its own calls only. The closure must not wait for
    /// the queue or actor that the caller runs on, unless that is by `forEach`.
    ///
    /// - Parameters:
    ///   - range: the numbers; may be empty.
    ///   - qos: the tier whose threads help; not below the caller's own, because the caller waits for them.
    ///   - chunk: how many numbers a thread takes at a time; less than 1 counts as 1. Default: as many as
    ///     take some 50 µs, and fewer towards the end.
    ///   - body: called once for each number, on several threads at once.
    /// - Throws: the first error that the closure throws. No chunks are taken after it; those that other
    ///   threads have taken are finished, unless the closure throws there, too. Cancelling the caller's task
    ///   does not end the loop. A closure that calls `try Task.checkCancellation()` does, because the task is
    ///   there in the caller's own calls.
    /// - Complexity: less than 1 µs beside the closure's calls; some 2 µs more for each thread that is woken.
    @inlinable
    public func forEach<Failure: Error>(
        _ range: Range<Int>, qos: QoSTier, chunk: Int? = nil,
        _ body: @Sendable (Int) throws(Failure) -> Void
    ) throws(Failure) {
        try forEachChunk(of: range, qos: qos, size: chunk) { (numbers) throws(Failure) in
            for number in numbers { try body(number) }
        }
    }

    /// Calls a closure with each chunk of a range, as ``forEach(_:qos:chunk:_:)`` calls one with each number.
    ///
    ///     pool.forEachChunk(of: 0..<height, qos: .userInitiated) { rows in blur(image, rows) }
    ///
    /// Suits calls of some nanoseconds: a loop within the closure can be optimized together with its callees.
    @inlinable
    public func forEachChunk<Failure: Error>(
        of range: Range<Int>, qos: QoSTier, size: Int? = nil,
        _ body: @Sendable (Range<Int>) throws(Failure) -> Void
    ) throws(Failure) {
        do {
            try runLoop(over: range, qos: qos, chunk: size) { numbers in try body(numbers) }
        } catch {
            throw error as! Failure  // the closure's
        }
    }

    /// Calls a closure with each number of a range, on free threads of a tier, while the task is suspended.
    ///
    /// The loop begins as a job of `run`, in which it is a ``forEach(_:qos:chunk:_:)``.
    ///
    /// - Parameters:
    ///   - range: the numbers; may be empty.
    ///   - qos: the tier. Default: that of the task's priority, ``QoSTier/init(priority:)``.
    ///   - chunk: how many numbers a thread takes at a time, as in ``forEach(_:qos:chunk:_:)``.
    ///   - body: called once for each number, on several threads at once.
    /// - Throws: the first error that the closure throws; ``PoolError`` as ``async(qos:_:)``;
    ///   `CancellationError` if the task is cancelled before the last chunk is taken. All calls have
    ///   returned.
    nonisolated(nonsending) public func run(
        forEach range: Range<Int>, qos: QoSTier? = nil, chunk: Int? = nil,
        _ body: @escaping @Sendable (Int) throws -> Void
    ) async throws {
        let tier = qos ?? QoSTier(priority: Task.currentPriority)
        let cancellation = ClaimOnce()
        try await withTaskCancellationHandler {
            try await run(qos: qos) { [self] in
                try runLoop(over: range, qos: tier, chunk: chunk) { numbers in
                    if cancellation.isClaimed { throw CancellationError() }
                    for number in numbers { try body(number) }
                }
            }
        } onCancel: {
            _ = cancellation.claim()
        }
    }

    @usableFromInline
    func runLoop(
        over range: Range<Int>, qos: QoSTier, chunk: Int?, _ body: @Sendable (Range<Int>) throws -> Void
    ) throws {
        let tier = loops[qos.rawValue]
        let rest = tier.expectsShortLoop ? try tier.runBeginning(of: range, chunk: chunk, body) : range
        guard !rest.isEmpty else { return }
        try withoutActuallyEscaping(body) { body in
            try withUnsafePointer(to: Loop.Body(call: body)) { body in
                try Loop(rest, chunk: chunk, on: qos, of: self, tier, body).run()
            }
        }
    }
}

/// The state that the loops of a tier share. Relaxed: the counts order nothing.
final class TierLoops: Sendable {
    private static let shortLoopsInRow = 4

    /// How many threads can take part in a loop, with its caller.
    let threadLimit: Int
    private let helpers = Atomic<Int>(0)
    private let shortLoops = Atomic<Int>(0)

    init(threadLimit: Int) { self.threadLimit = threadLimit }

    /// Whether the tier's loops may have one more helper.
    func takeHelper() -> Bool {
        guard helpers.load(ordering: .relaxed) < threadLimit - 1 else { return false }
        if helpers.wrappingAdd(1, ordering: .relaxed).newValue < threadLimit { return true }
        giveBackHelper()
        return false
    }

    func giveBackHelper() { helpers.wrappingSubtract(1, ordering: .relaxed) }

    /// Calls a closure during which the calling thread is idle, so that another one may help a loop.
    func whileIdle(_ body: () -> Void) {
        giveBackHelper()
        body()
        helpers.wrappingAdd(1, ordering: .relaxed)
    }

    /// Whether the next loop probably ends before a thread would be awake to help.
    var expectsShortLoop: Bool { shortLoops.load(ordering: .relaxed) == Self.shortLoopsInRow }

    /// Runs a loop on the calling thread alone for a short time. Returns the rest of its range.
    func runBeginning(
        of range: Range<Int>, chunk: Int?, _ body: (Range<Int>) throws -> Void
    ) rethrows -> Range<Int> {
        let deadline = monotonicNanoseconds() + Loop.shortTime
        var (rest, size) = (range, UInt(max(chunk ?? 1, 1)))
        while !rest.isEmpty, monotonicNanoseconds() < deadline {
            let end = rest.lowerBound &+ Int(bitPattern: min(size, rest.distance))
            try body(rest.lowerBound..<end)
            rest = end..<rest.upperBound
            if chunk == nil, size < 1 << 20 { size *= 2 }
        }
        if !rest.isEmpty { note(isShort: false) }
        return rest
    }

    func note(isShort: Bool) {
        let count = shortLoops.load(ordering: .relaxed)
        let new = isShort ? min(count + 1, Self.shortLoopsInRow) : 0
        if new != count { shortLoops.store(new, ordering: .relaxed) }
    }
}

/// A loop, and the threads that take part in it.
///
/// **The closure outlives its calls.** It is on the caller's stack. A helper calls it between ``enter()`` and
/// ``leave()``, which count in `state` the helpers that have entered. The caller closes `state`, after which
/// no helper enters, and returns when the count is zero. Leaving releases and closing, or reading the last
/// count, acquires the helpers' writes; entering needs no more order than the pool gives every job.
///
/// **Each number once.** A chunk is taken by an exchange of `next`, which only rises. Relaxed: it says
/// nothing about other memory.
private final class Loop: @unchecked Sendable {  // atomics, locks, and constants
    struct Body {
        let call: @Sendable (Range<Int>) throws -> Void
    }

    private static let closed: UInt32 = 1 << 31
    /// The least time of a chunk, in nanoseconds, if there is no given size and no end.
    private static let chunkTime: UInt64 = 32_000
    /// A loop that takes less is not worth a wake-up of a thread, in nanoseconds.
    static let shortTime: UInt64 = 8_000

    private let first: Int
    private let count: UInt
    private let chunk: UInt?
    private let qos: QoSTier
    /// The caller retains it.
    private unowned(unsafe) let pool: any AwaitedJobTarget
    private let tier: TierLoops
    private let body: UnsafePointer<Body>

    private let next = Atomic<UInt>(0)
    private let state = Atomic<UInt32>(0)
    private let hasEnded = DispatchSemaphore(value: 0)
    private let helpers = Lock<[PoolJob]>([])
    private let error = Lock<(any Error)?>(nil)

    init(
        _ range: Range<Int>, chunk: Int?, on qos: QoSTier, of pool: any AwaitedJobTarget, _ tier: TierLoops,
        _ body: UnsafePointer<Body>
    ) {
        first = range.lowerBound
        count = range.distance
        self.chunk = chunk.map { UInt(max($0, 1)) }
        self.qos = qos
        self.pool = pool
        self.tier = tier
        self.body = body
    }

    /// Runs the loop on the calling thread and on others.
    func run() throws {
        let time = work()
        if let time { tier.note(isShort: time < Double(Self.shortTime)) }
        close()
        for job in helpers.withLock({ $0 }) where job.cancel() { tier.giveBackHelper() }
        if let error = error.withLock({ $0.take() }) { throw error }
    }

    /// Takes chunks and calls the closure until there are none left. Returns how long one thread would take
    /// for the whole loop, going by this one's part.
    @discardableResult
    private func work() -> Double? {
        var (size, duration, calls) = (chunk ?? 1, UInt64(0), UInt(0))
        while let numbers = take(size) {
            callHelper()
            let start = monotonicNanoseconds()
            do {
                try call(numbers)
            } catch {
                next.store(count, ordering: .relaxed)
                self.error.withLock { $0 = $0 ?? error }
            }
            let time = monotonicNanoseconds() - start
            duration += time
            calls += numbers.distance
            guard chunk == nil else { continue }
            if time < Self.chunkTime, size <= count / 2 { size *= 2 }
            if time > 4 * Self.chunkTime, size > 1 { size /= 2 }
        }
        return calls == 0 ? nil : Double(duration) / Double(calls) * Double(count)
    }

    /// A function of its own, so that the closure is not retained when a helper leaves.
    @inline(never)
    private func call(_ numbers: Range<Int>) throws { try body.pointee.call(numbers) }

    /// Takes the next chunk: of the given size or the rest, and without a given size at most a part of the
    /// rest, so that all threads end at about the same time.
    private func take(_ size: UInt) -> Range<Int>? {
        var start = next.load(ordering: .relaxed)
        while start < count {
            let left = count - start
            let part = chunk == nil ? max(left / UInt(2 * tier.threadLimit), 1) : left
            let end = start + min(size, part)
            let exchange = next.weakCompareExchange(expected: start, desired: end, ordering: .relaxed)
            if exchange.exchanged {
                return first &+ Int(bitPattern: start)..<first &+ Int(bitPattern: end)
            }
            start = exchange.original
        }
        return nil
    }

    /// Calls another thread, if chunks are left and the tier's loops may have one more helper. If there is no
    /// room for its job, that is no job of the program's, and is not counted as refused.
    private func callHelper() {
        guard !isForkedChild, next.load(ordering: .relaxed) < count, tier.takeHelper() else { return }
        let capacity = pool.accounting(on: qos)?.capacity
        let hasRoom = capacity?.take() ?? true
        if hasRoom, let job = pool.place(help, on: qos, keyHash: nil, because: .starting) {
            return helpers.withLock { $0.append(job) }
        }
        if hasRoom { capacity?.giveBack() }
        tier.giveBackHelper()
    }

    /// The job of a helper. It counts itself off before it leaves, so that the caller's next loop has it.
    private func help() {
        guard enter() else { return tier.giveBackHelper() }
        work()
        tier.giveBackHelper()
        leave()
    }

    private func enter() -> Bool {
        var seen = state.load(ordering: .relaxed)
        while seen & Self.closed == 0 {
            let entry = state.weakCompareExchange(expected: seen, desired: seen + 1, ordering: .relaxed)
            if entry.exchanged { return true }
            seen = entry.original
        }
        return false
    }

    private func leave() {
        let now = state.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue
        if now == Self.closed { hasEnded.signal() }
    }

    /// Refuses further helpers, and waits until all have left: a moment, and then asleep.
    private func close() {
        guard state.bitwiseOr(Self.closed, ordering: .acquiringAndReleasing).oldValue != 0 else { return }
        let deadline = monotonicNanoseconds() + Self.shortTime
        while monotonicNanoseconds() < deadline {
            if state.load(ordering: .acquiring) == Self.closed { return }
        }
        tier.whileIdle { hasEnded.wait() }
        _ = state.load(ordering: .acquiring)
    }
}

extension Range<Int> {
    /// How many numbers are in it, which may be more than an Int can hold.
    fileprivate var distance: UInt { UInt(bitPattern: upperBound) &- UInt(bitPattern: lowerBound) }
}
