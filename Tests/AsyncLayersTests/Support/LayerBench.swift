import ManualPools
import QueuePoolsLocks
import QueuePools
import TestSupport
import QueuePoolsTransactions

@testable import AsyncLayers

/// A layer on a bench: its pool, its turns and its way back to the main actor all move by hand, so a test
/// decides every interleaving.
@MainActor
final class LayerBench: AsyncLayerDelegate {
    typealias R = RecordingRenderer

    let main = ManualLoop()
    let budget: MemoryBudget
    let cache: ContentsCache<RecordingRenderer>
    let host: DisplayHost
    let transactions = TransactionQueue(driver: ManualTurnDriver())
    let pool: ManualPool
    private(set) var layer: AsyncLayer<RecordingRenderer>!
    private var others: [AsyncLayer<RecordingRenderer>] = []

    let reports = ReportList()

    /// What happened, in order: `will`, `did committed`, …
    let log = Recorder<String>()

    /// What the delegate answers; by default a task that draws the number of the request.
    var makeTask: (@MainActor (Int) -> DisplayTask<RecordingRenderer>?)!
    private(set) var requests = 0

    /// How many draws with a key are in flight.
    var sharedDrawCount: Int { cache.pictures.state.withLock { $0.flights.count } }

    init(
        renderer: RecordingRenderer = RecordingRenderer(), budget: Int = 1 << 30, cacheBytes: Int = 1 << 20,
        demotionDelay: Duration = .milliseconds(16), capacity: TierCapacities = .unlimited
    ) throws {
        // So many that draws can run within another one.
        pool = try ManualPool(label: "bench", queuesPerTier: 8, capacity: capacity)
        self.budget = MemoryBudget(byteLimit: budget)
        cache = ContentsCache(byteLimit: cacheBytes, pool: pool)
        host = DisplayHost(
            pool: pool, transactions: transactions, loop: main, budget: self.budget,
            metrics: DisplayMetrics(handlers: [reports]), demotionDelay: demotionDelay)
        layer = newLayer(renderer)
        makeTask = { [unowned self] number in task { context, _ in context.commands.append("draw \(number)") }
        }
    }

    deinit { main.close() }

    /// Another layer, which the caller keeps alive.
    func newLayer(_ renderer: R = R()) -> AsyncLayer<R> {
        let layer = AsyncLayer(renderer: renderer, host: host, cache: cache)
        layer.size = Size(width: 10, height: 20)
        layer.delegate = self
        return layer
    }

    /// Another layer, which the bench keeps alive: an optimized test lets its own go after their last use.
    func addLayer() -> AsyncLayer<R> {
        others.append(newLayer(R()))
        return others[others.count - 1]
    }

    func displayTask(for layer: AsyncLayer<RecordingRenderer>) -> DisplayTask<RecordingRenderer>? {
        requests += 1
        return makeTask(requests)
    }

    /// A task that logs its callbacks.
    func task(
        onStart: (@MainActor @Sendable () -> Void)? = nil, draw: DisplayTask<RecordingRenderer>.Draw?
    ) -> DisplayTask<RecordingRenderer> {
        let log = log
        return DisplayTask(
            onStart: {
                log.append("will")
                onStart?()
            },
            onEnd: { log.append("did \($0)") },
            draw: draw)
    }

    /// The outcomes so far.
    var outcomes: [String] { log.elements.filter { $0.hasPrefix("did ") }.map { String($0.dropFirst(4)) } }

    /// Lets the pool draw all it has, then the main actor receive it.
    func settle() {
        pool.runAll()
        main.runAll()
        pool.runAll()
    }

    /// Also what is requested for the end of later turns.
    func settleTurns() {
        for _ in 0..<10 {
            settle()
            transactions.flush()
        }
    }

    func dropLayer() { layer = nil }
}
