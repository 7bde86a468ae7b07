import Testing

@testable import LayerBenchmarks

@Suite struct FlicksTests {
    @Test func theSameSeedMakesTheSameScroll() {
        let flicks = [1, 1, 2].map { Flicks.positions(frames: 500, speeds: 100...200, seed: $0) }
        #expect(flicks[0] == flicks[1])
        #expect(flicks[0] != flicks[2])
    }

    @Test func aScrollBeginsAtRestAndNeverGoesBackNorFasterThanItsFlicks() {
        let positions = Flicks.positions(frames: 2_000, speeds: 100...200)
        #expect(positions.count == 2_000)
        #expect(positions[0] == 0)
        let steps = zip(positions, positions.dropFirst()).map { $1 - $0 }
        #expect(steps.allSatisfy { (0...200.0 / 120).contains($0) })
        #expect(steps.contains { $0 > 100.0 / 120 })
        #expect(steps.contains(0))
    }
}
