#if Cairo
    import AsyncLayers
    import CQueuePoolsCairo
    import TestSupport
    import Testing

    @testable import CairoRendering

    @Suite("Pictures made ready to be shown", .timeLimit(.minutes(15)))
    struct ImageProcessingTests {
        /// Left half red, right half blue.
        private func halves(_ width: Int = 40, _ height: Int = 20) throws -> CairoImage {
            try image(width, height) { context in
                context.fill(
                    Rect(x: 0, y: 0, width: Double(width) / 2, height: Double(height)),
                    with: Color(red: 1, green: 0, blue: 0))
                context.fill(
                    Rect(x: Double(width) / 2, y: 0, width: Double(width) / 2, height: Double(height)),
                    with: Color(red: 0, green: 0, blue: 1))
            }
        }

        @Test("filled, a picture covers all and is cut on both sides; fitted, all of it is there")
        func fitting() throws {
            let square = Size(width: 10, height: 10)
            let filled = try halves().resized(to: square)
            #expect(filled.allPixels.allSatisfy { $0 >> 24 == 255 })
            #expect(filled[x: 1, y: 5] == 0xFFFF_0000 && filled[x: 8, y: 5] == 0xFF00_00FF)
            let fitted = try halves().resized(to: square, fitting: .fit)
            #expect(fitted[x: 1, y: 0] == 0 && fitted[x: 1, y: 9] == 0)
            #expect(fitted[x: 1, y: 5] == 0xFFFF_0000 && fitted[x: 8, y: 5] == 0xFF00_00FF)
            let stretched = try halves().resized(to: square, fitting: .stretch)
            #expect(stretched[x: 1, y: 0] == 0xFFFF_0000 && stretched[x: 8, y: 9] == 0xFF00_00FF)
        }

        @Test("the size is in points, and corners are cut")
        func corners() throws {
            let picture = try halves().resized(to: Size(width: 20, height: 20), scale: 2, cornerRadius: 10)
            #expect(picture.pixelWidth == 40 && picture.scale == 2)
            for (x, y) in [(0, 0), (39, 0), (0, 39), (39, 39)] { #expect(picture[x: x, y: y] == 0) }
            #expect(picture[x: 10, y: 20] == 0xFFFF_0000)
        }

        @Test("made smaller, a picture keeps its mean")
        func mean() throws {
            let source = try noise(64, 64)
            func mean(_ picture: CairoImage) -> Double {
                Double(picture.allPixels.reduce(0) { $0 + Int($1 >> 24) }) / Double(picture.allPixels.count)
            }
            let small = try source.resized(to: Size(width: 8, height: 8))
            #expect(abs(mean(small) - mean(source)) < 12)
        }

        @Test(
            "sizes that are no picture's are errors",
            arguments: [(0, 5), (5, 0.4), (-1, 5), (.nan, 5), (.infinity, 5), (40_000, 5)]
                as [(Double, Double)])
        func nonsense(width: Double, height: Double) throws {
            let source = try halves()
            #expect(throws: CairoError.self) { try source.resized(to: Size(width: width, height: height)) }
            #expect(throws: CairoError.self) {
                try source.resized(to: Size(width: 5, height: 5), scale: width - 5)
            }
        }

        @Test("a shadow lies behind, is blurred, and makes room for itself")
        func shadow() throws {
            let source = try halves()
            let picture = try source.withShadow(radius: 6, offset: Point(x: 0, y: 3), color: .black)
            #expect(picture.pixelWidth == 40 + 18 && picture.pixelHeight == 20 + 18)
            #expect(picture[x: 10, y: 10] == 0xFFFF_0000 && picture[x: 9 + 39, y: 9 + 19] == 0xFF00_00FF)
            let below = (29..<38).map { picture[x: 29, y: $0] >> 24 }
            #expect(below[0] > 100 && below == below.sorted(by: >))
            #expect(picture[x: 29, y: 2] >> 24 < below[0])
            #expect(picture[x: 0, y: 0] == 0)
            for scale in [1.1, 1.3, 3, 1 / 3.0] {
                let odd = try noise(13, 29, scale: scale).withShadow(radius: 0)
                #expect((odd.pixelWidth, odd.pixelHeight) == (13, 29), "no column more for a rounding error")
            }
            for radius in [Double.nan, -3, 0] {
                let sharp = try source.withShadow(radius: radius)
                #expect(sharp.pixelWidth == 40 && sharp.allPixels == source.allPixels)
            }
        }

        @Test(
            "a picture with a shadow keeps its pixels at any scale, and its shadow fades out within the margin",
            arguments: [1, 1.5, 1.1, 3, 1 / 3.0])
        func shadowMargin(scale: Double) throws {
            let source = try noise(31, 23, scale: scale)
            for radius in [3.0, 2.4, 7] {
                let picture = try source.withShadow(
                    radius: radius, offset: Point(x: 0.7, y: -1.2), color: .clear)
                let margin = (picture.pixelWidth - 31) / 2
                #expect((picture.pixelWidth, picture.pixelHeight) == (31 + 2 * margin, 23 + 2 * margin))
                #expect(picture.scale == scale)
                for y in 0..<23 {
                    for x in 0..<31 {
                        #expect(picture[x: x + margin, y: y + margin] == source[x: x, y: y])
                    }
                }
            }
            let pixels = try image(60, 50, scale: scale) { CairoRenderer().fill($0, with: .black) }
            let shadow = try pixels.withShadow(radius: 9 / scale, color: .black)
            let (width, height) = (shadow.pixelWidth, shadow.pixelHeight)
            #expect((width, height) == (60 + 18, 50 + 18))
            let border =
                (0..<width).flatMap { [shadow[x: $0, y: 0], shadow[x: $0, y: height - 1]] }
                + (0..<height).flatMap { [shadow[x: 0, y: $0], shadow[x: width - 1, y: $0]] }
            #expect(border.map { $0 >> 24 }.max() ?? 0 <= 1)
            #expect(shadow[x: width / 2, y: 3] >> 24 > 0)
        }

        @Test(
            "a shadow that is larger than any picture is an error",
            arguments: [1e5, 1e300, -1e300, .greatestFiniteMagnitude] as [Double])
        func hugeOffset(offset: Double) throws {
            let source = try noise(3, 3, scale: 1.5)
            #expect(throws: CairoError.self) {
                try source.withShadow(radius: 2, offset: Point(x: 0, y: offset))
            }
        }

        @Test(
            "a shadow moved by what is no number is an error",
            arguments: [(.nan, 0), (0, .nan), (.infinity, 0), (0, -.infinity), (.nan, .nan)]
                as [(Double, Double)])
        func nonsenseOffset(x: Double, y: Double) throws {
            let source = try halves()
            let error = #expect(throws: CairoError.self) {
                try source.withShadow(radius: 2, offset: Point(x: x, y: y))
            }
            #expect(error?.status == CAIRO_STATUS_INVALID_SIZE.rawValue)
        }

        @Test("a cache makes a picture once, keeps to its bytes, and keeps nothing that failed")
        func cache() throws {
            struct Lost: Error {}
            let cache = ImageCache(byteLimit: 3 * 40 * 20 * 4)
            let made = Counter()
            func get(_ key: String) throws -> CairoImage {
                try cache.image(for: key) {
                    made.increment()
                    return try halves()
                }
            }
            #expect(try get("a") === get("a"))
            #expect(made.value == 1)
            #expect(throws: Lost.self) { try cache.image(for: "lost") { throw Lost() } }
            #expect(cache.cached(for: "lost") == nil && cache.cached(for: "a") != nil)
            for key in ["b", "c", "d"] { _ = try get(key) }
            #expect(cache.statistics.count == 3 && cache.cached(for: "b") != nil)
            cache.removeAll()
            #expect(cache.statistics.count == 0)
        }
    }
#endif
