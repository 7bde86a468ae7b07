#if Cairo
    import AsyncLayers
    import CQueuePoolsCairo
    import Testing

    @testable import CairoRendering

    @Suite("Pictures as PNG in memory", .timeLimit(.minutes(15)))
    struct ImageEncodingTests {
        private let decoder = ImageDecoder()

        /// A picture without alpha whose pixels all differ.
        private func opaqueNoise(_ width: Int, _ height: Int) throws -> CairoImage {
            let clear = try noise(width, height)
            return try image(width, height, isOpaque: true) { context in
                context.setSource(Color(white: 1))
                cairo_paint(context.cairo)
                try context.draw(clear, placed: ContentsPlacement())
            }
        }

        @Test(
            "an opaque picture comes back exactly, and without alpha",
            arguments: [(1, 1), (13, 9), (256, 256)])
        func opaque(width: Int, height: Int) throws {
            let source = try opaqueNoise(width, height)
            let read = try decoder.decode(source.pngBytes())
            #expect(read.isOpaque && read.allPixels == source.allPixels)
        }

        @Test("a picture with alpha comes back to within one step")
        func alpha() throws {
            let source = try noise(40, 30)
            let read = try decoder.decode(source.pngBytes())
            #expect(!read.isOpaque && read.distance(to: source) <= 1)
        }

        @Test("the bytes are those of the file that is written, each time")
        func file() throws {
            let source = try noise(20, 20)
            let bytes = try source.pngBytes()
            #expect(try bytes == ImageFiles.png(source))
            #expect(try bytes == source.pngBytes())
        }

        @Test("several threads encode one picture at a time")
        func threads() async throws {
            let source = try opaqueNoise(64, 64)
            let expected = try source.pngBytes()
            try await withThrowingTaskGroup(of: [UInt8].self) { group in
                for _ in 0..<8 { group.addTask { try source.pngBytes() } }
                for try await bytes in group { #expect(bytes == expected) }
            }
        }
    }
#endif
