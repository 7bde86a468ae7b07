#if Cairo
    import AsyncLayers
    import CQueuePoolsCairo
    import Foundation
    import QueuePools
    import TestSupport
    import Testing
    import QueuePoolsTransactions

    @testable import CairoRendering

    @Suite("The Cairo renderer", .timeLimit(.minutes(15)))
    struct CairoRendererTests {
        private let renderer = CairoRenderer()

        @Test("a context is clear, or white below its background where it is opaque")
        func clear() throws {
            #expect(Set(try image(5, 4) { _ in }.allPixels) == [0])
            let opaque = try image(5, 4, isOpaque: true) { renderer.fill($0, with: .white) }
            #expect(opaque.isOpaque)
            #expect(Set(opaque.allPixels) == [0xFFFF_FFFF])
        }

        @Test(
            "a part that is drawn over a copy of a picture is that of the picture drawn whole, but for 2 in 255",
            arguments: 0..<UInt64(40))
        func partOfPicture(seed: UInt64) throws {
            var random = SeededGenerator(seed: seed)
            let description = ContextDescription(
                pixelWidth: .random(in: 1...90, using: &random),
                pixelHeight: .random(in: 1...90, using: &random),
                scale: [0.5, 1, 1.5, 3].randomElement(using: &random)!,
                isOpaque: .random(using: &random), pixelOriginX: .random(in: 0...40, using: &random),
                pixelOriginY: .random(in: 0...40, using: &random))
            let text = try TextLayout(RichText("Wavy fi", style: TextStyle(size: 17)))
            let photo = try noise(20, 20)
            func draw(_ context: CairoContext) throws {
                if description.isOpaque { renderer.fill(context, with: .white) }
                context.fill(
                    Rect(x: 3.3, y: 8.1, width: 40, height: 22), cornerRadius: 7,
                    with: Color(red: 0.2, green: 0.6, blue: 0.9, alpha: 0.4))
                context.draw(text, at: Point(x: 5.4, y: 11.7))
                try context.draw(photo, in: Rect(x: 18, y: 20.5, width: 31, height: 13), cornerRadius: 4)
                context.withState {
                    cairo_set_line_width(context.cairo, 2.5)
                    cairo_move_to(context.cairo, 1, 2)
                    cairo_curve_to(context.cairo, 30, 90, 70, -40, 60, 50)
                    cairo_push_group(context.cairo)
                    cairo_stroke(context.cairo)
                    cairo_pop_group_to_source(context.cairo)
                    cairo_paint_with_alpha(context.cairo, 0.7)
                }
            }
            let context = try renderer.makeContext(description)
            try draw(context)
            let whole = try renderer.makeContents(from: context)
            for _ in 0..<20 {
                let x = Int.random(in: 0..<description.pixelWidth, using: &random)
                let y = Int.random(in: 0..<description.pixelHeight, using: &random)
                let part = PixelRect(
                    minX: x, minY: y, maxX: .random(in: x + 1...description.pixelWidth, using: &random),
                    maxY: .random(in: y + 1...description.pixelHeight, using: &random))
                let copy = try #require(
                    try renderer.makeContext(description, copying: whole, redrawing: part))
                try draw(copy)
                let pixels = try renderer.makeContents(from: copy).allPixels
                for (index, (pixel, wanted)) in zip(pixels, whole.allPixels).enumerated() {
                    let differences = [0, 8, 16, 24].map { shift -> Int in
                        let (drawn, whole) = (Int(pixel >> shift & 255), Int(wanted >> shift & 255))
                        return abs(drawn - whole)
                    }
                    let difference = differences.max() ?? 0
                    let (x, y) = (index % description.pixelWidth, index / description.pixelWidth)
                    let isDrawn = part.minX..<part.maxX ~= x && part.minY..<part.maxY ~= y
                    #expect(difference <= (isDrawn ? 2 : 0), "\(part): \(x), \(y)")
                }
            }
            var other = description
            other.pixelWidth += 1
            let all = PixelRect(minX: 0, minY: 0, maxX: 99, maxY: 99)
            #expect(try renderer.makeContext(other, copying: whole, redrawing: all) == nil)
            other = description
            other.isOpaque.toggle()
            #expect(try renderer.makeContext(other, copying: whole, redrawing: all) == nil)
            let none = PixelRect(minX: 5, minY: 5, maxX: 5, maxY: 9)
            #expect(try renderer.makeContext(description, copying: whole, redrawing: none) == nil)
        }

        @Test("points become pixels at any scale, from any origin")
        func points() throws {
            let description = ContextDescription(
                pixelWidth: 12, pixelHeight: 10, scale: 2, pixelOriginX: 4, pixelOriginY: 2)
            let context = try renderer.makeContext(description)
            context.fill(Rect(x: 4, y: 2, width: 2, height: 3), with: .black)
            let picture = try renderer.makeContents(from: context)
            for y in 0..<10 {
                for x in 0..<12 {
                    let isInside = (4..<8).contains(x) && (2..<8).contains(y)
                    #expect(picture[x: x, y: y] == (isInside ? 0xFF00_0000 : 0))
                }
            }
            #expect(picture.scale == 2)
        }

        @Test(
            "a context far from its picture's origin is filled like any other, also where what is drawn is moved"
        )
        func farContext() throws {
            let origin = 1_100_000
            let whole = Rect(x: 0, y: 0, width: 2, height: 1_000_000)
            func pixels(_ draw: (CairoContext) throws -> Void) throws -> Set<UInt32> {
                let context = try renderer.makeContext(
                    ContextDescription(pixelWidth: 4, pixelHeight: 6, scale: 2, pixelOriginY: origin))
                try draw(context)
                return Set(try renderer.makeContents(from: context).allPixels)
            }
            #expect(try pixels { $0.fill(whole, with: .black) } == [0xFF00_0000])
            #expect(try pixels { $0.fill(whole, cornerRadius: 1, with: .black) } == [0xFF00_0000])
            let moved = try pixels { context in
                context.withState {
                    cairo_translate(context.cairo, 0, Double(origin) / 2)
                    context.fill(Rect(x: 0, y: 0, width: 2, height: 3), with: .black)
                }
            }
            #expect(moved == [0xFF00_0000])
            let turned = try pixels { context in
                context.withState {
                    cairo_translate(context.cairo, 0, Double(origin) / 2)
                    cairo_rotate(context.cairo, .pi / 4)
                    context.fill(Rect(x: -1e9, y: -1e9, width: 2e9, height: 2e9), with: .black)
                }
            }
            #expect(turned == [0xFF00_0000])
        }

        @Test("the bytes asked for are those that a context takes", arguments: [1, 2, 3, 77, 1_000])
        func byteCount(width: Int) throws {
            let description = ContextDescription(pixelWidth: width, pixelHeight: 3)
            let picture = try renderer.makeContents(from: renderer.makeContext(description))
            #expect(renderer.byteCount(of: description) == picture.byteCount)
            #expect(picture.byteCount == picture.bytesPerRow * 3)
            #expect(picture.withUnsafeBytes { $0.count } == picture.byteCount)
        }

        @Test(
            "what Cairo has no pictures of is an error, before any memory is taken",
            arguments: [(32_768, 1), (1, 32_768)])
        func tooLarge(width: Int, height: Int) {
            let description = ContextDescription(pixelWidth: width, pixelHeight: height)
            #expect(renderer.byteCount(of: description) == .max)
            #expect(throws: CairoError.self) { try renderer.makeContext(description) }
        }

        @Test("pixels from elsewhere become a picture like any other", arguments: [true, false])
        func pixelsFromElsewhere(isOpaque: Bool) throws {
            let image = try CairoImage(pixelWidth: 3, pixelHeight: 2, scale: 2, isOpaque: isOpaque) {
                bytes, bytesPerRow in
                #expect(bytes.count == 2 * bytesPerRow)
                #expect(bytes.allSatisfy { $0 == 0 })
                for (row, pixels) in [[1, 2, 3], [4, 5, 6]].enumerated() {
                    for (column, pixel) in pixels.enumerated() {
                        bytes.storeBytes(
                            of: 0xFF00_0000 | UInt32(pixel), toByteOffset: row * bytesPerRow + 4 * column,
                            as: UInt32.self)
                    }
                }
            }
            #expect(image.allPixels == (1...6).map { 0xFF00_0000 | $0 })
            #expect(image.isOpaque == isOpaque)
            #expect(image.scale == 2)
            let context = try renderer.makeContext(
                ContextDescription(pixelWidth: 3, pixelHeight: 2, scale: 2))
            try context.draw(image, placed: ContentsPlacement())
            #expect(try renderer.makeContents(from: context).allPixels == image.allPixels)
        }

        @Test("pixels from elsewhere that cannot be had, or that Cairo has no pictures of, are an error")
        func noPixelsFromElsewhere() throws {
            struct Missing: Error {}
            #expect(throws: Missing.self) {
                try CairoImage(pixelWidth: 1, pixelHeight: 1) { _, _ in throw Missing() }
            }
            for (width, height) in [(0, 1), (1, 0), (-1, 1), (32_768, 1), (1, 32_768)] {
                #expect(throws: CairoError.self) {
                    try CairoImage(pixelWidth: width, pixelHeight: height) { _, _ in Issue.record("called") }
                }
            }
            for scale in [0, -1, .nan, .infinity] as [Double] {
                #expect(try CairoImage(pixelWidth: 1, pixelHeight: 1, scale: scale) { _, _ in }.scale == 1)
            }
        }

        @Test("an error of drawing is thrown when the picture is finished")
        func stickyError() throws {
            let context = try renderer.makeContext(ContextDescription(pixelWidth: 4, pixelHeight: 4))
            try context.check()
            cairo_restore(context.cairo)
            #expect(throws: CairoError.self) { try context.check() }
            let error = #expect(throws: CairoError.self) { try renderer.makeContents(from: context) }
            #expect(error?.description.hasPrefix("Cairo: ") == true)
            #expect(error?.status == CAIRO_STATUS_INVALID_RESTORE.rawValue)
        }

        @Test("drawing into a finished context changes nothing")
        func finished() throws {
            let context = try renderer.makeContext(ContextDescription(pixelWidth: 4, pixelHeight: 4))
            let picture = try renderer.makeContents(from: context)
            renderer.fill(context, with: .white)
            #expect(Set(picture.allPixels) == [0])
        }

        @Test("nonsense in colours, rectangles and radii draws something or nothing, and is no error")
        func nonsense() throws {
            let numbers = [Double.nan, .infinity, -.infinity, -1, 0, 1e300, 3]
            let picture = try image(8, 8) { context in
                for number in numbers {
                    let color = Color(red: number, green: number, blue: number, alpha: number)
                    renderer.fill(context, with: color)
                    for other in numbers {
                        let rect = Rect(x: number, y: other, width: other, height: number)
                        context.fill(rect, cornerRadius: other, with: color)
                    }
                }
            }
            #expect(picture.pixelWidth == 8)
        }

        @MainActor
        @Test("a layer draws with it off the main thread, and shows its picture")
        func layer() async throws {
            final class Circle: AsyncLayerDelegate {
                func displayTask(for layer: AsyncLayer<CairoRenderer>) -> DisplayTask<CairoRenderer>? {
                    DisplayTask { context, scope in
                        #expect(!Thread.isMainThread)
                        context.setSource(.black)
                        cairo_arc(context.cairo, 20, 20, 10, 0, 2 * .pi)
                        cairo_fill(context.cairo)
                    }
                }
            }
            let host = DisplayHost(transactions: TransactionQueue(driver: ManualTurnDriver()))
            let layer = AsyncLayer(renderer: CairoRenderer(), host: host)
            let circle = Circle()
            layer.size = Size(width: 40, height: 40)
            layer.contentsScale = 3
            layer.delegate = circle
            layer.display()
            try await layer.displayed()
            let picture = try #require(layer.contents)
            #expect(picture.pixelWidth == 120 && picture.scale == 3)
            #expect(picture[x: 60, y: 60] == 0xFF00_0000)
            #expect(picture[x: 60, y: 27] == 0)
        }

        @MainActor
        @Test("a layer larger than Cairo's pictures fails")
        func oversize() async throws {
            final class Lines: AsyncLayerDelegate {
                func displayTask(for layer: AsyncLayer<CairoRenderer>) -> DisplayTask<CairoRenderer>? {
                    DisplayTask { context, scope in context.fill(scope.bounds, with: .black) }
                }
            }
            let host = DisplayHost(transactions: TransactionQueue(driver: ManualTurnDriver()))
            let layer = AsyncLayer(renderer: CairoRenderer(), host: host)
            let lines = Lines()
            layer.size = Size(width: 4, height: 40_000)
            layer.delegate = lines
            var outcomes = layer.outcomes().makeAsyncIterator()
            layer.display()
            #expect(await outcomes.next()?.description.hasPrefix("failed") == true)
        }

        @Test("many threads draw one picture at a time, and read it")
        func sharedPicture() async throws {
            let source = try noise(40, 30)
            await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        (0..<20).allSatisfy { _ in
                            let copy = try? image(40, 30) { try $0.draw(source, placed: ContentsPlacement()) }
                            return copy?.allPixels == source.allPixels
                        }
                    }
                }
                for await isEqual in group { #expect(isEqual) }
            }
        }

        @Test("a picture's memory lives as long as a pattern uses it, and no longer")
        func lifetime() throws {
            weak var pixels: CairoPixels?
            let pattern: OpaquePointer = try {
                let source = try noise(6, 6)
                pixels = source.pixels
                return try source.withSurface { cairo_pattern_create_for_surface($0) }
            }()
            #expect(pixels != nil)
            let copy = try image(6, 6) { context in
                cairo_set_source(context.cairo, pattern)
                cairo_paint(context.cairo)
            }
            #expect(copy.allPixels == (try noise(6, 6)).allPixels)
            cairo_pattern_destroy(pattern)
            #expect(pixels == nil)
        }

        @Test("a picture is written as PNG, and a path that cannot be written is an error")
        func png() throws {
            let picture = try noise(7, 5)
            let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).png").path
            defer { try? FileManager.default.removeItem(atPath: path) }
            try picture.writePNG(to: path)
            let read = cairo_image_surface_create_from_png(path)
            defer { cairo_surface_destroy(read) }
            #expect(cairo_image_surface_get_width(read) == 7 && cairo_image_surface_get_height(read) == 5)
            #expect(throws: CairoError.self) { try picture.writePNG(to: "/nowhere/at/all.png") }
        }
    }
#endif
