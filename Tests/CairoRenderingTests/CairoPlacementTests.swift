#if Cairo
    import AsyncLayers
    import CQueuePoolsCairo
    import TestSupport
    import Testing

    @testable import CairoRendering

    @Suite("Cairo pictures in pictures", .timeLimit(.minutes(15)))
    struct CairoPlacementTests {
        private let renderer = CairoRenderer()

        @Test(
            "moved by whole pixels every pixel is taken over exactly, at any scale",
            arguments: [1, 1.5, 2, 3, 1.1, 1 / 3.0])
        func exact(scale: Double) throws {
            let source = try noise(8, 7, scale: scale)
            #expect(
                try wholePixelMoveFaults(of: source, scale: scale, with: renderer) { $0[x: $1, y: $2] }
                    .isEmpty)
        }

        @Test("an opacity multiplies every pixel, and what is not a number is not seen")
        func opacity() throws {
            let source = try noise(9, 9)
            for opacity in [0, 0.25, 0.5, 0.9, 1, -1, 2, .nan, .infinity] {
                let picture = try image(9, 9) {
                    try $0.draw(source, placed: ContentsPlacement(opacity: opacity))
                }
                let factor = opacity > 0 ? min(opacity, 1) : 0
                for (pixel, original) in zip(picture.allPixels, source.allPixels) {
                    #expect(abs(Double(pixel >> 24) - Double(original >> 24) * factor) <= 1)
                    #expect(abs(Double(pixel & 0xFF) - Double(original & 0xFF) * factor) <= 1)
                }
            }
        }

        @Test("quarter turns and mirrors put each pixel where it belongs")
        func turns() throws {
            let source = try noise(6, 4)
            let turned = try image(4, 6) {
                let transform = LayerTransform.rotation(.pi / 2).concatenating(.translation(x: 4, y: 0))
                try $0.draw(source, placed: ContentsPlacement(transform: transform))
            }
            let mirrored = try image(6, 4) {
                let transform = LayerTransform.scale(x: -1, y: 1).concatenating(.translation(x: 6, y: 0))
                try $0.draw(source, placed: ContentsPlacement(transform: transform))
            }
            for y in 0..<4 {
                for x in 0..<6 {
                    #expect(turned[x: 3 - y, y: x] == source[x: x, y: y])
                    #expect(mirrored[x: 5 - x, y: y] == source[x: x, y: y])
                }
            }
        }

        @Test(
            "clips cut pictures as they cut paths, each in its own coordinates, and hold no longer than the call"
        )
        func clips() throws {
            let source = try image(20, 20) { renderer.fill($0, with: .black) }
            let turn = LayerTransform.rotation(0.4).concatenating(.translation(x: 6, y: 1))
            let rect = Rect(x: 2, y: 3, width: 11, height: 8)
            let placed = try image(20, 20) { context in
                let clip = ContentsPlacement.Clip(rect, cornerRadius: 3, transform: turn)
                try context.draw(source, placed: ContentsPlacement(clips: [clip]))
                context.fill(Rect(x: 18, y: 18, width: 1, height: 1), with: .black)
            }
            let filled = try image(20, 20) { context in
                context.withState {
                    var matrix = cairo_matrix_t(
                        xx: turn.a, yx: turn.b, xy: turn.c, yy: turn.d, x0: turn.tx, y0: turn.ty)
                    cairo_transform(context.cairo, &matrix)
                    context.fill(rect, cornerRadius: 3, with: .black)
                }
                context.fill(Rect(x: 18, y: 18, width: 1, height: 1), with: .black)
            }
            #expect(placed.distance(to: filled) <= 2)
        }

        @Test("what the context has moved and clipped holds for pictures too")
        func within() throws {
            let source = try noise(9, 9)
            let moved = try image(20, 20) { context in
                try context.withState {
                    cairo_translate(context.cairo, 4, 5)
                    cairo_rectangle(context.cairo, 0, 0, 6, 6)
                    cairo_clip(context.cairo)
                    try context.draw(source, placed: ContentsPlacement())
                }
            }
            for y in 0..<20 {
                for x in 0..<20 {
                    let isInside = (4..<10).contains(x) && (5..<11).contains(y)
                    #expect(moved[x: x, y: y] == (isInside ? source[x: x - 4, y: y - 5] : 0))
                }
            }
        }

        @Test("round corners end under any transform", .timeLimit(.minutes(15)), arguments: 1...UInt64(4))
        func hostileCorners(seed: UInt64) throws {
            var generator = SeededGenerator(seed: seed)
            func number(_ exponents: ClosedRange<Int>) -> Double {
                let significand = Double.random(in: -2...2, using: &generator)
                return significand
                    * Double(
                        sign: .plus, exponent: Int.random(in: exponents, using: &generator), significand: 1)
            }
            let source = try noise(4, 4)
            _ = try image(64, 64) { context in
                for _ in 0..<2_000 {
                    let transform = LayerTransform(
                        a: number(-200...200), b: number(-200...200), c: number(-200...200),
                        d: number(-200...200),
                        tx: number(-20...20), ty: number(-20...20))
                    let rect = Rect(
                        x: number(-20...20), y: number(-20...20), width: abs(number(-10...200)),
                        height: abs(number(-10...200)))
                    let clip = ContentsPlacement.Clip(
                        rect, cornerRadius: abs(number(-10...200)), transform: transform)
                    try context.draw(source, placed: ContentsPlacement(clips: [clip]))
                }
            }
        }

        @Test("geometry without sense draws nothing, and leaves the context usable")
        func nonsense() throws {
            let source = try noise(5, 5)
            let numbers = [Double.nan, .infinity, 0, 1e300]
            let picture = try image(10, 10) { context in
                for number in numbers {
                    let transforms = [
                        LayerTransform.scale(x: number, y: 0), .scale(x: .nan, y: number),
                        LayerTransform(a: 1, b: 1, c: 1, d: 1, tx: number, ty: 0),
                    ]
                    for transform in transforms {
                        try context.draw(source, placed: ContentsPlacement(transform: transform))
                        let clip = ContentsPlacement.Clip(
                            Rect(x: 0, y: 0, width: 5, height: 5), transform: transform)
                        try context.draw(source, placed: ContentsPlacement(clips: [clip]))
                    }
                    let clip = ContentsPlacement.Clip(Rect(x: 0, y: number, width: .nan, height: 4))
                    try context.draw(source, placed: ContentsPlacement(clips: [clip]))
                    try context.draw(
                        source, placed: ContentsPlacement(transform: .translation(x: 1e18, y: -1e18)))
                }
                #expect(Set([cairo_status(context.cairo)]) == [CAIRO_STATUS_SUCCESS])
            }
            #expect(Set(picture.allPixels) == [0])
        }

        @Test(
            "parts of a picture, side by side, are the whole, but for Cairo's rounding",
            arguments: [1, 1.5, 2, 3.3])
        func tiles(scale: Double) throws {
            func draw(_ description: ContextDescription) throws -> CairoImage {
                let context = try renderer.makeContext(description)
                context.fill(Rect(x: 1.3, y: 2.2, width: 9.7, height: 7.1), cornerRadius: 2.5, with: .black)
                context.setSource(Color(red: 0.9, green: 0.2, blue: 0, alpha: 0.6))
                cairo_move_to(context.cairo, 0, 11.5)
                cairo_curve_to(context.cairo, 3, 0, 9, 14, 14, 1)
                cairo_stroke(context.cairo)
                return try renderer.makeContents(from: context)
            }
            let (width, height) = (Int(15 * scale), Int(13 * scale))
            let whole = try draw(ContextDescription(pixelWidth: width, pixelHeight: height, scale: scale))
            for x in stride(from: 0, to: width, by: 7) {
                for y in stride(from: 0, to: height, by: 5) {
                    let part = try draw(
                        ContextDescription(
                            pixelWidth: min(7, width - x), pixelHeight: min(5, height - y), scale: scale,
                            pixelOriginX: x, pixelOriginY: y))
                    let same = try image(part.pixelWidth, part.pixelHeight, scale: whole.scale) {
                        let move = LayerTransform.translation(x: -Double(x) / scale, y: -Double(y) / scale)
                        try $0.draw(whole, placed: ContentsPlacement(transform: move))
                    }
                    #expect(part.distance(to: same) <= 2)
                }
            }
        }

        @MainActor
        @Test("a composition is drawn into one picture, which is what its parts are one by one")
        func composition() async throws {
            final class Box: AsyncLayerDelegate {
                let layer = AsyncLayer(renderer: CairoRenderer())
                let task: DisplayTask<CairoRenderer>

                init(_ size: Size, _ task: DisplayTask<CairoRenderer>) {
                    self.task = task
                    layer.size = size
                    layer.delegate = self
                }

                func displayTask(for layer: AsyncLayer<CairoRenderer>) -> DisplayTask<CairoRenderer>? {
                    task
                }

                func picture() async throws -> CairoImage {
                    layer.display()
                    try await layer.displayed()
                    return try #require(layer.contents)
                }
            }
            func fill(_ color: Color) -> DisplayTask<CairoRenderer>.Draw {
                { context, scope in context.fill(scope.bounds, cornerRadius: 4, with: color) }
            }
            let drawBelow = fill(Color(red: 0.1, green: 0.5, blue: 0.9))
            let drawAbove = fill(Color(red: 0.9, green: 0.7, blue: 0, alpha: 0.8))
            let (whole, small) = (Size(width: 40, height: 30), Size(width: 20, height: 16))
            let below = try await Box(whole, DisplayTask(draw: drawBelow)).picture()
            let above = try await Box(small, DisplayTask(draw: drawAbove)).picture()
            let turn = LayerTransform.translation(x: -10, y: -8).concatenating(.rotation(0.35))
                .concatenating(.translation(x: 16, y: 13))
            let expected = try image(40, 30) { context in
                try renderer.draw(below, into: context, placed: ContentsPlacement())
                try renderer.draw(
                    above, into: context, placed: ContentsPlacement(transform: turn, opacity: 0.6))
            }
            var part = Composition<CairoRenderer>.Part(size: small, draw: drawAbove)
            part.placement.origin = Point(x: 6, y: 5)
            part.placement.transform = .rotation(0.35)
            part.placement.opacity = 0.6
            let composition = Composition([.init(size: whole, draw: drawBelow), part])
            let picture = try await Box(whole, DisplayTask(composition: composition)).picture()
            #expect(picture.allPixels == expected.allPixels)
        }
    }
#endif
