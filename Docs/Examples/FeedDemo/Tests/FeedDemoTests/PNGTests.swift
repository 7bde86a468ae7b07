import Testing

@testable import FeedDemo

@Suite("PNG", .timeLimit(.minutes(5)))
struct PNGTests {
    @Test("Checksums give the known answers")
    func checksums() {
        #expect(Checksums.crc32("123456789".utf8) == 0xCBF4_3926)
        #expect(Checksums.crc32("IEND".utf8) == 0xAE42_6082)
        #expect(Checksums.adler32([]) == 1)
        #expect(Checksums.adler32(Array("Wikipedia".utf8)) == 0x11E6_0398)
        // Long enough to overflow 32 bits if the sums were not reduced in time.
        #expect(Checksums.adler32([UInt8](repeating: 0xFF, count: 1_000_000)) == 0x3843_E1BE)
    }

    @Test("What was compressed comes back", arguments: [0, 1, 2, 3, 4, 5, 258, 259, 260, 1_000, 70_000])
    func deflateRoundTrip(count: Int) throws {
        var random = SeededGenerator(seed: UInt64(count))
        let inputs: [[UInt8]] = [
            [UInt8](repeating: 7, count: count),
            (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) },
            (0..<count).map { UInt8(truncatingIfNeeded: $0 / 3) },
            (0..<count).map { _ in UInt8(random.next() % 3) },
        ]
        for input in inputs {
            #expect(try Inflate.bytes(ofZlibStream: Deflate.zlibStream(of: input)) == input)
        }
    }

    @Test("Repeats at the edge of the window come back", arguments: [32_766, 32_767, 32_768, 32_769, 32_770])
    func window(distance: Int) throws {
        var random = SeededGenerator(seed: 23)
        let block = (0..<distance).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let input = block + block
        #expect(try Inflate.bytes(ofZlibStream: Deflate.zlibStream(of: input)) == input)
    }

    @Test("Runs and repeated rows become small")
    func compresses() {
        #expect(Deflate.zlibStream(of: [UInt8](repeating: 0, count: 100_000)).count < 1_000)
        let row = (0..<2_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
        let rows = (0..<20).flatMap { _ in row }
        #expect(Deflate.zlibStream(of: rows).count < row.count * 2)
    }

    @Test(
        "A picture comes back pixel for pixel",
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
            let png = try PNG.encode(width: width, height: height, rgba: picture)
            let decoded = try PNGReader.decode(png)
            #expect(decoded.width == width && decoded.height == height)
            #expect(decoded.rgba == picture)
            #expect(decoded.hasAlpha == (picture != opaque))
        }
    }

    @Test("The smallest picture is the known file")
    func knownAnswer() throws {
        let png = try PNG.encode(width: 1, height: 1, rgba: [0, 0, 0, 0xFF])
        #expect(png.prefix(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        #expect(
            png[8..<33] == [
                0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0, 0x90, 0x77, 0x53,
                0xDE,
            ])
        #expect(png.suffix(12) == [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82])
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
}

/// Reads the files that ``PNG`` writes, and checks their chunks.
enum PNGReader {
    enum Failure: Error {
        case signature, checksum, order, filter
    }

    static func decode(_ file: [UInt8]) throws -> (width: Int, height: Int, hasAlpha: Bool, rgba: [UInt8]) {
        guard file.prefix(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] else {
            throw Failure.signature
        }
        var chunks: [(type: String, content: [UInt8])] = []
        var position = 8
        while position < file.count {
            let length = number(file[position..<position + 4])
            let body = file[position + 4..<position + 8 + length]
            guard number(file[position + 8 + length..<position + 12 + length]) == Int(Checksums.crc32(body))
            else {
                throw Failure.checksum
            }
            chunks.append((String(decoding: body.prefix(4), as: UTF8.self), Array(body.dropFirst(4))))
            position += 12 + length
        }
        guard chunks.map(\.type) == ["IHDR", "sRGB", "IDAT", "IEND"] else { throw Failure.order }
        let header = chunks[0].content
        let (width, height) = (number(header[0..<4]), number(header[4..<8]))
        let channels = header[9] == 6 ? 4 : 3
        let rows = try unfiltered(
            Inflate.bytes(ofZlibStream: chunks[2].content), rowSize: width * channels, pixelSize: channels)
        guard rows.count == width * height * channels else { throw Failure.filter }
        var rgba: [UInt8] = []
        for pixel in stride(from: 0, to: rows.count, by: channels) {
            rgba += rows[pixel..<pixel + 3] + [channels == 4 ? rows[pixel + 3] : 0xFF]
        }
        return (width, height, channels == 4, rgba)
    }

    private static func unfiltered(_ data: [UInt8], rowSize: Int, pixelSize: Int) throws -> [UInt8] {
        var output: [UInt8] = []
        for start in stride(from: 0, to: data.count, by: rowSize + 1) {
            let rowStart = output.count
            for index in 0..<rowSize {
                let place = rowStart + index
                let left = index >= pixelSize ? Int(output[place - pixelSize]) : 0
                let up = rowStart > 0 ? Int(output[place - rowSize]) : 0
                let corner = rowStart > 0 && index >= pixelSize ? Int(output[place - rowSize - pixelSize]) : 0
                let guess: Int
                switch data[start] {
                case 0: guess = 0
                case 1: guess = left
                case 2: guess = up
                case 3: guess = (left + up) / 2
                case 4:
                    let estimate = left + up - corner
                    guess = [left, up, corner].min { abs(estimate - $0) < abs(estimate - $1) }!
                default: throw Failure.filter
                }
                output.append(UInt8(truncatingIfNeeded: Int(data[start + 1 + index]) + guess))
            }
        }
        return output
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }
}
