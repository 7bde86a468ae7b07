import QueuePools
import Sentinels
import Synchronization

/// Those who come for a tile, and those who leave without.
extension TileStore {
    /// Answers at once, or keeps the waiter until its draw ends.
    func join(_ address: TileAddress, _ urgency: Urgency, _ name: WaiterName, _ waiter: Waiter) {
        let answer: Result<[UInt8], any Error>? = state.withLock { state in
            state.counts.requests += 1
            // Asked under the lock: a cancellation that comes after this finds the waiter in `leave`.
            guard !Task.isCancelled else {
                state.counts.abandoned += 1
                return .failure(CancellationError())
            }
            if let png = state.cache.png(at: address) {
                state.counts.cacheHits += 1
                state.counts.answered += 1
                return .success(png)
            }
            do {
                let draw = try draw(of: address, for: urgency, &state)
                draw.waiters[name] = waiter
                return nil
            } catch {
                if error is Refusal { state.counts.refused += 1 } else { state.counts.failed += 1 }
                return .failure(error)
            }
        }
        if let answer { waiter.resume(with: answer) }
    }

    /// The draw that is there, on a tier that is high enough, or a new one.
    private func draw(
        of address: TileAddress, for urgency: Urgency, _ state: inout State
    ) throws -> SharedDraw {
        if let draw = state.draws[address] {
            state.counts.shared += 1
            if urgency > draw.urgency { try raise(draw, to: urgency, &state) }
            return draw
        }
        guard state.counts.waiting < limits.waitingTiles(for: urgency) else { throw Refusal.busy }
        let draw = SharedDraw(address, urgency)
        try submit(draw, &state)
        state.draws[address] = draw
        return draw
    }

    /// Moves a draw to a higher tier: now if it is queued, or by its own job after the row that it is at.
    private func raise(_ draw: SharedDraw, to urgency: Urgency, _ state: inout State) throws {
        state.counts.raised += 1
        draw.urgency = urgency
        if draw.job?.cancel() == true {
            state.counts.waiting -= 1
            do { try submit(draw, &state) } catch { try fail(draw, with: error, &state) }
        } else {
            draw.sentinel.increase()
        }
    }

    /// The pool was shut down, and the draw is on no queue any more.
    private func fail(_ draw: SharedDraw, with error: any Error, _ state: inout State) throws {
        state.draws[draw.address] = nil
        state.counts.failed += draw.waiters.count
        for waiter in draw.waiters.values { waiter.resume(throwing: error) }
        throw error
    }

    /// Takes a waiter away, and with the last one the draw.
    func leave(_ address: TileAddress, _ name: WaiterName) {
        let waiter: Waiter? = state.withLock { state in
            guard let draw = state.draws[address],
                let waiter = draw.waiters.removeValue(forKey: name)
            else { return nil }
            state.counts.abandoned += 1
            if draw.waiters.isEmpty { giveUp(draw, &state) }
            return waiter
        }
        waiter?.resume(throwing: CancellationError())
    }

    private func giveUp(_ draw: SharedDraw, _ state: inout State) {
        state.draws[draw.address] = nil
        draw.sentinel.increase()
        guard draw.job?.cancel() == true else { return }
        state.counts.waiting -= 1
        if draw.hasBegun {
            state.counts.cancelledWhileDrawing += 1
        } else {
            state.counts.cancelledBeforeStart += 1
        }
    }
}
