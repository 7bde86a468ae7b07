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
    /// Threads take chunks of the range in ascending order. A loop has at most one helper less than the tier
    /// has threads, and than it has queues or the process has cores, whichever are more; on one NUMA node
    /// that holds for all loops of a tier together. On several nodes, helpers are called on the caller's
    /// first. A helper is an unordered job, and is cancelled if the loop ends before it begins. After several
    /// loops of a tier that each took a few microseconds, the next one begins without helpers, and calls them
    /// when it has taken as long. So no call may wait for another call.
    ///
    /// No call sees the caller's task: `Task.isCancelled` is false, and task-local values are set if the pool
    /// carries them (``QueuePoolOptions/carrying``). `JobScope.isCancelled` answers for the task or the
    /// job that calls the loop. The closure must not wait for the queue or actor that the caller runs on,
    /// unless that is by `forEach`.
    ///
    /// - Parameters:
    ///   - range: the numbers; may be empty.
    ///   - qos: the tier whose threads help; not below the caller's own, because the caller waits for them.
    ///     Default: that of the job that calls, ``QoSTier/current``, or else that of the task's priority;
    ///     `.default` on a thread without either.
    ///   - chunk: how many numbers a thread takes at a time; less than 1 counts as 1. Default: as many as
    ///     take some 50 µs, and fewer towards the end.
    ///   - body: called once for each number, on several threads at once.
    /// - Throws: the first error that the closure throws. No chunks are taken after it; those that other
    ///   threads have taken are finished, unless the closure throws there, too. Cancelling the caller's task
    ///   or job ends the loop if the closure calls `try JobScope.checkCancellation()`.
    /// - Complexity: less than 1 µs beside the closure's calls, 0.5 µs more in a task; some 2 µs more for
    ///   each thread that is woken.
    @inlinable
    public func forEach<Failure: Error>(
        _ range: Range<Int>, qos: QoSTier? = nil, chunk: Int? = nil,
        _ body: @Sendable (Int) throws(Failure) -> Void
    ) throws(Failure) {
        try forEachChunk(of: range, qos: qos, chunk: chunk) { (numbers) throws(Failure) in
            // Not `for … in`, whose checks cost a short call a tenth.
            var number = numbers.lowerBound
            while number < numbers.upperBound {
                try body(number)
                number &+= 1
            }
        }
    }

    /// Calls a closure with each chunk of a range, as ``forEach(_:qos:chunk:_:)`` calls one with each number.
    ///
    ///     pool.forEachChunk(of: 0..<height, qos: .userInitiated) { rows in blur(image, rows) }
    ///
    /// Suits calls of some nanoseconds: a loop within the closure can be optimized together with its callees.
    @inlinable
    public func forEachChunk<Failure: Error>(
        of range: Range<Int>, qos: QoSTier? = nil, chunk: Int? = nil,
        _ body: @Sendable (Range<Int>) throws(Failure) -> Void
    ) throws(Failure) {
        do {
            try runLoop(over: range, qos: qos ?? .ofCaller, chunk: chunk) { numbers in try body(numbers) }
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
    ///   `CancellationError` if the task is cancelled, or a shutdown cancels the jobs that run
    ///   (``Shutdown/RunningJobs/cancel``), before the last chunk is taken. All calls have returned.
    nonisolated(nonsending) public func run(
        forEach range: Range<Int>, qos: QoSTier? = nil, chunk: Int? = nil,
        _ body: @escaping @Sendable (Int) throws -> Void
    ) async throws {
        let tier = qos ?? QoSTier(priority: Task.currentPriority)
        try await run(qos: qos) { [self] in
            try runLoop(over: range, qos: tier, chunk: chunk) { numbers in
                try JobScope.checkCancellation()
                for number in numbers { try body(number) }
            }
        }
    }

    @usableFromInline
    func runLoop(
        over range: Range<Int>, qos: QoSTier, chunk: Int?, _ body: @Sendable (Range<Int>) throws -> Void
    ) throws {
        let context = carrier?.capture()
        try LoopScope.with { source in
            var result = Result<Void, any Error>.success(())
            withoutContext {
                func run() throws {
                    let tier = loops[qos.rawValue]
                    let rest = try Loop.runBeginning(of: range, chunk: chunk, tier, body)
                    guard !rest.isEmpty else { return }
                    try withoutActuallyEscaping(body) { body in
                        try withUnsafePointer(to: Loop.Body(call: body)) { body in
                            let loop = Loop(
                                rest, chunk: chunk, on: qos, of: self, tier, body, source, context)
                            try loop.run()
                        }
                    }
                }
                func catchError() { do { try run() } catch { result = .failure(error) } }
                if let context { context.bind(catchError) } else { catchError() }
            }
            try result.get()
        }
    }
}

/// Whether the task was cancelled that calls a loop, for the loop's calls on all threads.
private final class LoopScope: CancellationSource, @unchecked Sendable {  // under the lock
    private struct Caller: @unchecked Sendable {  // any thread may ask a task whether it is cancelled
        var task: UnsafeCurrentTask?
        var wasCancelled = false

        var isCancelled: Bool { task?.isCancelled ?? wasCancelled }
    }

    private let caller: Lock<Caller>

    private init(_ task: UnsafeCurrentTask) { caller = Lock(Caller(task: task)) }

    override var isCancelled: Bool { caller.withLock { $0.isCancelled } }

    /// Calls a closure with the source of a loop: that of the job that calls it, or else one for its task.
    static func with(
        _ body: (Unmanaged<CancellationSource>?) throws -> Void
    ) rethrows {
        if let source = CancellationSource.ofThread { return try body(source) }
        try withCallersTask { task in
            // Helpers run on the threads of the loop's pool, which may be another one.
            guard let task else {
                let source: CancellationSource = RunFrame.pool ?? .never
                return try body(.passUnretained(source))
            }
            let scope = LoopScope(task)
            // The task ends after the loop; a scope that the program keeps may be asked later.
            defer { scope.caller.withLock { $0 = Caller(task: nil, wasCancelled: $0.isCancelled) } }
            try CancellationSource.with(.passUnretained(scope)) { try body(CancellationSource.ofThread) }
        }
    }
}

/// A pool, as its loops see it.
private protocol LoopTarget: AnyObject, Sendable {
    func accounting(on tier: QoSTier) -> TierAccounting?
    /// The number of the tier's partition that serves the calling thread's CPU.
    func callersPartition(on tier: QoSTier) -> Int
    /// Submits an unordered job to a partition. Returns nil if it is refused.
    func place(_ body: @escaping @Sendable () -> Void, on tier: QoSTier, partition: Int) -> PoolJob?
}

extension QueuePool: LoopTarget {
    fileprivate func callersPartition(on tier: QoSTier) -> Int {
        withTier(tier) { $0.partitions.count == 1 ? 0 : $0.callersPartitionNumber() }
    }

    fileprivate func place(
        _ body: @escaping @Sendable () -> Void, on tier: QoSTier, partition: Int
    ) -> PoolJob? {
        withTier(tier) {
            $0.partitions[partition].takeUnretainedValue().submit(body, to: nil, because: .starting)
        }
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
    private static let shortTime: UInt64 = 8_000
    private static let shortTicks = ticks(in: shortTime)

    private let first: Int
    private let count: UInt
    private let chunk: UInt?
    private let qos: QoSTier
    /// The caller retains it.
    private unowned(unsafe) let pool: any LoopTarget
    private let tier: TierLoops
    /// The number of the caller's partition.
    private let home: Int
    private let body: UnsafePointer<Body>
    /// The caller's, which retains it.
    private let source: Unmanaged<CancellationSource>?
    /// The caller's values, if the pool carries some.
    private let context: CapturedTaskLocals?

    private let next = Atomic<UInt>(0)
    private let state = Atomic<UInt32>(0)
    private let hasEnded = DispatchSemaphore(value: 0)
    private let helpers = Lock<[PoolJob]>([])
    private let error = Lock<(any Error)?>(nil)

    init(
        _ range: Range<Int>, chunk: Int?, on qos: QoSTier, of pool: any LoopTarget, _ tier: TierLoops,
        _ body: UnsafePointer<Body>, _ source: Unmanaged<CancellationSource>?, _ context: CapturedTaskLocals?
    ) {
        self.source = source
        self.context = context
        first = range.lowerBound
        count = range.distance
        self.chunk = chunk.map { UInt(max($0, 1)) }
        self.qos = qos
        self.pool = pool
        self.tier = tier
        home = pool.callersPartition(on: qos)
        self.body = body
    }

    /// If a tier's loops were short, runs a loop on the calling thread alone for a short time. Returns the
    /// rest of its range.
    static func runBeginning(
        of range: Range<Int>, chunk: Int?, _ tier: TierLoops, _ body: (Range<Int>) throws -> Void
    ) rethrows -> Range<Int> {
        guard tier.expectsShortLoop else { return range }
        let start = ticks()
        var (rest, size) = (range, UInt(max(chunk ?? 1, 1)))
        while !rest.isEmpty {
            let part = chunk == nil ? max(rest.distance / UInt(tier.threadLimit), 1) : rest.distance
            let end = rest.lowerBound &+ Int(bitPattern: min(size, part))
            try body(rest.lowerBound..<end)
            rest = end..<rest.upperBound
            if ticks() &- start > shortTicks { break }
            if chunk == nil, size < 1 << 20 { size *= 2 }
        }
        if !rest.isEmpty { tier.note(isShort: false) }
        return rest
    }

    /// Runs the loop on the calling thread and on others.
    func run() throws {
        let time = work(unless: { false })
        if let time { tier.note(isShort: time < Double(Self.shortTime)) }
        close()
        for job in helpers.withLock({ $0 }) { job.cancel() }
        if let error = error.withLock({ $0.take() }) { throw error }
    }

    /// Takes chunks and calls the closure, until there are none left or the thread is to leave. Returns how
    /// long one thread would take for the whole loop, going by this one's part.
    @discardableResult
    private func work(unless isToLeave: () -> Bool) -> Double? {
        var (size, duration, calls) = (chunk ?? 1, UInt64(0), UInt(0))
        while !isToLeave(), let numbers = take(size) {
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
            let end = start + min(size, chunk == nil ? max(left / UInt(2 * tier.threadLimit), 1) : left)
            let exchange = next.weakCompareExchange(expected: start, desired: end, ordering: .relaxed)
            if exchange.exchanged {
                return first &+ Int(bitPattern: start)..<first &+ Int(bitPattern: end)
            }
            start = exchange.original
        }
        return nil
    }

    /// Calls another thread, if chunks are left and a partition has a place for a helper: the caller's
    /// before others. If there is no room for its job, that is no job of the program's, and is not counted as
    /// refused.
    private func callHelper() {
        guard !isForkedChild else { return }
        let count = tier.partitions.count
        for step in 0..<count where next.load(ordering: .relaxed) < self.count {
            let number = (home + step) % count
            if let place = tier.partitions[number].takePlace(isGuest: step > 0) {
                if call(on: number, place) { return }
            }
        }
    }

    private func call(on partition: Int, _ place: consuming HelperPlace) -> Bool {
        let capacity = pool.accounting(on: qos)?.capacity
        guard capacity?.take() ?? true else { return false }
        let place = place
        guard let job = pool.place({ [self] in help(place) }, on: qos, partition: partition) else {
            capacity?.giveBack()
            return false
        }
        helpers.withLock { $0.append(job) }
        return true
    }

    /// The job of a helper. It gives its place back before it leaves, so that the caller's next loop has it.
    private func help(_ place: borrowing HelperPlace) {
        guard enter() else { return }
        CancellationSource.with(source) {
            guard let context else { return _ = work(unless: { place.giveBackIfNeeded() }) }
            context.bind { work(unless: { place.giveBackIfNeeded() }) }
        }
        place.giveBack()
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
        tier.partitions[home].whileIdle { hasEnded.wait() }
        _ = state.load(ordering: .acquiring)
    }
}

extension Range<Int> {
    /// How many numbers are in it, which may be more than an Int can hold.
    fileprivate var distance: UInt { UInt(bitPattern: upperBound) &- UInt(bitPattern: lowerBound) }
}
