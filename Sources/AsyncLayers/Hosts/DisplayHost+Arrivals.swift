import Locks
import QueuePools
import Transactions

/// Draws that have ended and that the main actor has not received.
struct Arrivals: Sendable {
    var rasters: [Raster] = []
    /// True from the moment at which the main actor is called to its coming.
    var isAnnounced = false
    /// True while the main actor sleeps until something arrives.
    var isAwaited = false

    mutating func takeAll() -> [Raster] {
        defer { rasters = [] }
        return rasters
    }
}

/// The way of draws from the pool's threads to the main actor, and of what they replace to a background queue.
///
/// However many arrive before the main actor comes to them, it is called once, and what they replace is
/// released in one job: the main thread pays for one call a turn and not for one a draw. A main actor that waits
/// for a draw takes it from here directly.
extension DisplayHost {
    /// Hands over a draw that has ended; called on its thread.
    nonisolated func post(_ raster: Raster) {
        let (isFirst, isAwaited) = arrivals.withLock { arrivals in
            arrivals.rasters.append(raster)
            defer { arrivals.isAnnounced = true }
            return (!arrivals.isAnnounced, arrivals.isAwaited)
        }
        if isFirst { loop.perform { self.receiveAnnounced() } }
        if isAwaited { loop.wake() }
    }

    private func receiveAnnounced() {
        receive(
            arrivals.withLock { arrivals in
                arrivals.isAnnounced = false
                return arrivals.takeAll()
            })
    }

    private func receive(_ rasters: [Raster]) {
        for raster in rasters { received.append(raster) }
        let isOutermost = !isReceiving
        isReceiving = true
        while let raster = received.popFirst() { raster.receive() }
        guard isOutermost else { return }
        isReceiving = false
        letEndedGo()
        releaseDiscarded()
    }

    /// Releases a picture on a background queue, with others of this turn: with all but for a turn that brings very
    /// many, or does not end, since whoever was called back runs a loop within it.
    func discard(_ parcel: Parcel<Picture>) {
        guard !parcel.isEmpty else { return }
        discarded.append(parcel)
        if discarded.count == 256 { return releaseDiscarded() }
        if !isReceiving, discarded.count == 1 { transactions.atEndOfFlush { [self] in releaseDiscarded() } }
    }

    private func releaseDiscarded() {
        guard !discarded.isEmpty else { return }
        // Taken out first: of a pool that was shut down, this thread is the last to hold them.
        let replaced = discarded
        discarded = []
        pool.release(replaced)
    }

    // MARK: Draws that the main thread waits for

    /// Waits for a draw: at once, or, while a turn's transactions are being run, when all of them have begun
    /// their passes, so that draws of one turn are waited for together.
    func wait(for raster: Raster, until time: Duration) {
        awaited.append((raster, time))
        guard awaited.count == 1 else { return }
        transactions.atEndOfFlush { [self] in waitForDraws() }
    }

    private func waitForDraws() {
        isWaiting = true
        defer { isWaiting = false }
        let waited = awaited
        awaited = []
        var pending = waited
        while true {
            pending.removeAll { $0.raster.hasEnded || $0.until <= loop.now }
            guard let time = pending.map(\.until).min() else { break }
            receiveNext(until: time)
        }
        for (raster, _) in waited { raster.waitIsOver() }
    }

    /// Sleeps until a draw has arrived, any draw, or a time has come; then receives what is there. Receiving
    /// one may let another begin, which waits for memory.
    ///
    /// Whoever waits may have been called back by a draw that was being received, with others behind it.
    private func receiveNext(until time: Duration) {
        guard received.isEmpty else { return receive([]) }
        arrivals.withLock { $0.isAwaited = true }
        while loop.now < time, arrivals.withLock({ $0.rasters.isEmpty }) { loop.sleep(until: time) }
        receive(
            arrivals.withLock { arrivals in
                arrivals.isAwaited = false
                return arrivals.takeAll()
            })
    }
}
