import AsyncLayers
import BenchmarkHarness
import BitmapRendering
import QueuePools
import Synchronization

/// What does a live resize cost the main thread: 60 compositions of 42 parts each, all of which are in the
/// cache?
///
/// In each turn all layers get another width. Processor time of the main thread: from the invalidation to the
/// end of the turn, and, after a while in which all have been drawn, the turns in which they are shown.
struct CompositionResize: Benchmark {
    private static let ours = "AsyncLayer"

    let metrics = [
        Metric(
            "composition-resize", unit: "ms", ours: ours,
            summary:
                "60 compositions of 42 parts, made and resized in each turn: processor time of the main thread for a turn. Bar: 1 ms."
        )
    ]

    let plan = Plan(rounds: (3, 9))

    let trials = [
        trial(ours) { cell in { [unowned cell] in DisplayTask(composition: Composition(cell.parts())) } },
        trial("parts kept by the program") { cell in
            let parts = cell.parts()
            return { DisplayTask(composition: Composition(parts)) }
        },
        trial("one closure each") { _ in { DisplayTask { _, _ in } } },
    ]

    private static func trial(
        _ name: String, task: @escaping @MainActor @Sendable (Cell) -> () -> DisplayTask<BitmapRenderer>
    ) -> Trial {
        Trial(name, threads: .own) { scale in
            let pool = try DefaultQueuePool(label: "cells", queuesPerTier: .exactly(scale.workers))
            return Session(
                measure: {
                    try MainActor.assumeIsolated {
                        let host = DisplayHost(pool: pool)
                        let cache = ContentsCache<BitmapRenderer>(byteLimit: 64 << 20, pool: pool)
                        let cells = (0..<60).map { Cell($0, host, cache, task) }
                        return try measure(cells, turns: scale.pick(quick: 10, full: 50))
                    }
                }, end: { pool.shutdownBlocking() })
        }
    }

    @MainActor
    private static func measure(_ cells: [Cell], turns: Int) throws -> [Reading] {
        var time: UInt64 = 0
        var drawCount = 0
        // The first turn draws the parts, and has no pictures to replace.
        for turn in 0...turns {
            if turn == 1 { drawCount = partDrawCount.load(ordering: .acquiring) }
            let start = Clock.threadTime
            for cell in cells { cell.resize(toWidth: Double(200 + turn % 40)) }
            MainLoop.turn()
            let shown = Clock.threadTime - start + (try showAll(cells))
            if turn > 0 { time += shown }
        }
        let drawn = partDrawCount.load(ordering: .acquiring) - drawCount
        guard drawn == 0 else { throw MeasuringError("\(turns) turns have drawn \(drawn) parts") }
        MainLoop.settle()
        return [Reading(Double(time) / Double(turns) / 1e6)]
    }

    /// Runs turns, with time to draw before each, until all are shown; returns the main thread's processor
    /// time in these turns. So how often the loop is woken up does not count.
    @MainActor
    private static func showAll(_ cells: [Cell]) throws -> UInt64 {
        let deadline = Clock.now + 10_000_000_000
        var time: UInt64 = 0
        repeat {
            guard Clock.now < deadline else { throw MeasuringError("a cell was not shown within 10 s") }
            Clock.sleep(microseconds: 3_000)
            let start = Clock.threadTime
            MainLoop.turn()
            time += Clock.threadTime - start
        } while !cells.allSatisfy(\.isShown)
        return time
    }
}

private let partDrawCount = Atomic(0)

/// A layer of 42 parts, in seven columns.
@MainActor
private final class Cell: AsyncLayerDelegate {
    typealias Task = DisplayTask<BitmapRenderer>

    private let number: Int
    private let layer: AsyncLayer<BitmapRenderer>
    private var task: () -> Task = { Task(draw: nil) }
    private(set) var isShown = false

    init(
        _ number: Int, _ host: DisplayHost, _ cache: ContentsCache<BitmapRenderer>,
        _ task: (Cell) -> () -> Task
    ) {
        self.number = number
        layer = AsyncLayer(renderer: BitmapRenderer(), host: host, cache: cache)
        self.task = task(self)
        layer.delegate = self
        layer.onContentsChange = { [unowned self] _ in isShown = true }
    }

    func parts() -> [Composition<BitmapRenderer>.Part] {
        (0..<42).map { index in
            let key = 42 * number + index
            let origin = Point(x: Double(index % 7) * 30, y: Double(index / 7) * 24)
            return Composition<BitmapRenderer>.Part(
                key: key, size: Size(width: 28, height: 22), placement: PartPlacement(origin: origin)
            ) { context, scope in
                partDrawCount.wrappingAdd(1, ordering: .releasing)
                let color = Color(red: Double(key % 256) / 255, green: 0.5, blue: 0.5, alpha: 0.9)
                context.fill(scope.bounds, cornerRadius: 4, with: .color(color))
            }
        }
    }

    func resize(toWidth width: Double) {
        isShown = false
        layer.size = Size(width: width, height: 144)
        layer.setNeedsDisplay()
    }

    func displayTask(for layer: AsyncLayer<BitmapRenderer>) -> Task? { task() }
}
