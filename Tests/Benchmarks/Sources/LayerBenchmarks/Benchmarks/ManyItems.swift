import AsyncLayers
import BenchmarkHarness
import CMeasuring
import Dispatch
import QueuePools

/// Does an item cost the main thread more where there are more of them?
///
/// All sizes have as many items in all, so that caches are equally cold: a hundred sets of a hundred, or one
/// of 10,000.
struct ManyItems: Benchmark {
    let metrics: [Metric]
    let trials: [Trial]
    let plan = Plan(rounds: (2, 9))

    private static let contender = "AsyncLayer"

    static let group = ManyItems(
        "group", "Layers are added to a group, displayed together in one turn, and removed"
    ) { GroupOfMany($0, $1) }

    static let groupDisplays = ManyItems(
        "group-displays", "A group of two layers is displayed again and again in one turn",
        counts: [50_000, 100_000]
    ) { DisplaysOfOneGroup($0, $1) }

    static let composition = ManyItems(
        "composition", "A layer whose composition has parts without keys is displayed"
    ) { CompositionOfMany($0, $1) }

    static let budget = ManyItems(
        "budget", "Layers are displayed in one turn, with memory for ten draws at a time"
    ) { BudgetOfMany($0, $1) }

    static let followers = ManyItems(
        "followers", "Layers whose pictures are those of one draw are cancelled, the last first",
        counts: [8_000, 16_000]
    ) { FollowersOfOneDraw($0, $1) }

    static let waiters = ManyItems(
        "waiters", "Tasks that await displayed() of one layer are cancelled, the last first",
        counts: [8_000, 16_000]
    ) { WaitersOfOneLayer($0, $1) }

    private init(
        _ name: String, _ summary: String, counts: [Int] = [100, 1_000, 10_000],
        makeItems: @escaping @MainActor @Sendable (Int, DefaultQueuePool) -> any Items
    ) {
        let (fewest, most) = (counts[0], counts[counts.count - 1])
        metrics =
            counts.map { count in
                Metric(
                    "\(name)-\(count)", unit: "ns/item", ours: Self.contender,
                    summary: "\(summary): processor time of the main thread, with \(count) of them.")
            } + [
                Metric(
                    "\(name)-growth", unit: "×", ours: Self.contender,
                    summary:
                        "The cost of an item among \(most), as a multiple of that among \(fewest). Bar: 1.5."),
                Metric(
                    "\(name)-bytes", unit: "bytes/item", ours: Self.contender,
                    summary: "Heap that \(most) items leave behind, beyond that of the \(most) before them."),
            ]
        trials = [
            Trial(Self.contender, threads: .own) { scale in
                let pool = try DefaultQueuePool(label: "items", queuesPerTier: .exactly(scale.workers))
                return Session(
                    measure: {
                        try MainActor.assumeIsolated {
                            let costs = try counts.map { try Self.cost(of: $0, among: most, pool, makeItems) }
                            let growth = costs[costs.count - 1].time / costs[0].time
                            return (costs.map(\.time) + [growth, costs[costs.count - 1].bytes])
                                .map { Reading($0) }
                        }
                    }, end: { pool.shutdownBlocking() })
            }
        ]
    }

    /// Processor time of the main thread for one item, and the heap that it leaves behind.
    @MainActor
    private static func cost(
        of count: Int, among total: Int, _ pool: DefaultQueuePool,
        _ makeItems: (Int, DefaultQueuePool) -> any Items
    ) throws -> (time: Double, bytes: Double) {
        let sets = (0..<total / count).map { _ in makeItems(count, pool) }
        var time: UInt64 = 0
        var heap: UInt64 = 0
        for isCounted in [false, true] {
            let before = measuring_heap_bytes()
            for items in sets {
                let used = try measure(items)
                if isCounted { time += used }
            }
            MainLoop.settle()
            let after = measuring_heap_bytes()
            if isCounted { heap = after > before ? after - before : 0 }
        }
        let items = Double(sets.count * count)
        return withExtendedLifetime(sets) { (Double(time) / items, Double(heap) / items) }
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
            items.proceed()
            MainLoop.turn()
            time += Clock.threadTime - start
        }
        start = Clock.threadTime
        items.end()
        return time + Clock.threadTime - start
    }
}

/// The items that are displayed in a turn.
@MainActor
private protocol Items: AnyObject {
    func begin()
    /// Called before each later turn.
    func proceed()
    var haveEnded: Bool { get }
    func end()
}

