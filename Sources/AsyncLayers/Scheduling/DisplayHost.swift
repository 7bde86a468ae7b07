import QueuePoolsLocks
public import QueuePools
public import QueuePoolsTransactions

/// What the layers of a program share: where they draw, when they display, how they come back to the main
/// actor, and how much memory their draws may take at a time.
///
/// Most programs use ``main``, also those with a loop of their own (`MainLoopBridges`). One that flushes a
/// transaction queue of its own makes a host with that queue; a test makes one of parts that it controls.
/// *Main-actor isolated*, except for what it was made of.
@MainActor
public final class DisplayHost {
    /// The process's pool, the main loop's turns, the main queue, and ``MemoryBudget/shared``.
    public nonisolated static let main = DisplayHost()

    /// Where passes draw, each on its task's tier, and where old pictures are released, on the tier
    /// background, unless that falls behind (``unreleasedByteCount``).
    public nonisolated let pool: any JobSubmitting

    /// When ``AsyncLayer/setNeedsDisplay()`` takes effect.
    public nonisolated let transactions: TransactionQueue

    /// The main thread's loop.
    public nonisolated let loop: any HostLoop

    /// The memory that all draws in flight may take together.
    public nonisolated let budget: MemoryBudget

    /// Counts the layers' passes.
    public nonisolated let metrics: DisplayMetrics

    /// How long a draw waits before it is demoted, once, by a tier, for newer draws of layers that have shown
    /// nothing since they were made or stopped (``AsyncLayer/cancelDisplay()``). A draw is not demoted that a
    /// caller awaits (``AsyncLayer/displayed()``, ``DisplayGroup/display()``,
    /// ``AsyncLayer/displayTimeLimit``), that was moved (``AsyncLayer/qos``), or that layers share.
    package nonisolated var demotionDelay: Duration { demotion.delay }

    /// The bytes of pictures that no layer needs any more, and that wait to be released or are being
    /// released. A picture counts as 64 KiB at least.
    ///
    /// They are released on the pool's tier background. If more than 16 MiB wait when a draw begins, that
    /// draw releases them first, on its thread; a ``ContentsCache`` counts by itself what it has evicted. Any
    /// thread may ask. O(1).
    public nonisolated var unreleasedByteCount: Int { releases.byteCount }

    /// How many threads of the pool can draw at a time on the tier userInitiated.
    package nonisolated let threadCount: Int

    /// Where pictures wait to be released.
    nonisolated let releases: PictureReleases
    /// Which drawings give way to newer ones.
    nonisolated let demotion: Demotion
    /// Main-actor isolated; unchecked as the lists of ``Demotion``, since no access of it calls the program.
    @exclusivity(unchecked) var backlog = DrawBacklog()

    /// Drawings on their way back to the main actor.
    nonisolated let completions = Lock(CompletionQueue())
    /// What calls leave behind: things of the program's to call, pictures without a holder, and passes that
    /// may be drawn now.
    @exclusivity(unchecked) var effects = EffectQueue<Effect>()
    @exclusivity(unchecked) var discarded = DiscardedPictures()
    @exclusivity(unchecked) var heldBack: [LayerPass] = []

    /// Passes that the main thread will wait for at the end of this flush, until when, and what follows.
    var awaited: [(pass: LayerPass, until: Duration, body: () -> Void)] = []

    /// Makes a host; every part has a default.
    ///
    /// - Parameters:
    ///   - pool: where passes draw. Default: the process's.
    ///   - transactions: when ``AsyncLayer/setNeedsDisplay()`` takes effect. Default: at the end of the main
    ///     loop's turn.
    ///   - loop: the main thread's. Default: the main queue.
    ///   - budget: what draws in flight may take together. Default: 1 GiB with all other hosts.
    ///   - metrics: what counts the passes. Default: that of all hosts.
    public nonisolated convenience init(
        pool: any JobSubmitting = DefaultQueuePool.shared, transactions: TransactionQueue = .main,
        loop: any HostLoop = MainQueueLoop(), budget: MemoryBudget = .shared,
        metrics: DisplayMetrics = .shared
    ) {
        self.init(
            pool: pool, transactions: transactions, loop: loop, budget: budget, metrics: metrics,
            demotionDelay: .milliseconds(16))
    }

    /// - Parameter demotionDelay: see ``demotionDelay``; decides what is drawn first if more is requested
    ///   than the workers can draw. Zero or less: the newest first. A time beyond all waiting, such as an
    ///   hour: in order. Otherwise 16 ms, two frames at 120 Hz.
    package nonisolated init(
        pool: any JobSubmitting = DefaultQueuePool.shared, transactions: TransactionQueue = .main,
        loop: any HostLoop = MainQueueLoop(), budget: MemoryBudget = .shared,
        metrics: DisplayMetrics = .shared, demotionDelay: Duration
    ) {
        self.pool = pool
        releases = PictureReleases(pool: pool)
        threadCount = min(pool.parallelism(on: .userInitiated), 64)
        self.transactions = transactions
        self.loop = loop
        self.budget = budget
        self.metrics = metrics
        demotion = Demotion(delay: demotionDelay)
    }

    // All threads read these, or a pass calls them. Not inlined, so that no caller retains the loop or the
    // metrics: all threads would write to one reference count.

    @inline(never)
    nonisolated var now: Duration { loop.now }

    @inline(never)
    nonisolated var signposts: (any DisplaySignposts)? { metrics.signposts }

    @inline(never)
    func passBegan() -> UInt64 { metrics.passBegan() }

    @inline(never)
    func passEnded(_ report: DisplayReport) { metrics.passEnded(report) }
}
