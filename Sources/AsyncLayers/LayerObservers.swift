/// Who waits for a layer, and who watches its outcomes; told in the order in which they came.
@MainActor
final class LayerObservers {
    /// Resumed with false if the layer has become a part of another one's picture, which is to be waited for then.
    typealias Waiter = CheckedContinuation<Bool, any Error>

    private var lastID: UInt64 = 0
    private(set) var waiters: [(id: UInt64, waiter: Waiter)] = []
    private var streams: [(id: UInt64, stream: AsyncStream<DisplayOutcome>.Continuation)] = []

    func nextID() -> UInt64 {
        lastID += 1
        return lastID
    }

    // MARK: Waiting until the layer is up to date

    var hasWaiters: Bool { !waiters.isEmpty }

    func wait(_ id: UInt64, _ waiter: Waiter) { waiters.append((id, waiter)) }

    /// Wakes one waiter whose task was cancelled; false if it has been woken.
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

    // MARK: Watching outcomes

    func add(_ id: UInt64, _ stream: AsyncStream<DisplayOutcome>.Continuation) {
        streams.append((id, stream))
    }

    func remove(_ id: UInt64) { streams.removeAll { $0.id == id } }

    func yield(_ outcome: DisplayOutcome) {
        for (_, stream) in streams { stream.yield(outcome) }
    }

    /// The layer is gone.
    func finish() {
        for (_, stream) in streams { stream.finish() }
        streams = []
    }
}
