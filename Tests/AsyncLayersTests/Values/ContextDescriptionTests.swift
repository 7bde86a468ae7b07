import Testing

@testable import AsyncLayers

@Suite("What a size comes to")
struct ContextDescriptionTests {
    private func pixels(_ width: Double, _ height: Double, _ scale: Double) throws -> [Int]? {
        let size = Size(width: width, height: height)
        return try ContextDescription(size: size, scale: scale, isOpaque: false).map {
            [$0.pixelWidth, $0.pixelHeight]
        }
    }

    @Test("extents are rounded up to whole pixels, forgiving the last bits of a product")
    func rounding() throws {
        #expect(try pixels(10, 20, 2) == [20, 40])
        #expect(try pixels(10.1, 20.5, 1) == [11, 21])
        #expect(try pixels(33.333_333_4, 33.333_333_3, 3) == [100, 100])
        #expect(try pixels(1, 1, 1) == [1, 1])
    }

    @Test("the largest extent is allowed and the next is not")
    func limit() throws {
        let limit = Double(ContextDescription.pixelExtentLimit)
        #expect(try pixels(limit, 1, 1) == [1 << 24, 1])
        #expect(throws: DisplayError.tooManyPixels(width: limit + 1, height: 1)) {
            try pixels(limit + 1, 1, 1)
        }
    }
}
