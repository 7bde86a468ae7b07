import CPNG
import FeedKit
import Testing

@testable import FeedDemo

@Suite("PNG", .timeLimit(.minutes(5)))
struct PNGTests {
    @Test(
        "A picture comes back pixel for pixel, without an alpha channel if it is opaque",
        arguments: [(1, 1), (3, 2), (7, 5), (64, 33), (1, 50), (50, 1)])
    func roundTrip(width: Int, height: Int) throws {
        var random = SeededGenerator(seed: 11)
        let noise = (0..<width * height * 4).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let gradient = (0..<width * height * 4).map {
            UInt8(truncatingIfNeeded: $0 / 4 % width &* 3 + $0 % 4)
        }
        var opaque = gradient
        for alpha in stride(from: 3, to: opaque.count, by: 4) { opaque[alpha] = 0xFF }
        for picture in [noise, gradient, opaque] {
            let decoded = try decode(PNG.encode(width: width, height: height, rgba: picture))
            #expect(decoded.width == width && decoded.height == height)
            #expect(decoded.rgba == picture)
            #expect(decoded.hasAlpha == (picture != opaque))
        }
    }

    @Test("Runs and repeated rows become small")
    func compresses() throws {
        let row = (0..<2_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
        let png = try PNG.encode(width: 500, height: 20, rgba: (0..<20).flatMap { _ in row })
        #expect(png.count < 2 * row.count)
    }

    @Test(
        "Sizes that do not fit the bytes are refused",
        arguments: [
            (0, 1, 0), (1, 0, 0), (-1, -1, 4), (2, 2, 15), (2, 2, 20), (2, 2, 12), (.max, .max, 4),
            (1 << 32, 1, 4),
        ])
    func sizes(width: Int, height: Int, count: Int) {
        #expect(throws: PNG.Failure.sizeMismatch) {
            try PNG.encode(width: width, height: height, rgba: [UInt8](repeating: 0, count: count))
        }
    }

    private func decode(
        _ file: [UInt8]
    ) throws -> (width: Int, height: Int, hasAlpha: Bool, rgba: [UInt8]) {
        var (width, height, hasAlpha): (UInt32, UInt32, Int32) = (0, 0, 0)
        try #require(cpng_read_header(file, file.count, &width, &height, &hasAlpha) != 0)
        var rgba = [UInt8](repeating: 0, count: Int(4 * width * height))
        try #require(cpng_read_pixels(file, file.count, &rgba) != 0)
        return (Int(width), Int(height), hasAlpha != 0, rgba)
    }
}
