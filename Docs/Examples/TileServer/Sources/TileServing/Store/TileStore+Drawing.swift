import QueuePools
import Sentinels
import Synchronization

/// What happens on the pool.
extension TileStore {
    /// Queues a draw on its tier, to begin or to continue.
    func submit(_ draw: SharedDraw, _ state: inout State) throws {
        let ticket = draw.sentinel.ticket()
        draw.job = try pool.async(qos: draw.urgency.tier) { [self] in run(draw, ticket) }
        state.counts.waiting += 1
    }

    private func run(_ draw: SharedDraw, _ ticket: Ticket) {
        begin(draw)
        do {
            let drawing = try draw.drawing ?? TileDrawing(draw.address, of: picture)
            while drawing.isUnfinished {
                guard !ticket.isCancelled else { return leaveOff(draw, drawing) }
                drawing.drawNextRow()
            }
            end(draw, with: .success(try drawing.png()))
        } catch {
            end(draw, with: .failure(error))
        }
    }

    private func begin(_ draw: SharedDraw) {
        let isFirst = state.withLock { state in
            state.counts.waiting -= 1
            state.counts.drawing += 1
            guard !draw.hasBegun else { return false }
            draw.hasBegun = true
            state.counts.drawsStarted += 1
            if state.draws[draw.address] !== draw { state.counts.drawsStartedForAbandoned += 1 }
            return true
        }
        if isFirst { drawBegan(draw.address) }
    }

    /// The ticket was cancelled: no request waits for the tile any more, or one needs it sooner.
    private func leaveOff(_ draw: SharedDraw, _ drawing: TileDrawing) {
        let failure: (any Error)? = state.withLock { state in
            guard state.draws[draw.address] === draw else {
                state.counts.drawing -= 1
                state.counts.cancelledWhileDrawing += 1
                return nil
            }
            do {
                draw.drawing = drawing
                try submit(draw, &state)
                state.counts.drawing -= 1
                return nil
            } catch {
                return error
            }
        }
        if let failure { end(draw, with: .failure(failure)) }
    }

    /// Caches the tile, also if no request waits any more, and answers those that do.
    private func end(_ draw: SharedDraw, with result: Result<[UInt8], any Error>) {
        let (waiters, released) = state.withLock { state -> ([Waiter], [[UInt8]]) in
            state.counts.drawing -= 1
            var released: [[UInt8]] = []
            if case .success(let png) = result {
                state.counts.drawsFinished += 1
                released = state.cache.insert(png, at: draw.address)
            } else {
                state.counts.drawsFailed += 1
            }
            guard state.draws[draw.address] === draw else { return ([], released) }
            state.draws[draw.address] = nil
            switch result {
            case .success: state.counts.answered += draw.waiters.count
            case .failure: state.counts.failed += draw.waiters.count
            }
            return (Array(draw.waiters.values), released)
        }
        for waiter in waiters { waiter.resume(with: result) }
        // What made room dies here, after the lock.
        _ = consume released
    }
}
