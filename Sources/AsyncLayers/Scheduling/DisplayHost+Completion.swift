import Locks
import QueuePools
import Transactions

/// Draws that have ended and that the main actor has not received.
struct CompletionQueue: Sendable {
    var draws = FIFO<Draw>()
    /// True from when the main actor is called until it comes.
    var isAnnounced = false
    /// True while the main actor sleeps until a draw has ended.
    var isAwaited = false
}

/// Brings draws from the pool's threads to the main actor, and what they replace to a background queue.
///
/// The main actor is called once for all draws that end before it comes, and what they replace is released in
/// one job: the main thread pays for one call a turn and not for one a draw. A main actor that waits for a
/// draw takes it from here directly.
extension DisplayHost {
    /// Hands over a draw that has ended; called on its thread.
    nonisolated func post(_ draw: Draw) {
        let (isFirst, isAwaited) = completions.withLock { completions in
            completions.draws.append(draw)
            defer { completions.isAnnounced = true }
            return (!completions.isAnnounced, completions.isAwaited)
        }
        if isFirst { loop.perform { self.receiveCompleted { $0.isAnnounced = false } } }
        if isAwaited { loop.wake() }
    }

    /// Receives what has ended, and lowers the flag that has called the main actor, or lets it sleep.
    private func receiveCompleted(_ lowerFlag: (inout CompletionQueue) -> Void) {
        receive(
            completions.withLock { completions in
                lowerFlag(&completions)
                var draws = FIFO<Draw>()
                swap(&draws, &completions.draws)
                return draws
            })
    }

    private func receive(_ draws: consuming FIFO<Draw>) {
        if received.isEmpty { swap(&received, &draws) }
        while let draw = draws.popFirst() { received.append(draw) }
        let isOutermost = !isReceiving
        isReceiving = true
        while let draw = received.popFirst() { draw.receive(on: self) }
        guard isOutermost else { return }
        isReceiving = false
        forgetStarted()
        releaseDiscarded()
    }

    /// Leaves a picture. If it has no other holder, it is emptied on a background queue, with all others of
    /// this turn, unless that brings many bytes, or lasts long because a callback runs a loop within it.
    func discard(_ picture: consuming Picture) {
        guard picture.leave() else { return }
        if discarded.isEmpty { discardedSince = loop.now }
        discardedByteCount += picture.byteCount
        discarded.append(picture)
        if discardedByteCount > 4 << 20 || discarded.count >= 256
            || discarded.count.isMultiple(of: 8) && loop.now - discardedSince > .milliseconds(4)
        {
            return releaseDiscarded()
        }
        if !isReceiving, discarded.count == 1 { transactions.atEndOfFlush { [self] in releaseDiscarded() } }
    }

    private func releaseDiscarded() {
        guard !discarded.isEmpty else { return }
        // Taken out first: of a pool that was shut down, this thread releases them.
        let replaced = discarded
        (discarded, discardedByteCount) = ([], 0)
        pool.empty(replaced)
    }

    /// Blocks the main thread until a draw has ended or a time has come: now, or, while a turn's transactions
    /// are being run, when all of them have begun their passes. All waits of a turn share one blocking call.
    ///
    /// - Parameter body: called then. Called immediately if this turn is waiting already, because waits that
    ///   cause waits might never end.
    func wait(for draw: Draw, until time: Duration, then body: @escaping () -> Void) {
        guard !isWaiting else { return body() }
        awaited.append((draw, time, body))
        guard awaited.count == 1 else { return }
        transactions.atEndOfFlush { [self] in waitForDraws() }
    }

    private func waitForDraws() {
        displayTrees()
        isWaiting = true
        defer { isWaiting = false }
        let waited = awaited
        awaited = []
        // The last is the next whose time comes. Each wake-up checks the last only, and those behind it that
        // have ended.
        var pending = waited.sorted { $0.until > $1.until }
        while let next = pending.last {
            if next.draw.isOver || next.until <= loop.now {
                pending.removeLast()
            } else {
                receiveNext(until: next.until)
            }
        }
        for wait in waited { wait.body() }
    }

    /// Sleeps until any draw has ended, or a time has come; then receives what is there. Receiving one may
    /// let another begin, which waits for memory.
    ///
    /// The caller may have been called back by a draw that was being received, with others behind it.
    private func receiveNext(until time: Duration) {
        guard received.isEmpty else { return receive(FIFO()) }
        completions.withLock { $0.isAwaited = true }
        while loop.now < time, completions.withLock({ $0.draws.isEmpty }) { loop.sleep(until: time) }
        receiveCompleted { $0.isAwaited = false }
    }
}
