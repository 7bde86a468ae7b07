import QueuePools
import Synchronization

/// Requests that come for a tile, and those that leave without.
extension TileStore {
    /// Answers immediately, or keeps the waiter until its draw ends.
    func join(_ address: TileAddress, _ urgency: Urgency, _ number: Int, _ waiter: Waiter) {
        typealias Joined = (answer: Result<[UInt8], any Error>?, raised: PoolTask<[UInt8]>?)
        let (answer, raised) = state.withLock { state -> Joined in
            state.counts.requests += 1
            // Asked under the lock: a cancellation that comes after this finds the waiter in `leave`.
            guard !Task.isCancelled else {
                state.counts.abandoned += 1
                return (.failure(CancellationError()), nil)
            }
            if let png = state.cache.png(at: address) {
                state.counts.cacheHits += 1
                state.counts.answered += 1
                return (.success(png), nil)
            }
            if let draw = state.draws[address] {
                state.counts.shared += 1
                draw.waiters[number] = waiter
                guard urgency > draw.urgency else { return (nil, nil) }
                state.counts.raised += 1
                (draw.urgency, draw.isRaised) = (urgency, true)
                return (nil, draw.job)
            }
            do {
                let draw = SharedDraw(address, urgency)
                try submit(draw)
                draw.waiters[number] = waiter
                state.draws[address] = draw
                return (nil, nil)
            } catch {
                state.counts.count(.failure(error), for: 1)
                return (.failure(error), nil)
            }
        }
        // The draw is submitted again when this job has ended: now, or after the row that it is at.
        raised?.cancel()
        if let answer { waiter.resume(with: answer) }
    }

    /// Takes a waiter away, and with the last one the draw.
    func leave(_ address: TileAddress, _ number: Int) {
        let (waiter, job) = state.withLock { state -> (Waiter?, PoolTask<[UInt8]>?) in
            guard let draw = state.draws[address], let waiter = draw.waiters.removeValue(forKey: number)
            else { return (nil, nil) }
            state.counts.abandoned += 1
            guard draw.waiters.isEmpty else { return (waiter, nil) }
            state.draws[address] = nil
            return (waiter, draw.job)
        }
        job?.cancel()
        waiter?.resume(throwing: CancellationError())
    }
}
