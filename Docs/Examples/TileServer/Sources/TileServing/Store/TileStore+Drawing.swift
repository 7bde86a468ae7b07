import QueuePools
import Synchronization

/// The jobs.
extension TileStore {
    /// Submits a draw to its tier, to begin or to continue. Called under the lock, so in the order of the
    /// requests.
    func submit(_ draw: SharedDraw) throws(PoolError) {
        let job = try pool.start(
            qos: draw.urgency.tier, whenFull: .throw, startBy: limits.patience.map { .now + $0 }
        ) { [self] in try drawTile(of: draw) }
        draw.job = job
        Task {
            do { end(draw, with: .success(try await job.value)) } catch { end(draw, with: .failure(error)) }
        }
    }

    private func drawTile(of draw: SharedDraw) throws -> [UInt8] {
        let drawing = try draw.drawing ?? begin(draw)
        while drawing.isUnfinished {
            try JobScope.checkCancellation()
            drawing.drawNextRow()
        }
        return try drawing.png()
    }

    private func begin(_ draw: SharedDraw) throws -> TileDrawing {
        state.withLock { $0.counts.drawsStarted += 1 }
        drawBegan(draw.address)
        let drawing = try TileDrawing(draw.address, of: picture)
        draw.drawing = drawing
        return drawing
    }

    /// Caches the tile, also if no request waits for it any more, and answers those that do; or submits the
    /// draw again, if its job was cancelled because it was raised.
    private func end(_ draw: SharedDraw, with result: Result<[UInt8], any Error>) {
        // What made room is released after unlocking, too.
        typealias Ended = (waiters: [Waiter], answer: Result<[UInt8], any Error>, evicted: [[UInt8]])
        let (waiters, answer, _) = state.withLock { state -> Ended in
            let isWanted = state.draws[draw.address] === draw
            var (answer, evicted) = (result, [[UInt8]]())
            switch result {
            case .success(let png):
                state.counts.drawsFinished += 1
                evicted = state.cache.insert(png, at: draw.address)
            case .failure where isWanted && draw.isRaised:
                draw.isRaised = false
                do {
                    try submit(draw)
                    return ([], answer, [])
                } catch { answer = .failure(error) }
            case .failure: if !isWanted, draw.drawing != nil { state.counts.drawsStopped += 1 }
            }
            guard isWanted else { return ([], answer, evicted) }
            state.draws[draw.address] = nil
            state.counts.count(answer, for: draw.waiters.count)
            return (Array(draw.waiters.values), answer, evicted)
        }
        for waiter in waiters { waiter.resume(with: answer) }
    }
}
