import Testing

@testable import AsyncLayers

@Suite("Layout widths")
struct LayoutWidthTests {
    @Test("a width is rounded up to 1/1024 point, never down")
    func rounding() {
        #expect(LayoutWidth(320).points == 320)
        #expect(LayoutWidth(320.5).points == 320.5)
        #expect(LayoutWidth(320.0001).points == 320 + 1.0 / 1_024)
        #expect(LayoutWidth(0.00001).points == 1.0 / 1_024)
        #expect(LayoutWidth(100.0 / 3).points >= 100.0 / 3)
        #expect(LayoutWidth(100.0 / 3).points - 100.0 / 3 < 1.0 / 1_024)
    }

    @Test("widths within the same 1024th of a point are one")
    func sharing() {
        #expect(LayoutWidth(100.0001) == LayoutWidth(100.0009))
        #expect(LayoutWidth(100) != LayoutWidth(100.0009))
        #expect(LayoutWidth(100.0009) != LayoutWidth(100.001))
        #expect(LayoutWidth(LayoutWidth(100.0 / 3).points) == LayoutWidth(100.0 / 3))
    }

    @Test("what is no width counts as zero, and a huge one as none at all")
    func extremes() {
        for nothing in [0, -0.0, -1, -.infinity, .nan, .signalingNaN, -.greatestFiniteMagnitude] {
            #expect(LayoutWidth(nothing).points == 0)
        }
        for unbounded in [0x1p40, 0x1p52, 1e300, .greatestFiniteMagnitude, .infinity] {
            #expect(LayoutWidth(unbounded).points == .infinity)
        }
        #expect(LayoutWidth(.leastNonzeroMagnitude).points == 1.0 / 1_024)
        #expect(LayoutWidth((0x1p40).nextDown).points == 0x1p40)
        #expect(LayoutWidth(0x1p40 - 1).points == 0x1p40 - 1)
    }
}
