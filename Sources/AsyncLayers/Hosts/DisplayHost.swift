import Locks
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

    /// Draws that have ended, on their way to the main actor.
    nonisolated let arrivals = Lock(Arrivals())
    /// Draws that have arrived, and that whoever receives them has not come to.
    var received: ArraySlice<Raster> = []
    /// Pictures that the draws being received have replaced.
    @exclusivity(unchecked) var discarded: [Parcel<Picture>] = []
    var isReceiving = false

    /// Draws that the main thread will wait for at the end of this flush, and until when.
    var awaited: [(raster: Raster, until: Duration)] = []
    var isWaiting = false

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
    }
}
