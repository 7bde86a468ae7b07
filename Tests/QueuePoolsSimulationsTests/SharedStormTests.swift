import AsyncLayers
import QueuePoolsSimulations
import TestSupport
import Testing

@MainActor
private final class Painter: AsyncLayerDelegate {
    let layer: AsyncLayer<RecordingRenderer>
    var shown = 0
    var started = 0
    var stopped = 0
    var key: (@MainActor () -> Int)?
    let drawTime: Int
    let simulation: Simulation

    init(_ simulation: Simulation, drawTime: Int, cache: ContentsCache<RecordingRenderer>? = nil) {
        self.simulation = simulation
        self.drawTime = drawTime
        layer = AsyncLayer(renderer: RecordingRenderer(), host: simulation.host, cache: cache)
        layer.size = Size(width: 8, height: 8)
        layer.delegate = self
    }

    func displayTask(for layer: AsyncLayer<RecordingRenderer>) -> DisplayTask<RecordingRenderer>? {
        var task = DisplayTask<RecordingRenderer>(
            onEnd: { outcome in
                if case .committed = outcome { self.shown += 1 }
                if case .superseded(.drawing) = outcome { self.stopped += 1 }
            },
            draw: { [simulation, drawTime] _, scope in
                MainActor.assumeIsolated { self.started += 1 }
                for _ in 0..<drawTime {
                    try scope.checkCancellation()
                    simulation.spend(.milliseconds(1))
                }
            })
        if let key { task.key = ContentKey(key()) }
        return task
    }
}

@MainActor
@Suite("Storms of layers that share draws, or grow", .timeLimit(.minutes(15)))
struct SharedStormTests {
    /// Invalidates painters each 8 ms.
    private func rage(
        _ simulation: Simulation, _ painters: [Painter], frames: Int = 250,
        each: @MainActor @escaping (Int) -> Void = { _ in }
    ) {
        for frame in 0..<frames {
            simulation.host.loop.perform(at: .milliseconds(8 * frame)) {
                each(frame)
                for painter in painters { painter.layer.setNeedsDisplay() }
            }
        }
        simulation.advance(by: .milliseconds(8 * frames))
    }

    @Test(
        "two layers that show the same content show pictures at the rate at which they draw",
        arguments: [false, true])
    func mirror(isKeyed: Bool) {
        let simulation = Simulation()
        let cache = ContentsCache<RecordingRenderer>(byteLimit: 1 << 20, pool: simulation.pool)
        let pair = (0..<2).map { _ in Painter(simulation, drawTime: 30, cache: cache) }
        var version = 0
        if isKeyed { for painter in pair { painter.key = { version } } }
        rage(simulation, pair) { version = $0 }
        #expect(pair.allSatisfy { $0.shown > 20 })
        simulation.advance(by: .seconds(1))
    }

    @Test("two layers that show the same content have their turn in a busy pool", arguments: [false, true])
    func mirrorWaiting(isKeyed: Bool) {
        let simulation = Simulation(queuesPerTier: 1)
        let cache = ContentsCache<RecordingRenderer>(byteLimit: 1 << 20, pool: simulation.pool)
        let others = (0..<3).map { _ in Painter(simulation, drawTime: 30) }
        let pair = (0..<2).map { _ in Painter(simulation, drawTime: 1, cache: cache) }
        var version = 0
        if isKeyed { for painter in pair { painter.key = { version } } }
        rage(simulation, others + pair) { version = $0 }
        #expect(pair.allSatisfy { $0.shown > 10 })
        simulation.advance(by: .seconds(1))
    }

    @Test("a layer that grows keeps its place in a busy pool", arguments: [false, true])
    func growing(isGrowing: Bool) {
        let simulation = Simulation(queuesPerTier: 1)
        let others = (0..<3).map { _ in Painter(simulation, drawTime: 30) }
        let one = Painter(simulation, drawTime: 1)
        rage(simulation, others + [one]) {
            if isGrowing { one.layer.size = Size(width: 8 + Double($0), height: 8) }
        }
        #expect(one.shown > 10)
        simulation.advance(by: .seconds(1))
    }
}
