import AsyncLayers
import BenchmarkHarness
import BitmapRendering
import QueuePools
import Synchronization

/// What does one change cost in a picture of 2,000 parts with keys?
///
/// Against drawing the one part that has changed, and blending all 2,000 pictures into one context, by hand
/// on the main thread.
struct CompositionOneChange: Benchmark {
    private static let ours = "AsyncLayer"
    private static let byHand = "blending by hand"

    let metrics = [
        Metric(
            "composition-one-change", unit: "ms", ours: ours,
            summary:
                "One of 2,000 parts of a composition has changed: processor time of the main thread, with the making of the value. Bar: 2 ms."
        ),
        Metric(
            "composition-one-change-draws", unit: "draws", ours: ours,
            summary: "How many draw closures of parts that calls. It must be one."),
        Metric(
            "composition-one-change-picture", unit: "ms", ours: ours,
            summary:
                "The time from display() until the new picture is shown. Bar: 1.3 × blending by hand."),
    ]

    let plan = Plan(rounds: (3, 9))

    let trials = [
        Trial(ours, threads: .own) { scale in
            let pool = try DefaultQueuePool(label: "parts", queuesPerTier: .exactly(scale.workers))
            return Session(
                measure: {
                    try MainActor.assumeIsolated {
                        try measure(LayerBoard(pool), changes: scale.pick(quick: 10, full: 50))
                    }
                }, end: { pool.shutdownBlocking() })
        },
        Trial(byHand, threads: .own) { scale in
            Session(
                measure: {
                    try MainActor.assumeIsolated {
                        try measure(BoardByHand(), changes: scale.pick(quick: 10, full: 50))
                    }
                }, end: {})
        },
    ]

    @MainActor
    private static func measure(_ board: any Board, changes: Int) throws -> [Reading] {
        try board.show()
        MainLoop.settle()
        let drawn = board.squares.drawCount
        var (threadTime, time) = (UInt64(0), UInt64(0))
        for change in 1...changes {
            board.squares.change(change * 37)
            let (start, startOfThread) = (Clock.now, Clock.threadTime)
            try board.show()
            time += Clock.now - start
            threadTime += Clock.threadTime - startOfThread
        }
        let draws = Double(board.squares.drawCount - drawn) / Double(changes)
        guard draws == 1 else { throw MeasuringError("one change has drawn \(draws) parts") }
        let scale = Double(changes) * 1e6
        return [Double(threadTime) / scale, draws, Double(time) / scale].map { Reading($0) }
    }
}

/// 2,000 squares of 20 × 20 pixels, each with a colour and a number of its own.
private final class Squares: Sendable {
    static let columns = 50
    static let size = Size(width: 20, height: 20)
    static let bounds = Rect(x: 0, y: 0, width: 1_000, height: 800)

    private let versions = Mutex([Int](repeating: 0, count: 2_000))
    private let draws = Atomic(0)

    var drawCount: Int { draws.load(ordering: .acquiring) }

    /// A number of the square's own, until it changes.
    var keys: [Int] { versions.withLock { $0.enumerated().map { $0 + 2_000 * $1 } } }

    func change(_ index: Int) { versions.withLock { $0[index % 2_000] += 1 } }

    static func origin(of index: Int) -> Point {
        Point(x: Double(index % columns) * 20, y: Double(index / columns) * 20)
    }

    func draw(_ key: Int, into context: BitmapContext) {
        draws.wrappingAdd(1, ordering: .releasing)
        let color = Color(red: Double(key % 256) / 255, green: 0.5, blue: 0.5, alpha: 0.9)
        context.fill(Rect(size: Self.size), cornerRadius: 4, with: .color(color))
    }
}

@MainActor
private protocol Board: AnyObject {
    var squares: Squares { get }
    /// Shows the squares as they are; returns when it does.
    func show() throws
}

@MainActor
private final class LayerBoard: Board, AsyncLayerDelegate {
    let squares = Squares()
    private let layer: AsyncLayer<BitmapRenderer>
    private var isShown = false

    init(_ pool: DefaultQueuePool) {
        let cache = ContentsCache<BitmapRenderer>(byteLimit: 64 << 20, pool: pool)
        layer = AsyncLayer(renderer: BitmapRenderer(), host: DisplayHost(pool: pool), cache: cache)
        layer.size = Squares.bounds.size
        layer.delegate = self
        layer.onContentsChange = { [unowned self] _ in isShown = true }
    }

    func displayTask(for layer: AsyncLayer<BitmapRenderer>) -> DisplayTask<BitmapRenderer>? {
        let parts = squares.keys.enumerated().map { [squares] index, key in
            Composition<BitmapRenderer>.Part(
                key: key, size: Squares.size, placement: PartPlacement(origin: Squares.origin(of: index))
            ) { context, _ in squares.draw(key, into: context) }
        }
        return DisplayTask(composition: Composition(parts))
    }

    func show() throws {
        isShown = false
        layer.display()
        let deadline = Clock.now + 10_000_000_000
        while !isShown {
            guard Clock.now < deadline else { throw MeasuringError("a picture was not shown within 10 s") }
            MainLoop.handleNext()
        }
    }
}

@MainActor
private final class BoardByHand: Board {
    let squares = Squares()
    private let renderer = BitmapRenderer()
    private var pictures: [(key: Int, picture: Bitmap)] = []
    private var shown: Bitmap?

    func show() throws {
        let keys = squares.keys
        for (index, key) in keys.enumerated() where index >= pictures.count || pictures[index].key != key {
            let context = try renderer.makeContext(ContextDescription(pixelWidth: 20, pixelHeight: 20))
            squares.draw(key, into: context)
            let picture = (key, renderer.makeContents(from: context))
            if index < pictures.count { pictures[index] = picture } else { pictures.append(picture) }
        }
        let context = try renderer.makeContext(ContextDescription(pixelWidth: 1_000, pixelHeight: 800))
        for (index, picture) in pictures.enumerated() {
            let origin = Squares.origin(of: index)
            renderer.draw(
                picture.picture, into: context,
                placed: ContentsPlacement(transform: .translation(x: origin.x, y: origin.y)))
        }
        shown = renderer.makeContents(from: context)
    }
}
