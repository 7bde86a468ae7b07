import QueuePools

extension AsyncLayer {
    /// Waits until the layer shows what was last requested: no display is requested, and passes in flight
    /// are stale.
    ///
    /// Raises the pass to the tier userInitiated. Does not return while a display is requested of a suspended
    /// layer, or the layer is invalidated again and again; interim pictures do not count.
    ///
    /// - Throws: The error of the newest pass, also if it has failed before the call, and the layer was not
    ///   cancelled since; `CancellationError` if it is cancelled meanwhile, or if the task is. The latter
    ///   also cancels what was requested before, unless another caller or a group waits for it.
    public func displayed() async throws {
        guard pipeline.isSettled else { return try await pipeline.settled() }
        try Task.checkCancellation()
        if let failure = pipeline.failure { throw failure }
    }

    /// The outcomes of the layer's passes from now on, in the order of their reports; ends with the layer.
    ///
    /// - Parameter bufferingPolicy: for outcomes that were not consumed yet. Default: all are kept.
    public func outcomes(
        bufferingPolicy: AsyncStream<DisplayOutcome>.Continuation.BufferingPolicy = .unbounded
    ) -> AsyncStream<DisplayOutcome> {
        let observers = pipeline.someObservers()
        let id = observers.nextID()
        let loop = pipeline.host.loop
        let (stream, continuation) = AsyncStream.makeStream(
            of: DisplayOutcome.self, bufferingPolicy: bufferingPolicy)
        continuation.onTermination = { _ in loop.perform { observers.removeStream(id) } }
        observers.add(continuation, id)
        return stream
    }
}

extension DisplayPipeline {
    fileprivate func someObservers() -> LayerObservers {
        let some = observers ?? LayerObservers()
        observers = some
        return some
    }

    /// Waits until the layer is settled.
    fileprivate func settled() async throws {
        let observers = someObservers()
        let id = observers.nextID()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (waiter: LayerObservers.Waiter) in
                guard !Task.isCancelled else {
                    cancelUnlessAwaited()
                    return waiter.resume(throwing: CancellationError())
                }
                observers.wait(id, waiter)
                // Afterwards: what it causes may settle the layer.
                host.enter { raise(to: .userInitiated) }
            }
        } onCancel: {
            noteCancellation()
            host.loop.perform { [self] in
                // Not what was requested meanwhile, such as for the layer's next use.
                if observers.cancel(id), hasNoteOfCancellation { cancelUnlessAwaited() }
            }
        }
    }

    /// Cancels when the last waiter has left.
    private func cancelUnlessAwaited() {
        if member == nil, nextMember == nil, observers?.hasWaiters != true { host.enter { cancel() } }
    }
}

/// The callers that wait for a layer, and the streams of its outcomes; notified in the order of registration,
/// which is that of their numbers. By number, because each may leave at any time: O(1).
@MainActor
final class LayerObservers {
    typealias Waiter = CheckedContinuation<Void, any Error>
    typealias Stream = AsyncStream<DisplayOutcome>.Continuation

    private var lastID: UInt64 = 0
    private var waiters: [UInt64: Waiter] = [:]
    private var streams: [UInt64: Stream] = [:]

    func nextID() -> UInt64 {
        lastID += 1
        return lastID
    }

    var hasWaiters: Bool { !waiters.isEmpty }

    func wait(_ id: UInt64, _ waiter: Waiter) { waiters[id] = waiter }

    /// Resumes a waiter whose task was cancelled; false if it was resumed before.
    func cancel(_ id: UInt64) -> Bool {
        guard let waiter = waiters.removeValue(forKey: id) else { return false }
        waiter.resume(throwing: CancellationError())
        return true
    }

    /// The layer has settled, with this outcome.
    func settle(_ outcome: DisplayOutcome) {
        switch outcome {
        case .committed, .superseded: resume(with: .success(()))
        case .cancelled: resume(with: .failure(CancellationError()))
        case .failed(let error): resume(with: .failure(error))
        }
    }

    private func resume(with result: Result<Void, any Error>) {
        for waiter in takeAll(&waiters) { waiter.resume(with: result) }
    }

    func add(_ stream: Stream, _ id: UInt64) { streams[id] = stream }

    /// Releases a stream when this has changed: the outcomes that its consumer has not read may call the
    /// layer as they are released.
    func removeStream(_ id: UInt64) { extendLifetime(streams.removeValue(forKey: id)) }

    func yield(_ outcome: DisplayOutcome) {
        for stream in inOrder(streams) { stream.yield(outcome) }
    }

    /// The layer was deinitialized.
    func finish() {
        for stream in takeAll(&streams) { stream.finish() }
    }

    private func takeAll<Observer>(_ observers: inout [UInt64: Observer]) -> [Observer] {
        defer { observers = [:] }
        return inOrder(observers)
    }

    private func inOrder<Observer>(_ observers: [UInt64: Observer]) -> [Observer] {
        observers.count < 2 ? Array(observers.values) : observers.sorted { $0.key < $1.key }.map(\.value)
    }
}
