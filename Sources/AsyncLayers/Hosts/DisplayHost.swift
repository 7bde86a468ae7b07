public import QueuePools
public import Transactions

/// What the layers of a program share: where they draw, when they display, how they come back to the main
/// actor, and how much memory their draws may take at a time.
///
/// Most programs use ``main``. One with a loop of its own makes a host with its transaction queue; a test
/// makes one of parts that it moves by hand. *Main-actor isolated*, but for what it was made of.
@MainActor
public final class DisplayHost {
    /// The process's pool, the main loop's turns, the main queue, and ``MemoryBudget/shared``.
    public nonisolated static let main = DisplayHost()

    /// Where passes draw, each on its task's tier, and where old pictures are released, on the tier
    /// background.
    public nonisolated let pool: any JobSubmitting

    /// When ``AsyncLayer/setNeedsDisplay()`` takes effect.
    public nonisolated let transactions: TransactionQueue

    /// The main thread's loop.
    public nonisolated let loop: any HostLoop

    /// The memory that all draws in flight may take together.
    public nonisolated let budget: MemoryBudget

    /// Counts the layers' passes.
    public nonisolated let metrics: DisplayMetrics

    nonisolated let arrivals: Arrivals

    /// Draws that the main thread will wait for at the end of this flush, and until when.
    private var awaited: [(draw: any AwaitedDraw, until: Duration)] = []
    private var isWaiting = false

    /// Makes a host; every part has a default.
    public nonisolated init(
        pool: any JobSubmitting = DefaultQueuePool.shared, transactions: TransactionQueue = .main,
        loop: any HostLoop = MainQueueLoop(), budget: MemoryBudget = .shared,
        metrics: DisplayMetrics = .shared
    ) {
        self.pool = pool
        self.transactions = transactions
        self.loop = loop
        self.budget = budget
        self.metrics = metrics
        arrivals = Arrivals(loop: loop)
    }

    /// Waits for a draw: at once, or, while a turn's transactions are being run, when all of them have begun
    /// their passes, so that draws of one turn are waited for together.
    func wait(for draw: any AwaitedDraw, until time: Duration) {
        // Whatever is begun while the main thread has waited already is not waited for: it might go on so for
        // ever.
        guard !isWaiting else { return draw.waitIsOver() }
        awaited.append((draw, time))
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
            pending.removeAll { $0.draw.hasEnded || $0.until <= loop.now }
            guard let time = pending.map(\.until).min() else { break }
            arrivals.wait(for: Set(pending.map { ObjectIdentifier($0.draw) }), until: time)
        }
        for (draw, _) in waited { draw.waitIsOver() }
    }
}

/// A draw that the main thread waits for.
@MainActor
protocol AwaitedDraw: AnyObject {
    /// True when the main actor has received it.
    var hasEnded: Bool { get }

    /// It has ended, or will not be waited for any longer.
    func waitIsOver()
}
