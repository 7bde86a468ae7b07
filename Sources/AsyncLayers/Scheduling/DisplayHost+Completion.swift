import QueuePoolsLocks
import QueuePools
import QueuePoolsTransactions

/// Drawings that have ended and that the main actor has not received, with their products.
struct CompletionQueue: Sendable {
    var completions = FIFO<(drawing: Drawing, product: DrawProduct)>()
    /// True from when the main actor is called until it comes.
    var isAnnounced = false
    /// True while the main actor sleeps until a drawing has ended.
    var isAwaited = false
}

/// Pictures without a holder that the drawings being received, or the passes being flushed, have replaced.
struct DiscardedPictures {
    private var pictures: [Picture] = []
    private var byteCount = 0
    private var since = Duration.zero

    var isEmpty: Bool { pictures.isEmpty }

    mutating func append(_ picture: consuming Picture, at loop: any HostLoop) {
        if pictures.isEmpty { since = loop.now }
        byteCount += picture.byteCount
        pictures.append(picture)
    }

    /// True if they are many, or the first has waited for long. Looks at every eighth picture's time.
    func isMany(at loop: any HostLoop) -> Bool {
        byteCount > 4 << 20 || pictures.count >= 256
            || pictures.count.isMultiple(of: 8) && loop.now - since > .milliseconds(4)
    }

    mutating func takeAll() -> [Picture] {
        defer { self = DiscardedPictures() }
        return pictures
    }
}

/// Brings drawings from the pool's threads to the main actor, and the pictures that they replace to
/// ``PictureReleases``.
///
/// The main actor is called once for all drawings that end before it comes, and the pictures that they
/// replace are handed on together: the main thread pays for one call a turn and not for one a drawing. A main
/// actor that waits for a drawing takes it from here directly.
extension DisplayHost {
    /// Hands over a drawing that has ended; called on its thread.
    nonisolated func post(_ product: consuming DrawProduct, of drawing: Drawing) {
        // Moved: the thread keeps no reference to what the program's closures captured.
        var product = Optional(product)
        let (isFirst, isAwaited) = completions.withLock { queue in
            if let product = product.take() { queue.completions.append((drawing, product)) }
            defer { queue.isAnnounced = true }
            return (!queue.isAnnounced, queue.isAwaited)
        }
        if isFirst {
            loop.perform {
                self.runFromLoop { self.enter { self.receiveCompleted { $0.isAnnounced = false } } }
            }
        }
        if isAwaited { loop.wake() }
    }

    /// Receives what has ended, and lowers the flag that has called the main actor, or lets it sleep.
    private func receiveCompleted(_ lowerFlag: (inout CompletionQueue) -> Void) {
        var received = completions.withLock { queue in
            lowerFlag(&queue)
            var completions = FIFO<(drawing: Drawing, product: DrawProduct)>()
            swap(&completions, &queue.completions)
            return completions
        }
        while let (drawing, product) = received.popFirst() { drawing.receive(product) }
        demotion.forgetStarted()
    }

    /// Leaves a picture. If it has no other holder, it is handed on to be released, with all others of
    /// this turn, unless that brings many bytes, or lasts long because a callback runs a loop within it.
    func discard(_ picture: consuming Picture) {
        guard picture.leave() else { return }
        let isFirst = discarded.isEmpty
        discarded.append(picture, at: loop)
        if discarded.isMany(at: loop) { return releaseDiscarded() }
        if isFirst, transactions.isFlushing { transactions.atEndOfFlush { [self] in releaseDiscarded() } }
    }

    func releaseDiscarded() {
        guard !discarded.isEmpty else { return }
        // Taken out first: a pool may run jobs in the call.
        let pictures = discarded.takeAll()
        releases.empty(pictures)
    }

    /// Blocks the main thread until a pass has its picture or a time has come: now, or, while a turn's
    /// transactions are being run, when all of them have begun their passes. All waits of a turn share one
    /// blocking call.
    ///
    /// - Parameter body: called then. Called immediately if this turn has waited already, because waits that
    ///   cause waits might never end.
    func wait(for pass: LayerPass, until time: Duration, then body: @escaping () -> Void) {
        guard !effects.place.hasWaited else { return body() }
        awaited.append((pass, time, body))
        guard awaited.count == 1 else { return }
        transactions.atEndOfFlush { [self] in enter { waitForPasses() } }
    }

    private func waitForPasses() {
        effects.beginWait()
        let waited = awaited
        awaited = []
        // The last is the next whose time comes. Each wake-up checks the last only, and those behind it that
        // have ended.
        var pending = waited.sorted { $0.until > $1.until }
        while let next = pending.last {
            if !next.pass.isPending || next.until <= loop.now {
                pending.removeLast()
            } else {
                receiveNext(until: next.until)
            }
        }
        for wait in waited { wait.body() }
        append(.call { extendLifetime(waited) })
    }

    /// Sleeps until any drawing has ended, or a time has come; then receives what is there. Receiving one may
    /// let another begin, which waits for memory.
    private func receiveNext(until time: Duration) {
        completions.withLock { $0.isAwaited = true }
        while loop.now < time, completions.withLock({ $0.completions.isEmpty }) { loop.sleep(until: time) }
        receiveCompleted { $0.isAwaited = false }
        startHeldBack()
    }
}
