import AsyncLayers
import Simulations
import TestSupport
import Testing

@MainActor
@Suite("Forward progress, in the simulation's time", .timeLimit(.minutes(5)))
struct ForwardProgressTests {
    private let frame = Duration.microseconds(8_333)
    private let frameCount = 240

    /// A storm: in each frame a layer is invalidated, by the main thread or by another one, at some moment of
    /// it. Its draws look at their scope every millisecond.
    @Test(
        "invalidated all the time, a layer shows a new picture at least every maximumStaleness and one draw",
        arguments: [0, 20, 100, 250])
    func storm(maximumStaleness: Int) {
        var superseded = 0
        for seed: UInt64 in 1...50 {
            var generator = SeededGenerator(seed: seed)
            let longestDraw = Int.random(in: 1...40, using: &generator)
            let simulation = Simulation()
            let sketch = Sketch(simulation)
            let layer = sketch.layer
            let shownAt = Recorder<Duration>()
            layer.maximumStaleness = .milliseconds(maximumStaleness)
            layer.contentsDidChange = { [unowned simulation] _ in shownAt.append(simulation.now) }
            sketch.beforeDrawing = { pass, scope in
                var ofPass = SeededGenerator(seed: seed &* 1_000_000 &+ UInt64(pass))
                for _ in 0..<Int.random(in: 1...longestDraw, using: &ofPass) {
                    try scope.checkCancellation()
                    simulation.spend(.milliseconds(1))
                }
            }
            for number in 0..<frameCount {
                let time = frame * number + .microseconds(Int.random(in: 0..<8_333, using: &generator))
                if generator.next() % 2 == 0 {
                    simulation.schedule(at: time) { layer.setNeedsDisplay() }
                } else {
                    simulation.host.loop.perform(at: time) { layer.setNeedsDisplay() }
                }
            }
            simulation.advance(by: frame * frameCount)

            // Two invalidations are up to two frames apart, and a draw that is not overdue yet by a little may
            // be begun anew by each.
            let limit = Duration.milliseconds(maximumStaleness + longestDraw) + frame * 2
            let times = shownAt.elements
            let gaps = zip([.zero] + times, times + [frame * frameCount]).map { $1 - $0 }
            #expect(gaps.max()! <= limit, "seed \(seed), draws up to \(longestDraw) ms")
            #expect(simulation.metrics.snapshot().inFlight == 0 && simulation.possibleActions.isEmpty)
            superseded += simulation.metrics.snapshot().superseded.total
        }
        #expect(superseded > 0 || maximumStaleness == 0, "draws were made stale")
    }
}
