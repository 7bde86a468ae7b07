#if Cairo
    import Testing

    @testable import CairoRendering

    @Suite("Gamma of pictures from files", .timeLimit(.minutes(15)))
    struct ImageGammaTests {
        typealias Chunk = (name: String, bytes: [UInt8])

        /// A file of one pixel, and the sample that it has at 8 bits in the file's own gamma.
        struct Pixel: CustomTestStringConvertible, Sendable {
            let depth: UInt8
            let colorType: UInt8
            let row: [UInt8]
            let sample: Int
            var alpha: UInt32 = 255
            var palette: [UInt8]?

            var testDescription: String { "\(depth) bits, colour type \(colorType), \(row)" }

            func file(_ chunks: [Chunk]) -> [UInt8] {
                ImageFiles.png(
                    width: 1, rows: [row], depth: depth, colorType: colorType,
                    chunks: chunks + (palette.map { [("PLTE", $0)] } ?? []))
            }
        }

        static let pixels = [
            Pixel(depth: 1, colorType: 0, row: [0x80], sample: 0xFF),
            Pixel(depth: 2, colorType: 0, row: [0x80], sample: 0xAA),
            Pixel(depth: 4, colorType: 0, row: [0x80], sample: 0x88),
            Pixel(depth: 8, colorType: 0, row: [0x80], sample: 0x80),
            Pixel(depth: 16, colorType: 0, row: [0x80, 0x80], sample: 0x80),
            // 128.498 and 128.502 of 255.
            Pixel(depth: 16, colorType: 0, row: [0x81, 0x00], sample: 0x80),
            Pixel(depth: 16, colorType: 0, row: [0x81, 0x01], sample: 0x81),
            Pixel(depth: 8, colorType: 2, row: [0x80, 0x80, 0x80], sample: 0x80),
            Pixel(depth: 16, colorType: 2, row: [0x80, 0x80, 0x80, 0x80, 0x80, 0x80], sample: 0x80),
            Pixel(depth: 4, colorType: 3, row: [0], sample: 0x80, palette: [0x80, 0x80, 0x80]),
            Pixel(depth: 8, colorType: 4, row: [0x80, 0xFF], sample: 0x80),
            Pixel(depth: 16, colorType: 4, row: [0x80, 0x80, 0xFF, 0xFF], sample: 0x80),
            Pixel(depth: 8, colorType: 6, row: [0x80, 0x80, 0x80, 0x80], sample: 0x80, alpha: 0x80),
            Pixel(
                depth: 16, colorType: 6, row: [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80], sample: 0x80,
                alpha: 0x80),
        ]

        static func gamma(_ value: Int) -> Chunk { ("gAMA", ImageFiles.bytes(of: value)) }

        /// What the samples are in sRGB: each the same, or, of gamma 1, brighter.
        private func check(_ pixel: Pixel, _ chunks: [Chunk], isLinear: Bool = false) throws {
            let read = try ImageDecoder().decode(pixel.file(chunks))[x: 0, y: 0]
            #expect(read >> 24 == pixel.alpha)
            let sample = isLinear ? 255 * power(Double(pixel.sample) / 255) : Double(pixel.sample)
            let expected = sample * Double(pixel.alpha) / 255
            for shift in [0, 8, 16] as [UInt32] {
                let difference = abs(Double(read >> shift & 0xFF) - expected)
                // Exact, but for gamma and alpha, which are each rounded.
                #expect(difference <= (isLinear ? 1.5 : 0.5), "\(String(read, radix: 16)) with \(chunks)")
            }
        }

        /// The power of 1/2.2, by Newton's method.
        private func power(_ value: Double) -> Double {
            // Of x¹¹ = value⁵.
            let target = value * value * value * value * value
            var root = 1.0
            for _ in 0..<100 {
                let tenth = (0..<10).reduce(1) { product, _ in product * root }
                root -= (tenth * root - target) / (11 * tenth)
            }
            return root
        }

        @Test("a sample of any depth is one of sRGB, unless the file has another gamma", arguments: pixels)
        func standard(pixel: Pixel) throws {
            for chunks in [
                [], [("sRGB", [0])], [Self.gamma(45_455)], [("sRGB", [0]), Self.gamma(45_455)],
            ] as [[Chunk]] {
                try check(pixel, chunks)
            }
        }

        @Test("a file's gamma is followed at any depth", arguments: pixels)
        func linear(pixel: Pixel) throws {
            try check(pixel, [Self.gamma(100_000)], isLinear: true)
        }

        @Test(
            "a file that says that it is sRGB is, whatever its gamma, and so is one whose gamma is nonsense")
        func contradictions() throws {
            for pixel in Self.pixels {
                for chunks in [
                    [("sRGB", [0]), Self.gamma(100_000)], [Self.gamma(100_000), ("sRGB", [0])],
                    [Self.gamma(0)], [Self.gamma(-1)], [("gAMA", [1])],
                ] as [[Chunk]] {
                    try check(pixel, chunks)
                }
            }
        }
    }
#endif
