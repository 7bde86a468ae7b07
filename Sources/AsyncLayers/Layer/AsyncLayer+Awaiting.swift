import QueuePools

extension AsyncLayer {
    /// Waits until the layer shows what was last requested: no display is requested, and passes in flight
    /// are stale.
    ///
    /// Raises the pass to the tier userInitiated. Does not return while the layer is suspended, or
    /// invalidated again and again; interim pictures do not count. For a layer that is drawn into the picture
    /// of one above it, suspended or not, it waits for that one, also if the layer leaves it meanwhile.
    ///
    /// - Throws: The error of the newest pass, also if it has failed before the call; `CancellationError` if
    ///   it is cancelled meanwhile, or if the task is. The latter also cancels what was requested before,
    ///   unless another caller or a group waits for it, or it is for the picture of a layer above this one.
    public func displayed() async throws { try await displayed(cancelsPass: true) }

    private func displayed(cancelsPass: Bool) async throws {
        while true {
            if let composing = composingLayer {
                if pipeline.isDisplayNeeded, !pipeline.isSuspended { composing.setNeedsDisplay() }
                try await composing.displayed(cancelsPass: false)
                // It may have left the tree meanwhile.
                if composingLayer === composing { return }
                continue
            }
            guard !pipeline.isSettled else {
                try Task.checkCancellation()
                if let failure = pipeline.failure { throw failure }
                return
            }
            let passCount = pipeline.passCount
            if try await pipeline.settled(cancelsPass) { return }
            // It has become a part of a tree, and may have left it, without a pass of its own.
            if composingLayer == nil, pipeline.isSettled, pipeline.passCount == passCount {
                throw CancellationError()
            }
        }
    }

    /// The outcomes of the layer's passes from now on, in the order of their reports; ends with the layer. A
    /// layer that is drawn into the picture of one above it has the outcomes of that one.
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
        continuation.onTermination = { _ in loop.perform { observers.streams.removeAll { $0.id == id } } }
        observers.streams.append((id, continuation))
        return stream
    }
}

extension DisplayPipeline {
    fileprivate func someObservers() -> LayerObservers {
        let some = observers ?? LayerObservers()
        observers = some
        return some
    }

    /// Waits until the layer is settled; false if it becomes a part of another layer's picture.
    fileprivate func settled(_ cancelsPass: Bool) async throws -> Bool {
        let observers = someObservers()
        let id = observers.nextID()
        raise(to: .userInitiated)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                guard !Task.isCancelled else {
                    if cancelsPass { cancelUnlessAwaited() }
                    return waiter.resume(throwing: CancellationError())
                }
                observers.wait(id, waiter)
            }
        } onCancel: {
            if cancelsPass { noteCancellation() }
            host.loop.perform { [self] in
                // Not what was requested meanwhile, such as for the layer's next use.
                if observers.cancel(id), cancelsPass, hasNoteOfCancellation { cancelUnlessAwaited() }
            }
        }
    }

    /// Cancels when the last waiter has left.
    private func cancelUnlessAwaited() { if group == nil, observers?.hasWaiters != true { cancel() } }
}

/// The callers that wait for a layer, and the streams of its outcomes; notified in the order of registration.
@MainActor
final class LayerObservers {
    /// Resumed with false if the layer has become a part of another layer's picture, which the caller then
    /// awaits.
    typealias Waiter = CheckedContinuation<Bool, any Error>

    private var lastID: UInt64 = 0
    private(set) var waiters: [(id: UInt64, waiter: Waiter)] = []
    // What the consumer of a former one has not read may call the layer as it goes: not while this changes.
    fileprivate(set) var streams: [(id: UInt64, stream: AsyncStream<DisplayOutcome>.Continuation)] = [] {
        didSet { extendLifetime(oldValue) }
    }

    func nextID() -> UInt64 {
        lastID += 1
        return lastID
    }

    var hasWaiters: Bool { !waiters.isEmpty }

    func wait(_ id: UInt64, _ waiter: Waiter) { waiters.append((id, waiter)) }

    /// Resumes a waiter whose task was cancelled; false if it was resumed before.
    func cancel(_ id: UInt64) -> Bool {
        guard let index = waiters.firstIndex(where: { $0.id == id }) else { return false }
        waiters.remove(at: index).waiter.resume(throwing: CancellationError())
        return true
    }

    /// The layer has settled, with this outcome.
    func settle(_ outcome: DisplayOutcome) {
        switch outcome {
        case .committed, .superseded: resume(with: .success(true))
        case .cancelled: resume(with: .failure(CancellationError()))
        case .failed(let error): resume(with: .failure(error))
        }
    }

    /// The layer has become a part of another one's picture.
    func retryOnComposer() { resume(with: .success(false)) }

    private func resume(with result: Result<Bool, any Error>) {
        for (_, waiter) in waiters { waiter.resume(with: result) }
        waiters = []
    }

    func yield(_ outcome: DisplayOutcome) {
        for (_, stream) in streams { stream.yield(outcome) }
    }

    /// The layer was deinitialized.
    func finish() {
        for (_, stream) in streams { stream.finish() }
        streams = []
    }
}
