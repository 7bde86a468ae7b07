/// Submits jobs that can be cancelled. Pools of every kind of queue conform, so code that only submits need
/// not be generic.
public protocol JobSubmitting: AnyObject, Sendable {
    /// Submits an unordered job to a tier.
    @discardableResult
    func async(qos: QoSTier, _ body: consuming @escaping @Sendable () -> Void) throws(PoolError) -> PoolJob
}

extension QueuePool: JobSubmitting {
    /// Submits an unordered job to a tier and returns immediately. On worker queues the first free thread of
    /// the tier runs it; others take it in turn.
    ///
    /// - Returns: the job. If it is cancelled before it begins, its closure is released immediately.
    /// - Throws: ``PoolError``, and the job is released. `.full` beyond the tier's
    ///   ``QueuePoolConfiguration/capacity``, which allocates nothing; `.shutDown` after `shutdown()`;
    ///   `.forked` in a child forked from the pool's process; `.noThread`, of worker queues, if there is
    ///   none.
    @_specialize(where Queue == WorkerQueue)
    @inlinable @discardableResult
    public func async(
        qos: QoSTier, _ body: consuming @escaping @Sendable () -> Void
    ) throws(PoolError) -> PoolJob {
        var closure = Optional(Closure(body))
        return try submit(to: qos) {
            $0.callersPartition._withUnsafeGuaranteedRef { $0.submit(closure.take().unsafelyUnwrapped.body) }
        }
    }

    /// Submits a job to the queue of a key: jobs of equal keys run in the order of submission.
    ///
    /// - Returns: the job, as ``async(qos:_:)``.
    /// - Throws: ``PoolError`` as ``async(qos:_:)``.
    @inlinable @discardableResult
    public func async(
        qos: QoSTier, key: some Hashable, _ body: consuming @escaping @Sendable () -> Void
    ) throws(PoolError) -> PoolJob {
        var closure = Optional(Closure(body))
        let hash = key.hashValue
        return try submit(to: qos) {
            $0.submit(closure.take().unsafelyUnwrapped.body, to: $0.number(hash: hash))
        }
    }

    /// Submits a job to a tier if there is room. A submission that returns nil is refused.
    @inlinable @inline(__always)
    func submit(
        to qos: QoSTier, _ submission: (TierQueues<Queue>) -> PoolJob?
    ) throws(PoolError) -> PoolJob {
        let hasRoom = withTier(qos) { $0.capacity?.take() ?? true }
        guard hasRoom, let job = withTier(qos, submission) else { throw refusal(on: qos, hasRoom: hasRoom) }
        return job
    }

    /// Why a job has just been refused. Returns its place, if it had one.
    @usableFromInline @inline(never)
    func refusal(on qos: QoSTier, hasRoom: Bool) -> PoolError {
        if hasRoom { withTier(qos) { $0.capacity?.giveBack() } }
        return refusal(isFull: !hasRoom)
    }

    func refusal(isFull: Bool) -> PoolError {
        PoolError(
            by: .pool(label: label), isForked: currentForkCount() != forkCount, isShutDown: isShutDown,
            isFull: isFull)
    }
}

/// A job that a pool or a worker queue has accepted. It can be cancelled until it begins.
///
/// Dropping the handle changes nothing; the job runs. *Thread-safe.*
public struct PoolJob: Sendable {
    private let owner: any JobOwner
    let place: JobPlace

    init(owner: any JobOwner, place: JobPlace = JobPlace()) {
        self.owner = owner
        self.place = place
    }

    /// Takes the job off its queue if it has not begun. The job then never runs, and its closure with all its
    /// captures is released before this returns, on the calling thread. O(1), lock-free.
    ///
    /// - Returns: true if this call cancelled it; false if it has begun, has ended, or was cancelled before.
    @discardableResult
    public func cancel() -> Bool { owner.cancel(place) }
}

/// What keeps a job until it begins: a mailbox, for many jobs, or an object for this one.
protocol JobOwner: AnyObject, Sendable {
    func cancel(_ place: JobPlace) -> Bool
}

/// Where its owner keeps a job. Owners of a single job need none.
struct JobPlace: @unchecked Sendable {  // an address that only its owner looks at
    var address: UnsafeMutableRawPointer?
    var position: UInt64 = 0
}

/// A closure that is passed on without counting references, in the form of two words. The struct keeps it as
/// it is: passed as a generic parameter, a closure would be wrapped in another one, which is allocated.
@usableFromInline
struct Closure {
    @usableFromInline let body: @Sendable () -> Void

    @inlinable @inline(__always)
    init(_ body: __owned @escaping @Sendable () -> Void) { self.body = body }

    /// Takes the closure back out of its words.
    @inline(__always)
    init(owned words: (UInt, UInt)) {
        var words = words
        self = withUnsafeMutableBytes(of: &words) { bytes in
            bytes.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: Closure.self).move()
        }
    }

    /// The closure's words. The caller owns them.
    @inline(__always)
    func intoWords() -> (UInt, UInt) {
        var words: (UInt, UInt) = (0, 0)
        withUnsafeMutableBytes(of: &words) { bytes in
            _ = bytes.baseAddress.unsafelyUnwrapped.initializeMemory(as: Closure.self, to: self)
        }
        return words
    }
}
