import Testing

@testable import AsyncLayers

@Suite("Layout widths")
struct LayoutWidthTests {
    private func rounded(_ width: Double) -> Double { LayoutCache<String, String>.Key("", width).width }

    @Test("a width is rounded up to 1/1024 point, never down")
    func rounding() {
        #expect(rounded(320) == 320)
        #expect(rounded(320.5) == 320.5)
        #expect(rounded(320.0001) == 320 + 1.0 / 1_024)
        #expect(rounded(0.00001) == 1.0 / 1_024)
        #expect(rounded(100.0 / 3) >= 100.0 / 3)
        #expect(rounded(100.0 / 3) - 100.0 / 3 < 1.0 / 1_024)
    }

    @Test("widths within the same 1024th of a point are one")
    func sharing() {
        #expect(rounded(100.0001) == rounded(100.0009))
        #expect(rounded(100) != rounded(100.0009))
        #expect(rounded(100.0009) != rounded(100.001))
        #expect(rounded(rounded(100.0 / 3)) == rounded(100.0 / 3))
    }

    @Test("what is no width counts as zero, and a huge one as none at all")
    func extremes() {
        for nothing in [0, -0.0, -1, -.infinity, .nan, .signalingNaN, -.greatestFiniteMagnitude] {
            #expect(rounded(nothing) == 0)
        }
        for unbounded in [0x1p40, 0x1p52, 1e300, .greatestFiniteMagnitude, .infinity] {
            #expect(rounded(unbounded) == .infinity)
        }
        #expect(rounded(.leastNonzeroMagnitude) == 1.0 / 1_024)
        #expect(rounded((0x1p40).nextDown) == 0x1p40)
        #expect(rounded(0x1p40 - 1) == 0x1p40 - 1)
    }
}
