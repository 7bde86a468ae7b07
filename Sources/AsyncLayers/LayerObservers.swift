/// Who waits for a layer, and who watches its outcomes.
@MainActor
final class LayerObservers {
    private var lastID: UInt64 = 0
    private var waiters: [UInt64: CheckedContinuation<Void, any Error>] = [:]
    private var streams: [UInt64: AsyncStream<DisplayOutcome>.Continuation] = [:]

    func nextID() -> UInt64 {
        lastID += 1
        return lastID
    }

    // MARK: Waiting until the layer is up to date

    var hasWaiters: Bool { !waiters.isEmpty }

    func wait(_ id: UInt64, _ waiter: CheckedContinuation<Void, any Error>) { waiters[id] = waiter }

    /// Wakes one waiter whose task was cancelled; false if it has been woken.
    func cancel(_ id: UInt64) -> Bool {
        guard let waiter = waiters.removeValue(forKey: id) else { return false }
        waiter.resume(throwing: CancellationError())
        return true
    }

    /// The layer has settled, with this outcome.
    func settle(_ outcome: DisplayOutcome) {
        let result: Result<Void, any Error> =
            switch outcome {
            case .committed, .superseded: .success(())
            case .cancelled: .failure(CancellationError())
            case .failed(let error): .failure(error)
            }
        for waiter in waiters.values { waiter.resume(with: result) }
        waiters = [:]
    }

    // MARK: Watching outcomes

    func add(_ id: UInt64, _ stream: AsyncStream<DisplayOutcome>.Continuation) { streams[id] = stream }

    func remove(_ id: UInt64) { streams[id] = nil }

    func yield(_ outcome: DisplayOutcome) {
        for stream in streams.values { stream.yield(outcome) }
    }

    /// The layer is gone.
    func finish() {
        for stream in streams.values { stream.finish() }
        streams = [:]
    }
}
