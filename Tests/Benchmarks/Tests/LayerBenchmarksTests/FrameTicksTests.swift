import Testing

@testable import LayerBenchmarks

@Suite struct FrameTicksTests {
    private let period: UInt64 = 8_333_334

    @Test func framesInTimeBeginAtEachTickWithoutHitch() {
        var ticks = FrameTicks(origin: 1_000)
        for frame in 1...120 {
            ticks.endFrame(at: ticks.next + 8_000_000)
            #expect(ticks.next == 1_000 + UInt64(frame) * 1_000_000_000 / 120)
        }
        #expect(ticks.hitches == 0)
    }

    @Test func aFrameThatTakesLongerIsShownAtTheFirstTickAfterItHasEnded() {
        var ticks = FrameTicks(origin: 0)
        ticks.endFrame(at: period * 3 - 100)
        #expect(ticks.next == 25_000_000)
        // Shown at the third tick instead of the first: two of three periods.
        #expect(abs(ticks.hitches - 2_000.0 / 3) < 1e-9)
    }

    @Test func whatEndsAtATickIsShownAtIt() {
        var ticks = FrameTicks(origin: 0)
        ticks.endFrame(at: 8_333_333)
        #expect(ticks.hitches == 0)
        #expect(ticks.next == 8_333_333)
    }

    @Test func hitchesAreThoseOfASecond() {
        var ticks = FrameTicks(origin: 0)
        for frame in 0..<119 { ticks.endFrame(at: ticks.next + (frame == 50 ? period + 10 : 1)) }
        #expect(abs(ticks.hitches - 1_000.0 / 120) < 1e-9)
    }

    @Test func withoutAFrameThereIsNoHitch() {
        #expect(FrameTicks(origin: 5).hitches == 0)
    }
}
