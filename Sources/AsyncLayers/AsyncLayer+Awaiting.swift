import QueuePools

extension AsyncLayer {
    /// Waits until the layer shows what it was last asked to: until no pass is in flight and none is asked
    /// for. Returns at once if that is so already.
    ///
    /// A waiting pass is raised to the tier userInitiated. While the layer is suspended, or invalidated again
    /// and again, this does not return; interim pictures do not count.
    ///
    /// - Throws: The error of the last pass if it failed; `CancellationError` if it was cancelled, or if the
    ///   surrounding task was, which cancels the pass (unless somebody else waits for it too).
    public func displayed() async throws {
        let pipeline = pipeline
        guard !pipeline.isSettled else { return try Task.checkCancellation() }
        let observers = pipeline.observers ?? LayerObservers()
        pipeline.observers = observers
        let id = observers.nextID()
        let loop = pipeline.host.loop
        pipeline.raise(to: .userInitiated)
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation {
                (continuation: CheckedContinuation<Void, any Error>) in
                guard !Task.isCancelled else {
                    if !observers.hasWaiters { pipeline.cancel() }
                    return continuation.resume(throwing: CancellationError())
                }
                observers.wait(id, continuation)
            }
        } onCancel: {
            loop.perform {
                guard observers.cancel(id), !observers.hasWaiters else { return }
                pipeline.cancel()
            }
        }
    }

    /// The outcomes of the layer's passes from now on, in the order in which they are reported; ends with the
    /// layer.
    ///
    /// - Parameter bufferingPolicy: what becomes of outcomes that nobody has taken yet. Default: all are kept.
    public func outcomes(
        bufferingPolicy: AsyncStream<DisplayOutcome>.Continuation.BufferingPolicy = .unbounded
    ) -> AsyncStream<DisplayOutcome> {
        let observers = pipeline.observers ?? LayerObservers()
        pipeline.observers = observers
        let id = observers.nextID()
        let loop = pipeline.host.loop
        let (stream, continuation) = AsyncStream.makeStream(
            of: DisplayOutcome.self, bufferingPolicy: bufferingPolicy)
        continuation.onTermination = { _ in loop.perform { observers.remove(id) } }
        observers.add(id, continuation)
        return stream
    }
}
