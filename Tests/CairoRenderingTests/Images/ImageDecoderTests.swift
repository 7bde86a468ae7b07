#if Cairo
    import AsyncLayers
    import CQueuePoolsCairo
    import Foundation
    import TestSupport
    import Testing

    @testable import CairoRendering

    @Suite("Pictures from files", .timeLimit(.minutes(15)))
    struct ImageDecoderTests {
        private let decoder = ImageDecoder()

        /// A picture that JPEG can keep: smooth, and opaque.
        private func smooth(_ width: Int = 24, _ height: Int = 16) throws -> CairoImage {
            try image(width, height, isOpaque: true) { context in
                let gradient = cairo_pattern_create_linear(0, 0, Double(width), Double(height))
                defer { cairo_pattern_destroy(gradient) }
                cairo_pattern_add_color_stop_rgb(gradient, 0, 0.9, 0.1, 0.2)
                cairo_pattern_add_color_stop_rgb(gradient, 1, 0.1, 0.3, 0.9)
                cairo_set_source(context.cairo, gradient)
                cairo_paint(context.cairo)
            }
        }

        @Test("PNG is read with its transparency, and without memory for it where it has none")
        func png() throws {
            let source = try noise(13, 9)
            let read = try decoder.decode(ImageFiles.png(source), scale: 2)
            #expect((read.pixelWidth, read.pixelHeight, read.scale) == (13, 9, 2))
            #expect(!read.isOpaque)
            #expect(read.distance(to: source) <= 1)
            let opaque = try smooth()
            let same = try decoder.decode(ImageFiles.png(opaque))
            #expect(same.isOpaque && same.allPixels == opaque.allPixels)
            let grey = try decoder.decode(ImageFiles.greyPNG(width: 16, height: 16))
            #expect(grey[x: 5, y: 1] == 0xFF15_1515)
        }

        @Test("JPEG is read, progressive or not", arguments: [false, true])
        func jpeg(isProgressive: Bool) throws {
            let source = try smooth()
            let read = try decoder.decode(ImageFiles.jpeg(source, isProgressive: isProgressive))
            #expect((read.pixelWidth, read.pixelHeight) == (24, 16))
            #expect(read.isOpaque && read.distance(to: source) <= 8)
        }

        @Test("a scale without sense counts as 1", arguments: [Double.nan, 0, -2, .infinity])
        func scale(scale: Double) throws {
            #expect(try decoder.decode(ImageFiles.png(noise(2, 2)), scale: scale).scale == 1)
        }

        @Test("a file that is cut off is an error, wherever it ends")
        func cutOff() throws {
            for bytes in [try ImageFiles.jpeg(smooth()), try ImageFiles.jpeg(smooth(), isProgressive: true)] {
                for count in 0..<bytes.count {
                    #expect(throws: ImageError.self) { try decoder.decode(Array(bytes[..<count])) }
                }
            }
            let source = try noise(13, 9)
            let bytes = try ImageFiles.png(source)
            for count in 0..<bytes.count {
                // All pixels may be there before the end of the file; a part of them is no picture.
                guard let read = try? decoder.decode(Array(bytes[..<count])) else { continue }
                #expect(read.distance(to: source) <= 1 && count > bytes.count - 20)
            }
        }

        @Test(
            "damaged files are errors or other pictures, and nothing worse",
            arguments: 1...8 as ClosedRange<UInt64>)
        func damaged(seed: UInt64) throws {
            var generator = SeededGenerator(seed: seed)
            let files = [try ImageFiles.png(noise(20, 12)), try ImageFiles.jpeg(smooth(40, 30))]
            var small = decoder
            small.pixelLimit = 1 << 16
            for _ in 0..<300 {
                var bytes = files.randomElement(using: &generator) ?? []
                for _ in 0..<Int.random(in: 1...6, using: &generator) {
                    let index = Int.random(in: 2..<bytes.count, using: &generator)
                    bytes[index] = .random(in: 0...255, using: &generator)
                }
                if Bool.random(using: &generator) {
                    bytes.removeLast(.random(in: 0..<bytes.count, using: &generator))
                }
                if let read = try? small.decode(bytes) {
                    #expect(read.pixelWidth * read.pixelHeight <= 1 << 16)
                }
            }
            for head in [files[0].prefix(8), files[1].prefix(3)] {
                let noise = (0..<500).map { _ in UInt8.random(in: 0...255, using: &generator) }
                #expect(throws: ImageError.self) { try decoder.decode(Array(head) + noise) }
            }
        }

        @Test(
            "what is neither is said to be neither",
            arguments: [[], [0x89], Array("GIF89a".utf8), [0xFF, 0xD8]])
        func unknown(bytes: [UInt8]) {
            #expect(throws: ImageError.unknownFormat) { try decoder.decode(bytes) }
        }

        @Test("extents beyond the limit are an error before there is memory for them")
        func tooLarge() throws {
            let (png, jpeg) = (try ImageFiles.png(noise(10, 10)), try ImageFiles.jpeg(smooth()))
            var small = decoder
            small.pixelLimit = 99
            #expect(throws: ImageError.tooLarge(pixelWidth: 10, pixelHeight: 10)) { try small.decode(png) }
            #expect(throws: ImageError.tooLarge(pixelWidth: 24, pixelHeight: 16)) { try small.decode(jpeg) }
            small.pixelLimit = 100
            #expect(try small.decode(png).pixelWidth == 10)
            #expect(throws: ImageError.self) {
                try decoder.decode(ImageFiles.png(png, claiming: 500_000, 500_000))
            }
            #expect(throws: ImageError.self) { try decoder.decode(ImageFiles.png(png, claiming: 40_000, 2)) }
            #expect(throws: ImageError.tooLarge(pixelWidth: 65_000, pixelHeight: 65_000)) {
                try decoder.decode(ImageFiles.jpeg(jpeg, claiming: 65_000, 65_000))
            }
            #expect(throws: ImageError.self) { try decoder.decode(ImageFiles.png(png, claiming: 0, 10)) }
        }

        @Test(
            "of JPEG in several scans, coefficients count as much as the pixels that their memory would take")
        func coefficients() throws {
            let (width, height) = (64, 48)
            let source = try smooth(width, height)
            // Four bytes for each pixel, and two for each of its colours.
            let files = [
                (ImageFiles.jpeg(source), width * height),
                (ImageFiles.jpeg(source, isProgressive: true), width * height * 5 / 2),
                (ImageFiles.greyJPEG(width: width, height: height, scanCount: 10), width * height * 3 / 2),
                // Of whole blocks.
                (ImageFiles.greyJPEG(width: 1, height: 9, scanCount: 10), 9 + 2 * 64 / 2),
            ]
            for (file, pixelCount) in files {
                var small = decoder
                small.pixelLimit = pixelCount
                let read = try small.decode(file)
                small.pixelLimit -= 1
                #expect(
                    throws: ImageError.tooLarge(pixelWidth: read.pixelWidth, pixelHeight: read.pixelHeight)
                ) {
                    try small.decode(file)
                }
                small.pixelLimit = .max
                #expect(try small.decode(file).allPixels == read.allPixels)
            }
        }

        @Test("a picture in more scans than its pixels allow is an error, and so is one in more than 500")
        func scans() throws {
            var small = decoder
            small.pixelLimit = 64 * 64 * 2
            let allowed = ImageFiles.greyJPEG(width: 64, height: 64, scanCount: 32)
            #expect(try small.decode(allowed)[x: 63, y: 63] & 0xFF_FFFF == 0x80_8080)
            let excessive = ImageFiles.greyJPEG(width: 64, height: 64, scanCount: 33)
            #expect(throws: ImageError.tooManyScans(limit: 32)) { try small.decode(excessive) }
            #expect(try decoder.decode(excessive)[x: 0, y: 0] & 0xFF_FFFF == 0x80_8080)
            let most = ImageFiles.greyJPEG(width: 8, height: 8, scanCount: 500)
            #expect(try decoder.decode(most).pixelWidth == 8)
            let more = ImageFiles.greyJPEG(width: 8, height: 8, scanCount: 501)
            #expect(throws: ImageError.tooManyScans(limit: 500)) { try decoder.decode(more) }
        }

        /// How often a decoder asks whether it is cancelled.
        private func questionCount(_ file: [UInt8]) throws -> Int {
            var count = 0
            _ = try decoder.decode(file) {
                count += 1
                return false
            }
            return count
        }

        @Test("decoding asks before each row and in each scan whether it is cancelled, and then ends at once")
        func cancelled() throws {
            let (width, height) = (20, 40)
            let source = try noise(width, height)
            let rows = [[UInt8]](repeating: [UInt8](repeating: 1, count: width), count: height)
            let interlaced = ImageFiles.png(
                width: width, rows: [rows[0]], depth: 8, colorType: 0, isInterlaced: true)
            let files = [
                try ImageFiles.png(source), ImageFiles.jpeg(source),
                ImageFiles.png(width: width, rows: rows, depth: 8, colorType: 0),
                ImageFiles.jpeg(source, isProgressive: true),
                ImageFiles.greyJPEG(width: width, height: height, scanCount: 20),
            ]
            #expect(try files[..<3].map(questionCount) == [height, height, height])
            // Of five rows of blocks.
            #expect(try questionCount(files[3]) > 10 * 5 + height)
            #expect(try questionCount(files[4]) > 20 * 5 + height)
            for file in files {
                for last in try 1...questionCount(file) {
                    var count = 0
                    #expect(throws: CancellationError.self) {
                        try decoder.decode(file) {
                            count += 1
                            return count >= last
                        }
                    }
                    #expect(count == last)
                }
            }
            // Cancelled in the first pass, before the file turns out to be cut off.
            #expect(throws: CancellationError.self) { try decoder.decode(interlaced) { true } }
            #expect(throws: ImageError.self) { try decoder.decode(interlaced) { false } }
        }

        @Test("a file is not read when decoding is cancelled, and an error of the file comes before")
        func cancelledFile() throws {
            let folder = try Folder()
            let path = folder.path(of: "picture.png")
            #expect(throws: ImageError.unreadable(path: path, errno: ENOENT)) {
                try decoder.decode(contentsOfFile: path) { true }
            }
            let file = try folder.write(ImageFiles.png(noise(10, 10)), to: "picture.png")
            #expect(throws: CancellationError.self) { try decoder.decode(contentsOfFile: file) { true } }
            #expect(try decoder.decode(contentsOfFile: file) { false }.pixelWidth == 10)
        }

        @Test("without cancellation only the decoder's own errors are thrown", arguments: [false, true])
        func typedErrors(isFile: Bool) {
            func decode() throws(ImageError) -> CairoImage {
                if isFile { return try decoder.decode(contentsOfFile: "/dev/null") }
                return try decoder.decode([0])
            }
            #expect(throws: ImageError.unknownFormat) { try decode() }
        }

        @Test("an interlaced picture is the same as one that is not", arguments: [2, 6] as [UInt8])
        func interlaced(colorType: UInt8) throws {
            let depth = colorType == 2 ? 3 : 4
            let pixels = (0..<depth * 64).map { UInt8(truncatingIfNeeded: $0 * 37) }
            func pixel(_ x: Int, _ y: Int) -> ArraySlice<UInt8> {
                pixels[(y * 8 + x) * depth..<(y * 8 + x + 1) * depth]
            }
            let plain = ImageFiles.png(
                width: 8, rows: (0..<8).map { y in (0..<8).flatMap { pixel($0, y) } }, depth: 8,
                colorType: colorType)
            let passes = [
                (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
                (0, 1, 1, 2),
            ]
            let rows = passes.flatMap { x, y, across, down in
                stride(from: y, to: 8, by: down).map { y in
                    stride(from: x, to: 8, by: across).flatMap { pixel($0, y) }
                }
            }
            let interlaced = ImageFiles.png(
                width: 8, height: 8, rows: rows, depth: 8, colorType: colorType, isInterlaced: true)
            let read = try decoder.decode(interlaced)
            #expect(try read.allPixels == decoder.decode(plain).allPixels)
            #expect(read.isOpaque == (colorType == 2))
        }

        @Test("a file that cannot be read is an error that names it")
        func unreadable() throws {
            #expect(throws: ImageError.unreadable(path: "/nowhere.png", errno: ENOENT)) {
                try decoder.decode(contentsOfFile: "/nowhere.png")
            }
            #expect(throws: ImageError.self) { try decoder.decode(contentsOfFile: "/tmp") }
            #expect(throws: ImageError.unknownFormat) { try decoder.decode(contentsOfFile: "/dev/null") }
        }

        @Test("what is no file is no picture, and is not waited for")
        func noFile() throws {
            let folder = try Folder()
            #expect(throws: ImageError.unknownFormat) { try decoder.decode(contentsOfFile: "/dev/zero") }
            let pipe = folder.path(of: "pipe.png")
            try #require(mkfifo(pipe, 0o600) == 0)
            #expect(throws: ImageError.unknownFormat) { try decoder.decode(contentsOfFile: pipe) }
            let link = folder.path(of: "link.png")
            try #require(symlink(pipe, link) == 0)
            #expect(throws: ImageError.unknownFormat) { try decoder.decode(contentsOfFile: link) }
        }

        @Test("a file is looked at before all of it is read, and one without end is an error")
        func endless() throws {
            let folder = try Folder()
            let nothing = try folder.write([], to: "nothing.png", extendedTo: 1 << 40)
            #expect(throws: ImageError.unknownFormat) { try decoder.decode(contentsOfFile: nothing) }
            let png = try ImageFiles.png(noise(10, 10))
            let endless = try folder.write(png, to: "endless.png", extendedTo: 1 << 40)
            #expect(throws: ImageError.unreadable(path: endless, errno: EFBIG)) {
                try decoder.decode(contentsOfFile: endless)
            }
        }

        @Test("a file may take ten bytes for each pixel that is allowed, and 16 MiB besides")
        func largestFile() throws {
            let folder = try Folder()
            var small = decoder
            small.pixelLimit = 100
            let limit = 1_000 + 16 << 20
            let png = try ImageFiles.png(noise(10, 10))
            let largest = try folder.write(png, to: "largest.png", extendedTo: limit)
            #expect(try small.decode(contentsOfFile: largest).pixelWidth == 10)
            let larger = try folder.write(png, to: "larger.png", extendedTo: limit + 1)
            #expect(throws: ImageError.unreadable(path: larger, errno: EFBIG)) {
                try small.decode(contentsOfFile: larger)
            }
            #expect(try decoder.decode(contentsOfFile: larger).pixelWidth == 10)
            let same = try folder.write(png, to: "same.png")
            small.pixelLimit = .max
            #expect(try small.decode(contentsOfFile: same).pixelWidth == 10)
            small.pixelLimit = .min
            #expect(throws: ImageError.tooLarge(pixelWidth: 10, pixelHeight: 10)) {
                try small.decode(contentsOfFile: same)
            }
        }

        /// A folder of its own, removed when the test releases it.
        private final class Folder {
            private let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

            init() throws {
                try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            }

            deinit { try? FileManager.default.removeItem(at: url) }

            func path(of name: String) -> String { url.appending(path: name).path }

            /// Writes a file, with a hole behind the bytes that takes no room on the disk.
            func write(_ bytes: [UInt8], to name: String, extendedTo count: Int = 0) throws -> String {
                try Data(bytes).write(to: url.appending(path: name))
                if count > bytes.count { try #require(truncate(path(of: name), count) == 0) }
                return path(of: name)
            }
        }
    }
#endif
