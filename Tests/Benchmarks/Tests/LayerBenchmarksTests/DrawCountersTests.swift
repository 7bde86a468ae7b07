import Testing

@testable import LayerBenchmarks

@Suite struct DrawCountersTests {
    @Test func whatNobodySawIsCountedByTheTimeThatItTook() {
        let counters = DrawCounters()
        let draws = [0, 1].map { counters.makeDraw(of: $0, milliseconds: 2) }
        let pictures = draws.map { draw in draw.makePicture { false } }
        #expect(counters.unshownPercentage == 100)
        #expect(counters.show(pictures[0], as: 0))
        #expect((20...80).contains(counters.unshownPercentage))
        #expect(counters.show(pictures[1], as: 1))
        #expect(counters.unshownPercentage == 0)
    }

    @Test func aPictureOfSomethingElseIsNotShown() {
        let counters = DrawCounters()
        let picture = counters.makeDraw(of: 7, milliseconds: 0.1).makePicture { false }
        #expect(!counters.show(picture, as: 8))
        #expect(!counters.show(nil, as: 7))
        #expect(counters.unshownPercentage == 100)
    }

    @Test func aDrawThatNeverRanIsNoWaste() {
        let counters = DrawCounters()
        _ = counters.makeDraw(of: 1, milliseconds: 4)
        #expect(counters.unshownPercentage == 0)
    }
}
