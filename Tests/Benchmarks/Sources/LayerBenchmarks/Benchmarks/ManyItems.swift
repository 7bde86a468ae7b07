import AsyncLayers
import BenchmarkHarness
import QueuePools

/// Does an item cost the main thread more where there are more of them in a turn?
///
/// All sizes have 10,000 layers in all, so that caches are equally cold: a hundred sets of a hundred, or one
/// of 10,000.
struct ManyItems: Benchmark {
    let metrics: [Metric]
    let trials: [Trial]
    let plan = Plan(rounds: (2, 9))

    private static let counts = [100, 1_000, 10_000]
    private static let contender = "AsyncLayer"

    static let group = ManyItems(
        "group", "Layers are added to a group, displayed together in one turn, and removed"
    ) { GroupOfMany($0, $1) }

    static let tree = ManyItems(
        "tree", "Layers of a tree that is drawn into one picture are displayed in one turn, each by display()"
    ) { TreeOfMany($0, $1) }

    static let treeTiles = ManyItems(
        "tree-tiles",
        "The same where the tree is drawn in as many tiles as it has layers, at most 4,096"
    ) { TreeOfMany($0, $1, isTiled: true) }

    static let budget = ManyItems(
        "budget", "Layers are displayed in one turn, with memory for ten draws at a time"
    ) { BudgetOfMany($0, $1) }

    private init(
        _ name: String, _ summary: String,
        makeItems: @escaping @MainActor @Sendable (Int, DefaultQueuePool) -> any Items
    ) {
        metrics =
            Self.counts.map { count in
                Metric(
                    "\(name)-\(count)", unit: "ns/item", ours: Self.contender,
                    summary: "\(summary): processor time of the main thread, with \(count) of them.")
            } + [
                Metric(
                    "\(name)-growth", unit: "×", ours: Self.contender,
                    summary: "What an item costs among 10,000, to what it costs among 100. Bar: 1.5.")
            ]
        trials = [
            Trial(Self.contender, threads: .own) { scale in
                let pool = try DefaultQueuePool(label: "items", queuesPerTier: .exactly(scale.workers))
                return Session(
                    measure: {
                        try MainActor.assumeIsolated {
                            let costs = try Self.counts.map { try Self.cost(of: $0, pool, makeItems) }
                            return (costs + [costs[2] / costs[0]]).map { Reading($0) }
                        }
                    }, end: { pool.shutdownBlocking() })
            }
        ]
    }

    /// Processor time of the main thread for one item.
    @MainActor
    private static func cost(
        of count: Int, _ pool: DefaultQueuePool, _ makeItems: (Int, DefaultQueuePool) -> any Items
    ) throws -> Double {
        let sets = (0..<10_000 / count).map { _ in makeItems(count, pool) }
        var time: UInt64 = 0
        for isCounted in [false, true] {
            for items in sets {
                let used = try measure(items)
                if isCounted { time += used }
            }
            MainLoop.settle()
        }
        return Double(time) / Double(sets.count * count)
    }

    @MainActor
    private static func measure(_ items: any Items) throws -> UInt64 {
        let deadline = Clock.now + 20_000_000_000
        var start = Clock.threadTime
        items.begin()
        MainLoop.turn()
        var time = Clock.threadTime - start
        while !items.haveEnded {
            guard Clock.now < deadline else { throw MeasuringError("a turn's items did not end within 20 s") }
            Clock.sleep(microseconds: 300)
            start = Clock.threadTime
            MainLoop.turn()
            time += Clock.threadTime - start
        }
        start = Clock.threadTime
        items.end()
        return time + Clock.threadTime - start
    }
}

/// What is displayed in a turn.
@MainActor
private protocol Items: AnyObject {
    func begin()
    var haveEnded: Bool { get }
    func end()
}

/// Layers that draw nothing, and count the passes that have ended.
@MainActor
private class Layers: AsyncLayerDelegate {
    fileprivate let host: DisplayHost
    fileprivate private(set) var layers: [AsyncLayer<EmptyRenderer>] = []
    fileprivate var endedCount = 0

    init(_ count: Int, _ pool: DefaultQueuePool, byteLimit: Int = 1 << 30) {
        host = DisplayHost(pool: pool, budget: MemoryBudget(byteLimit: byteLimit))
        layers = (0..<count).map { _ in makeLayer() }
    }

    fileprivate func makeLayer() -> AsyncLayer<EmptyRenderer> {
        let layer = AsyncLayer(renderer: EmptyRenderer(), host: host)
        layer.bounds.size = Size(width: 10, height: 10)
        layer.delegate = self
        return layer
    }

    func displayTask(for layer: AsyncLayer<EmptyRenderer>) -> DisplayTask<EmptyRenderer>? {
        DisplayTask(didDisplay: { [weak self] _ in self?.endedCount += 1 }, draw: { _, _ in })
    }

    func displayAll() {
        endedCount = 0
        for layer in layers { layer.display() }
    }
}

private final class GroupOfMany: Layers, Items {
    private lazy var group = DisplayGroup(timeLimit: .seconds(3_600), host: host)
    private(set) var haveEnded = false

    func begin() {
        haveEnded = false
        for layer in layers { group.add(layer) }
        group.display { [weak self] _ in self?.haveEnded = true }
    }

    func end() { for layer in layers { group.remove(layer) } }
}

private final class TreeOfMany: Layers, Items {
    private lazy var root = makeLayer()

    /// Layers of 10 × 10 pixels, side by side; tiles of the same size do not lie on them.
    init(_ count: Int, _ pool: DefaultQueuePool, isTiled: Bool = false) {
        super.init(count, pool)
        let columns = Int(Double(count).squareRoot().rounded(.up))
        let extent = Double(columns) * 10
        root.bounds.size = Size(width: extent, height: extent)
        root.drawsSublayers = true
        for (index, layer) in layers.enumerated() {
            layer.placement.origin = Point(x: Double(index % columns) * 10, y: Double(index / columns) * 10)
            root.addSublayer(layer)
        }
        guard isTiled else { return }
        let tiles = min(columns, 64)
        let side = (columns * 10 - 1) / tiles + 1
        root.maximumContextBytes = side * side * 4
        root.oversizePolicy = .tiles
    }

    var haveEnded: Bool { endedCount > layers.count }
    func begin() { displayAll() }
    func end() {}
}

private final class BudgetOfMany: Layers, Items {
    init(_ count: Int, _ pool: DefaultQueuePool) { super.init(count, pool, byteLimit: 10 * 400) }

    var haveEnded: Bool { endedCount == layers.count }
    func begin() { displayAll() }
    func end() {}
}

/// Takes memory by what it says, and none in fact.
private struct EmptyRenderer: CompositingRenderer {
    struct Context {}
    struct Contents: Sendable {}

    func byteCount(of description: ContextDescription) -> Int {
        description.pixelWidth * description.pixelHeight * 4
    }

    func makeContext(_ description: ContextDescription) -> Context { Context() }
    func fill(_ context: Context, with color: Color) {}
    func makeContents(from context: Context) -> Contents { Contents() }
    func draw(_ contents: Contents, into context: Context, placed placement: ContentsPlacement) {}
}
