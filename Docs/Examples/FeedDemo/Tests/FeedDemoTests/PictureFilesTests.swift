#if Cairo
    import FeedKit
    import Foundation
    import Testing

    @testable import FeedDemo

    @Suite("Pictures of the feed", .timeLimit(.minutes(5)))
    struct PictureFilesTests {
        private let folder: TemporaryFolder
        private let png: Data

        init() throws {
            folder = try TemporaryFolder()
            png = Data(try PNG.encode(width: 2, height: 2, rgba: [UInt8](repeating: 0xFF, count: 16)))
        }

        @Test("no more are taken than the limit, the first of them")
        func limit() throws {
            for index in 100..<(100 + FeedDemoOptions.Limits.images + 3) {
                try folder.write(png, to: "\(index).png")
            }
            let files = try PictureFiles.find(folder.path)
            #expect(files.count == FeedDemoOptions.Limits.images)
            #expect(files.first?.hasSuffix("/100.png") == true)
        }

        @Test("the default are the examples' own, which can all be shown")
        func defaults() throws {
            #expect(try PictureFiles.find(nil) == PictureFolder.files(in: Checkout.pictures()))
        }

        @Test("what is missing, empty or no picture is an error before anything runs")
        func errors() throws {
            let path = folder.path
            #expect(throws: ProgramError(.badData, "the folder '\(path)' holds no .png, .jpg or .jpeg file"))
            {
                try PictureFiles.find(path)
            }
            let file = try folder.write(png.prefix(40), to: "cut.png")
            let error = #expect(throws: ProgramError.self) { try PictureFiles.find(path) }
            #expect(error?.code == .badData)
            #expect(error?.message.hasPrefix("'\(file)' cannot be shown: ") == true)
        }

        @Test("a pipe with the name of a picture is an error, and is not waited for")
        func pipe() throws {
            let pipe = folder.url.appendingPathComponent("a.png").path
            try #require(mkfifo(pipe, 0o600) == 0)
            let message = "'\(pipe)' cannot be shown: neither PNG nor JPEG"
            #expect(throws: ProgramError(.badData, message)) { try PictureFiles.find(folder.path) }
        }
    }
#endif
