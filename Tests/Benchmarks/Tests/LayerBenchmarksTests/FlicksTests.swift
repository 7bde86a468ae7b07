import Testing

@testable import LayerBenchmarks

@Suite struct FlicksTests {
    @Test func theSameSeedMakesTheSameScroll() {
        let flicks = [1, 1, 2].map { Flicks.frames(500, speeds: 100...200, seed: $0) }
        #expect(flicks[0] == flicks[1])
        #expect(flicks[0] != flicks[2])
    }

    @Test func aScrollBeginsAtRestAndNeverGoesBackNorFasterThanItsFlicks() {
        let positions = Flicks.frames(2_000, speeds: 100...200).map(\.position)
        #expect(positions.count == 2_000)
        #expect(positions[0] == 0)
        let steps = zip(positions, positions.dropFirst()).map { $1 - $0 }
        #expect(steps.allSatisfy { (0...200.0 / 120).contains($0) })
        #expect(steps.contains { $0 > 100.0 / 120 })
        #expect(steps.contains(0))
    }

    @Test func theFingerLiftsOffOnceForEachTimeThatItDrags() {
        let actions = Flicks.frames(2_000, speeds: 100...200).compactMap(\.action)
        #expect(actions.first == .cameDown)
        var isDown = false
        for action in actions {
            if case .liftedOff = action { #expect(isDown) }
            isDown = action == .cameDown
        }
    }

    @Test func noFlickGlidesBeyondWhereItWouldStop() {
        var target = Double.infinity
        for frame in Flicks.frames(2_000, speeds: 100...200) {
            switch frame.action {
            case .cameDown: target = .infinity
            case .liftedOff(let end):
                #expect(end > frame.position + 40)
                target = end
            case nil: break
            }
            // A row more or less: the glide is added up frame by frame.
            #expect(frame.position < target + 1)
        }
    }
}