extension Items {
    func proceed() {}
    func end() {}
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
        let layer = AsyncLayer(renderer: EmptyRenderer(), host: host, cache: sharedCache)
        layer.size = Size(width: 10, height: 10)
        layer.delegate = self
        return layer
    }

    /// A cache that all layers share.
    var sharedCache: ContentsCache<EmptyRenderer>? { nil }

    func displayTask(for layer: AsyncLayer<EmptyRenderer>) -> DisplayTask<EmptyRenderer>? {
        DisplayTask(onEnd: { [weak self] _ in self?.endedCount += 1 }, draw: { _, _ in })
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

private final class DisplaysOfOneGroup: Layers, Items {
    /// The time limit is the default one: each display has a timer, which must not fire in another benchmark.
    private lazy var group = DisplayGroup(host: host)
    private let count: Int
    private var leftCount = 0
    var haveEnded: Bool { leftCount == 0 }

    init(_ count: Int, _ pool: DefaultQueuePool) {
        self.count = count
        super.init(2, pool)
        for layer in layers { group.add(layer) }
    }

    func begin() {
        leftCount = count
        for _ in 0..<count { group.display { [weak self] _ in self?.leftCount -= 1 } }
    }

    /// Lets the timers fire.
    func end() { MainLoop.run(until: Clock.now + 200_000_000) }
}

private final class FollowersOfOneDraw: Layers, Items {
    /// Holds the draw until the followers have left.
    private let gate = DispatchSemaphore(value: 0)
    private let cache: ContentsCache<EmptyRenderer>
    private var number = 0
    private var haveLeft = false

    init(_ count: Int, _ pool: DefaultQueuePool) {
        cache = ContentsCache(byteLimit: 0, pool: pool)
        super.init(count, pool)
    }

    override var sharedCache: ContentsCache<EmptyRenderer>? { cache }

    override func displayTask(for layer: AsyncLayer<EmptyRenderer>) -> DisplayTask<EmptyRenderer>? {
        DisplayTask(key: number, onEnd: { [weak self] _ in self?.endedCount += 1 }) { [gate] _, _ in
            gate.wait()
        }
    }

    func begin() {
        number += 1
        haveLeft = false
        displayAll()
    }

    func proceed() {
        guard !haveLeft else { return }
        haveLeft = true
        for layer in layers.dropFirst().reversed() { layer.cancelDisplay() }
        gate.signal()
    }

    var haveEnded: Bool { endedCount == layers.count }
}

private final class WaitersOfOneLayer: Layers, Items {
    private let count: Int
    private var tasks: [Task<Void, Never>] = []
    private var begunCount = 0

    init(_ count: Int, _ pool: DefaultQueuePool) {
        self.count = count
        super.init(1, pool)
        // A suspended layer that has been invalidated is not displayed.
        layers[0].suspend()
    }

    func begin() {
        endedCount = 0
        begunCount = 0
        layers[0].setNeedsDisplay()
        tasks = (0..<count).map { _ in
            Task { @MainActor [self] in
                begunCount += 1
                try? await layers[0].displayed()
                endedCount += 1
            }
        }
    }

    func proceed() {
        guard begunCount == count else { return }
        for task in tasks.reversed() { task.cancel() }
        tasks = []
    }

    var haveEnded: Bool { endedCount == count }
}

private final class CompositionOfMany: Layers, Items {
    private let composition: Composition<EmptyRenderer>

    /// Parts of 10 × 10 pixels, side by side.
    init(_ count: Int, _ pool: DefaultQueuePool) {
        let columns = Int(Double(count).squareRoot().rounded(.up))
        composition = Composition(
            (0..<count).map { index in
                let origin = Point(x: Double(index % columns) * 10, y: Double(index / columns) * 10)
                return Composition.Part(
                    size: Size(width: 10, height: 10), placement: PartPlacement(origin: origin)
                ) { _, _ in }
            })
        super.init(1, pool)
        let extent = Double(columns) * 10
        layers[0].size = Size(width: extent, height: extent)
    }

    override func displayTask(for layer: AsyncLayer<EmptyRenderer>) -> DisplayTask<EmptyRenderer>? {
        DisplayTask(composition: composition, onEnd: { [weak self] _ in self?.endedCount += 1 })
    }

    var haveEnded: Bool { endedCount == 1 }
    func begin() { displayAll() }
}

private final class BudgetOfMany: Layers, Items {
    init(_ count: Int, _ pool: DefaultQueuePool) { super.init(count, pool, byteLimit: 10 * 400) }

    var haveEnded: Bool { endedCount == layers.count }
    func begin() { displayAll() }
}

/// Reports a size of its contents, and allocates none.
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
