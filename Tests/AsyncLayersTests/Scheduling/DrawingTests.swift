import QueuePoolsLocks
import ManualPools
import QueuePools
import TestSupport
import Testing
import QueuePoolsTransactions

@testable import AsyncLayers

@MainActor
@Suite("Drawings and their places", .timeLimit(.minutes(15)))
struct DrawingTests {
    let bench: LayerBench
    init() throws { bench = try LayerBench() }

    @Test("a draw that is moved to a tier which is full keeps its place")
    func fullTier() throws {
        let pool = try ManualPool(capacity: [.userInteractive: 1])
        let loop = ManualLoop()
        let host = DisplayHost(
            pool: pool, transactions: TransactionQueue(driver: ManualTurnDriver()), loop: loop,
            budget: MemoryBudget(byteLimit: 1 << 20), metrics: DisplayMetrics())
        let delegate = Numbered()
        let layer = AsyncLayer(renderer: RecordingRenderer(), host: host)
        layer.size = Size(width: 4, height: 4)
        layer.delegate = delegate
        layer.display()
        try pool.async(qos: .userInteractive) {}
        layer.qos = .userInteractive
        for _ in 0..<2 {
            pool.runAll()
            loop.runAll()
        }
        #expect(delegate.outcomes == ["committed"])
        #expect(layer.contents != nil && host.budget.bytesInUse == 0)
        loop.close()
    }

    @Test("sixteen thousand layers that share a draw leave it in time that grows with their number")
    func manySubscribers() throws {
        func time(_ count: Int) throws -> Duration {
            let bench = try LayerBench()
            let layers = (0..<count).map { _ in bench.addLayer() }
            bench.makeTask = { _ in DisplayTask(key: "shared") { _, _ in } }
            for layer in layers { layer.display() }
            let start = ContinuousClock.now
            for layer in layers.reversed() { layer.cancelDisplay() }
            return ContinuousClock.now - start
        }
        // Twice as many; where each visited all others it was four times. Not against far fewer, all of which
        // lie in the processor's caches.
        let isLinear = try (0..<3).contains { _ in try time(16_000) < time(8_000) * 3 }
        #expect(isLinear)
    }

    @Test("a replaced draw that others share does not exceed the budget")
    func budgetExceeded() throws {
        let bench = try LayerBench(budget: 900)
        let a = bench.addLayer(), b = bench.addLayer()
        for layer in [a, b] { layer.size = Size(width: 10, height: 10) }
        bench.makeTask = { _ in DisplayTask(key: "k") { _, _ in } }
        a.display()
        b.display()
        #expect(bench.budget.bytesInUse == 400)
        bench.makeTask = { _ in DisplayTask { _, _ in } }
        a.size = Size(width: 10, height: 17)  // 680 bytes
        a.display()
        #expect(bench.budget.bytesInUse <= 900, "\(bench.budget.bytesInUse)")
        bench.settleTurns()
        #expect(bench.budget.peakBytesInUse <= 900, "peak \(bench.budget.peakBytesInUse)")
        #expect(bench.budget.bytesInUse == 0)
    }

    @Test("two layers of one key that are displayed again with it are drawn once")
    func drawnTwice() {
        let a = bench.addLayer(), b = bench.addLayer()
        let draws = Counter()
        bench.makeTask = { _ in DisplayTask(key: "k") { _, _ in draws.increment() } }
        a.display()
        b.display()
        a.display()
        bench.settle()
        #expect(draws.value == 1)
    }

    @Test("a moved pass that has joined a drawing is not demoted when the first has left")
    func movedFollower() {
        let a = bench.addLayer(), b = bench.addLayer(), c = bench.addLayer()
        bench.makeTask = { $0 == 3 ? DisplayTask { _, _ in } : DisplayTask(key: "k") { _, _ in } }
        a.display()
        b.setNeedsDisplay()
        b.qos = .userInitiated
        bench.transactions.flush()
        #expect(b.pipeline.machine.current?.drawing === a.pipeline.machine.current?.drawing)
        a.cancelDisplay()
        bench.main.advance(by: .milliseconds(20))
        c.display()
        #expect(b.pipeline.machine.current?.drawing?.tier == .userInitiated)
        bench.settleTurns()
    }
}

@MainActor
private final class Numbered: AsyncLayerDelegate {
    var outcomes: [String] = []

    func displayTask(for layer: AsyncLayer<RecordingRenderer>) -> DisplayTask<RecordingRenderer>? {
        DisplayTask(onEnd: { self.outcomes.append($0.description) }, draw: { _, _ in })
    }
}
