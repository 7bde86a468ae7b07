import AsyncLayers
import QueuePoolsSimulations
import TestSupport
import Testing

@MainActor
@Suite("Forward progress, in the simulation's time", .timeLimit(.minutes(30)))
struct ForwardProgressTests {
    @Test("invalidated all the time, a layer shows a new picture at least every draw and two frames")
    func oneLayer() {
        for seed: UInt64 in 1...200 {
            var generator = SeededGenerator(seed: seed)
            let longestDraw = Duration.milliseconds(Int.random(in: 1...40, using: &generator))
            let storm = Storm(Simulation(), layerCount: 1, longestDraw: longestDraw, seed: seed)
            storm.rage(frameCount: 240)
            // Two requests are up to two frames apart; of two draws in turn the first may be stopped.
            #expect(
                storm.longestGap <= longestDraw * 2 + Storm.frame * 2,
                "seed \(seed), draws up to \(longestDraw)")
            #expect(storm.isOver)
            #expect(storm.stopped <= storm.shown, "seed \(seed)")
        }
    }

    /// 10,000 invalidations a unit of `STRESS_SCALE`, a million at a scale of 100, from `STRESS_SEED` on. All
    /// at once the layers want more than their two queues can draw, and than fits into memory.
    @Test("fifty layers that four threads invalidate all the time each show new pictures all along")
    func fiftyLayers() {
        for seed in (0..<UInt64(StressPlan.scale)).map({ StressPlan.seed &+ $0 }) {
            let simulation = Simulation(order: .seeded(seed), byteLimit: 3 * 8 * 8 * 4)
            let longestDraw = Duration.milliseconds(2)
            let storm = Storm(simulation, layerCount: 50, longestDraw: longestDraw, seed: seed)
            storm.rage(frameCount: 200)
            // In the worst case each of the others draws twice before a layer's turn comes: what it was
            // finishing, and what it asked for next.
            let limit = longestDraw * 2 * 50 + Storm.frame * 2
            #expect(storm.longestGap <= limit, "STRESS_SEED=\(seed)")
            #expect(storm.isOver, "STRESS_SEED=\(seed)")
            #expect(storm.stopped <= storm.shown, "STRESS_SEED=\(seed)")
        }
    }

    @Test("a layer that asks once has its turn while fifty others are invalidated all the time")
    func oneAmongMany() {
        let simulation = Simulation(byteLimit: 3 * 8 * 8 * 4)
        let storm = Storm(simulation, layerCount: 50, longestDraw: .milliseconds(10), seed: 1)
        let once = Sketch(simulation)
        var shownAfter: Duration?
        simulation.host.loop.perform(at: .milliseconds(500)) {
            once.layer.onContentsChange = { [unowned simulation] _ in
                shownAfter = simulation.now - .milliseconds(500)
            }
            once.layer.setNeedsDisplay()
        }
        storm.rage(frameCount: 200)
        // Each of the others once, in two queues.
        #expect(shownAfter ?? .seconds(100) <= .milliseconds(10) * 50 + Storm.frame * 2)
        #expect(storm.isOver)
    }
}

/// In each frame each layer is invalidated, by the main thread or by one of four others, at some moment of
/// it. Draws look at their scope all along.
@MainActor
private final class Storm {
    static let frame = Duration.microseconds(8_333)

    /// The longest time for which a layer showed nothing new, from the storm's beginning to its end.
    private(set) var longestGap = Duration.zero
    private let simulation: Simulation
    private let sketches: [Sketch]
    private var generator: SeededGenerator

    init(
        _ simulation: Simulation, layerCount: Int, longestDraw: Duration, seed: UInt64
    ) {
        self.simulation = simulation
        generator = SeededGenerator(seed: seed)
        sketches = (0..<layerCount).map { _ in Sketch(simulation) }
        for (number, sketch) in sketches.enumerated() {
            let seed = seed &* 1_000_000 &+ UInt64(number) &* 10_000
            sketch.beforeDrawing = { pass, scope in
                var ofPass = SeededGenerator(seed: seed &+ UInt64(pass))
                let pieces = 20
                for _ in 0..<Int.random(in: 1...pieces, using: &ofPass) {
                    try scope.checkCancellation()
                    simulation.spend(longestDraw / pieces)
                }
            }
        }
    }

    /// How many draws that had begun were not shown.
    var stopped: Int { simulation.metrics.snapshot().wastedDraws }

    var shown: Int { simulation.metrics.snapshot().committed }

    /// True when each pass has ended and each layer shows what it was asked for last.
    var isOver: Bool {
        simulation.metrics.snapshot().inFlight == 0 && simulation.possibleActions.isEmpty
            && sketches.allSatisfy { $0.shown == "\($0.passCount)" }
    }

    func rage(frameCount: Int) {
        let (begin, end) = (simulation.now, simulation.now + Self.frame * frameCount)
        var shownAt = Array(repeating: begin, count: sketches.count)
        for (index, sketch) in sketches.enumerated() {
            sketch.layer.onContentsChange = { [unowned self, unowned simulation] _ in
                longestGap = max(longestGap, simulation.now - shownAt[index])
                shownAt[index] = simulation.now
            }
            for number in 0..<frameCount {
                let time =
                    begin + Self.frame * number + .microseconds(Int.random(in: 0..<8_333, using: &generator))
                if generator.next() % 5 == 0 {
                    simulation.host.loop.perform(at: time) { sketch.layer.setNeedsDisplay() }
                } else {
                    simulation.schedule(at: time) { [layer = sketch.layer] in layer.setNeedsDisplay() }
                }
            }
        }
        simulation.advance(by: Self.frame * frameCount)
        for time in shownAt { longestGap = max(longestGap, end - time) }
    }
}
