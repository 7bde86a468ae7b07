#if Cairo
    import AsyncLayers
    import CQueuePoolsCairo
    import Testing

    @testable import CairoRendering

    @Suite("Cairo pictures in rectangles", .timeLimit(.minutes(15)))
    struct StretchedImageTests {
        private func black(_ width: Int, _ height: Int, isOpaque: Bool = false) throws -> CairoImage {
            try image(width, height, isOpaque: isOpaque) { CairoRenderer().fill($0, with: .black) }
        }

        private func alphas(_ picture: CairoImage) -> [UInt32] { picture.allPixels.map { $0 >> 24 } }

        @Test(
            "a stretched picture is whole up to its rectangle's edges, and nothing is drawn beside it",
            arguments: [(1, 1), (2, 3), (40, 30), (200, 7)], [false, true])
        func edges(extent: (Int, Int), isOpaque: Bool) throws {
            let source = try black(extent.0, extent.1, isOpaque: isOpaque)
            for scale in [1, 1.5, 2] {
                let picture = try image(40, 40, scale: scale) {
                    try $0.draw(source, in: Rect(x: 4, y: 6, width: 10, height: 12))
                }
                for y in 0..<40 {
                    for x in 0..<40 {
                        let (column, row) = ((Double(x) + 0.5) / scale, (Double(y) + 0.5) / scale)
                        let isInside = 4 < column && column < 14 && 6 < row && row < 18
                        #expect(picture[x: x, y: y] == (isInside ? 0xFF00_0000 : 0), "\(x), \(y)")
                    }
                }
            }
        }

        @Test("between pixels, turned and translucent a picture's edges are those of a filled rectangle")
        func antialiasing() throws {
            let source = try black(7, 5)
            let rect = Rect(x: 3.3, y: 4.7, width: 17.2, height: 11.9)
            for angle in [0, 0.4, 2] {
                func draw(_ body: (CairoContext) throws -> Void) throws -> CairoImage {
                    try image(40, 40) { context in
                        cairo_translate(context.cairo, 14, 6)
                        cairo_rotate(context.cairo, angle)
                        try body(context)
                    }
                }
                let filled = try draw { $0.fill(rect, with: Color(white: 0, alpha: 0.6)) }
                let placed = try draw {
                    let stretch = LayerTransform(
                        a: 17.2 / 7, b: 0, c: 0, d: 11.9 / 5, tx: rect.minX, ty: rect.minY)
                    try $0.draw(source, placed: ContentsPlacement(transform: stretch, opacity: 0.6))
                }
                #expect(placed.distance(to: filled) <= 2)
            }
        }

        @Test("resized, an opaque picture stays opaque where it is, and what it leaves is clear")
        func resized() throws {
            let larger = try black(640, 400).resized(to: Size(width: 888, height: 555))
            #expect(Set(alphas(larger)) == [255])
            let smaller = try black(640, 400).resized(to: Size(width: 88, height: 55), scale: 1.5)
            #expect(Set(alphas(smaller)) == [255])
            let fitted = try black(10, 10).resized(to: Size(width: 100, height: 50), fitting: .fit)
            for x in 0..<100 {
                #expect(fitted[x: x, y: 25] >> 24 == ((25..<75).contains(x) ? 255 : 0), "column \(x)")
            }
        }

        @Test(
            "nothing is drawn into a rectangle that is empty, turned around or not finite",
            arguments: [-5, 0, .nan, .infinity, -.infinity] as [Double])
        func nothing(extent: Double) throws {
            let source = try black(4, 4)
            let picture = try image(20, 20) { context in
                for cornerRadius in [0.0, 2] {
                    for rect in [
                        Rect(x: 10, y: 10, width: extent, height: 5),
                        Rect(x: 10, y: 10, width: 5, height: extent),
                        Rect(x: 10, y: 10, width: extent, height: extent),
                    ] {
                        try context.draw(source, in: rect, cornerRadius: cornerRadius)
                    }
                }
            }
            #expect(Set(picture.allPixels) == [0])
        }

        @Test("a picture that reaches far beyond the context covers what is to be seen of it")
        func far() throws {
            let source = try black(300, 300)
            for rect in [
                Rect(x: -1e5, y: -1e5, width: 2e5, height: 2e5),
                Rect(x: -1e6, y: -100, width: 3e6, height: 300),
            ] {
                let picture = try image(20, 20) { try $0.draw(source, in: rect) }
                #expect(Set(alphas(picture)) == [255])
            }
        }
    }
#endif
