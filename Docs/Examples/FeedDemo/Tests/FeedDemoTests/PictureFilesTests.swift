#if Cairo
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

        @Test("a folder's PNG and JPEG files are taken by their names, sorted, hidden ones not")
        func sorted() throws {
            for name in ["b.PNG", "a.png", ".hidden.png", "c.txt", "sub/d.png"] {
                try folder.write(png, to: name)
            }
            let names = try PictureFiles.find(folder.path).map { URL(fileURLWithPath: $0).lastPathComponent }
            #expect(names == ["a.png", "b.PNG"])
        }

        @Test("no more are taken than the limit, the first of them")
        func limit() throws {
            for index in 100..<(100 + Options.Limits.images + 3) {
                try folder.write(png, to: "\(index).png")
            }
            let files = try PictureFiles.find(folder.path)
            #expect(files.count == Options.Limits.images)
            #expect(files.first?.hasSuffix("/100.png") == true)
        }

        @Test("the default are the package's own, which can all be shown")
        func defaults() throws {
            let files = try PictureFiles.find(nil)
            #expect(files.count >= 6)
            #expect(Set(files.map { URL(fileURLWithPath: $0).pathExtension }) == ["png", "jpg"])
            let error = #expect(throws: DemoError.self) { try PictureFiles.defaultFolder(in: [folder.url]) }
            #expect(error?.code == .noInput)
        }

        @Test("what is missing, empty or no picture is told before anything runs")
        func errors() throws {
            #expect(throws: DemoError(.noInput, "there is no folder '/no/such'")) {
                try PictureFiles.find("/no/such")
            }
            let path = folder.path
            #expect(throws: DemoError(.badData, "the folder '\(path)' holds no .png, .jpg or .jpeg file")) {
                try PictureFiles.find(path)
            }
            let file = try folder.write(png.prefix(40), to: "cut.png")
            #expect(throws: DemoError(.noInput, "cannot list '\(file)'")) { try PictureFiles.find(file) }
            let error = #expect(throws: DemoError.self) { try PictureFiles.find(path) }
            #expect(error?.code == .badData)
            #expect(error?.message.hasPrefix("'\(file)' cannot be shown: ") == true)
        }

        @Test("a pipe that is called as a picture is told of, and not waited for")
        func pipe() throws {
            let pipe = folder.url.appendingPathComponent("a.png").path
            try #require(mkfifo(pipe, 0o600) == 0)
            let message = "'\(pipe)' cannot be shown: neither PNG nor JPEG"
            #expect(throws: DemoError(.badData, message)) { try PictureFiles.find(folder.path) }
        }

        @MainActor
        @Test("the program ends with the status that says so")
        func status() {
            var told = ""
            #expect(FeedDemo.status(of: ["--images", "/no/such"], tellError: { told += $0 }) == 66)
            #expect(told == "FeedDemo: there is no folder '/no/such'\n")
        }
    }
#endif
