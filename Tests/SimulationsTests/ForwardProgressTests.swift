import AsyncLayers
import Simulations
import TestSupport
import Testing

@MainActor
@Suite("Forward progress, in the simulation's time", .timeLimit(.minutes(10)))
struct ForwardProgressTests {
    @Test(
        "invalidated all the time, a layer shows a new picture at least every maximumStaleness and one draw",
        arguments: [0, 20, 100, 250])
    func oneLayer(maximumStaleness: Int) {
        var superseded = 0
        for seed: UInt64 in 1...50 {
            var generator = SeededGenerator(seed: seed)
            let longestDraw = Duration.milliseconds(Int.random(in: 1...40, using: &generator))
            let staleness = Duration.milliseconds(maximumStaleness)
            let storm = Storm(
                Simulation(), layerCount: 1, maximumStaleness: staleness, longestDraw: longestDraw,
                seed: seed)
            storm.rage(frameCount: 240)
            // Two invalidations are up to two frames apart, and a draw that is not overdue yet by a little may
            // be begun anew by each.
            #expect(
                storm.longestGap <= staleness + longestDraw + Storm.frame * 2,
                "seed \(seed), draws up to \(longestDraw)")
            #expect(storm.isOver)
            superseded += storm.superseded
        }
        #expect(superseded > 0 || maximumStaleness == 0, "draws were made stale")
    }

    /// 10,000 invalidations a unit of `STRESS_SCALE`, a million at a scale of 100, from `STRESS_SEED` on. All
    /// at once the layers want more than their two queues can draw, and than fits into memory.
    @Test("fifty layers that four threads invalidate all the time each show new pictures all along")
    func fiftyLayers() {
        var superseded = 0
        for seed in (0..<UInt64(StressPlan.scale)).map({ StressPlan.seed &+ $0 }) {
            let simulation = Simulation(order: .seeded(seed), byteLimit: 3 * 8 * 8 * 4)
            let (staleness, longestDraw) = (Duration.milliseconds(100), Duration.milliseconds(2))
            let storm = Storm(
                simulation, layerCount: 50, maximumStaleness: staleness, longestDraw: longestDraw, seed: seed)
            storm.rage(frameCount: 200)
            // A layer has two draws at the most that nobody stops: what is finished, and what is newer.
            let limit = staleness + longestDraw * 2 * 50 + Storm.frame * 2
            #expect(storm.longestGap <= limit, "STRESS_SEED=\(seed)")
            #expect(storm.isOver, "STRESS_SEED=\(seed)")
            superseded += storm.superseded
        }
        #expect(superseded > 1_000 * StressPlan.scale, "draws were made stale")
    }
}

/// In each frame each layer is invalidated, by the main thread or by one of four others, at some moment of it.
/// Draws look at their scope all along.
@MainActor
private final class Storm {
    static let frame = Duration.microseconds(8_333)

    /// The longest time for which a layer showed nothing new, from the storm's beginning to its end.
    private(set) var longestGap = Duration.zero
    private let simulation: Simulation
    private let sketches: [Sketch]
    private var generator: SeededGenerator

    init(
        _ simulation: Simulation, layerCount: Int, maximumStaleness: Duration, longestDraw: Duration,
        seed: UInt64
    ) {
        self.simulation = simulation
        generator = SeededGenerator(seed: seed)
        sketches = (0..<layerCount).map { _ in Sketch(simulation) }
        for (number, sketch) in sketches.enumerated() {
            sketch.layer.maximumStaleness = maximumStaleness
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

    var superseded: Int { simulation.metrics.snapshot().superseded.total }

    /// True when each pass has ended and each layer shows what it was asked for last.
    var isOver: Bool {
        simulation.metrics.snapshot().inFlight == 0 && simulation.possibleActions.isEmpty
            && sketches.allSatisfy { $0.shown == "\($0.passCount)" }
    }

    func rage(frameCount: Int) {
        let (begin, end) = (simulation.now, simulation.now + Self.frame * frameCount)
        var shownAt = Array(repeating: begin, count: sketches.count)
        for (index, sketch) in sketches.enumerated() {
            sketch.layer.contentsDidChange = { [unowned self, unowned simulation] _ in
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
