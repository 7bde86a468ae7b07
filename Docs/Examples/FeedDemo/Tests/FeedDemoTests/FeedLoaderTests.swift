import FeedKit
import Foundation
import Testing

@testable import FeedDemo

@Suite("Input files", .timeLimit(.minutes(5)))
struct FeedLoaderTests {
    @Test("A folder is read recursively, sorted by path, without hidden files, build folders and other types")
    func folder() throws {
        let folder = try TemporaryFolder()
        let names = [
            "b.md", "a.txt", "Sub/c.markdown", "Sub/deeper/d.TEXT", ".hidden.md", ".build/e.md",
            "node_modules/f.md",
            "Build/g.md", "picture.png", "h.swift",
        ]
        for name in names { try folder.write("text of \(name)", to: name) }
        let feed = try FeedLoader.load([folder.path])
        let texts = ["Sub/c.markdown", "Sub/deeper/d.TEXT", "a.txt", "b.md"].map { "text of \($0)" }
        #expect(feed.items.map(\.text) == texts)
        #expect(feed.fileCount == 4)
        #expect(feed.characterCount == texts.joined().count)
        #expect(!feed.isTruncated)
    }

    @Test("Inputs keep their order, and a file that is named twice is read once")
    func order() throws {
        let folder = try TemporaryFolder()
        let second = try folder.write("two", to: "2.md")
        try folder.write("one", to: "1.md")
        let feed = try FeedLoader.load([second, folder.path, folder.path + "/./1.md"])
        #expect(feed.items.map(\.text) == ["two", "one"])
    }

    @Test("A file that is named by itself is read with any extension")
    func anyExtension() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("# not a heading here", to: "notes.log")
        #expect(try FeedLoader.load([file]).items.map(\.text) == ["# not a heading here"])
    }

    @Test("A link to a folder is not followed inside a folder, a link to a file is")
    func links() throws {
        let folder = try TemporaryFolder()
        try folder.write("text", to: "real/a.md")
        let link = folder.url.appendingPathComponent("real/loop").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path)
        try folder.write("other", to: "other.data")
        try FileManager.default.createSymbolicLink(
            atPath: folder.url.appendingPathComponent("z.md").path, withDestinationPath: "other.data")
        #expect(try FeedLoader.load([folder.path]).items.map(\.text) == ["text", "other"])
    }

    @Test("What is missing, and what is neither file nor folder, is said to be so")
    func missing() throws {
        #expect(throws: ProgramError(.noInput, "there is no '/no/such/file.md'")) {
            try FeedLoader.load(["/no/such/file.md"])
        }
        #expect(throws: ProgramError(.noInput, "'/dev/zero' is neither a file nor a folder")) {
            try FeedLoader.load(["/dev/zero"])
        }
        let folder = try TemporaryFolder()
        let link = folder.url.appendingPathComponent("dangling.md").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "nothing")
        #expect(throws: ProgramError(.noInput, "there is no '\(link)'")) { try FeedLoader.load([link]) }
    }

    #if os(Linux)
        @Test("A file that cannot be read is said to be so")
        func unreadable() {
            // Reading address 0 fails for every user, root too.
            #expect(throws: ProgramError(.noInput, "cannot read '/proc/self/mem'")) {
                try FeedLoader.load(["/proc/self/mem"])
            }
        }
    #endif

    @Test(
        "A zero byte, or bytes that are not UTF-8, mean binary",
        arguments: [[65, 0, 66], [0xFF, 0xFE], [0xC3]])
    func binary(bytes: [UInt8]) throws {
        let folder = try TemporaryFolder()
        try folder.write("fine", to: "a.md")
        let file = try folder.write(Data(bytes), to: "b.md")
        for input in [file, folder.path] {
            let error = #expect(throws: ProgramError.self) { try FeedLoader.load([input]) }
            #expect(error?.code == .badData)
            #expect(error?.message.contains("binary") == true)
            #expect(error?.message.contains(file) == true)
        }
    }

    @Test(
        "No paragraph at all is an error",
        arguments: ["", " \n\t\n\r\n", "---\ntitle: x\n---\n", "<!-- x -->\n"])
    func empty(text: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(text, to: "a.md")
        let error = #expect(throws: ProgramError.self) { try FeedLoader.load([folder.path]) }
        #expect(error?.code == .badData)
        #expect(error?.message.contains("is empty: it has no paragraph") == true)
    }

    @Test("A folder without text files says which files are read")
    func nothingToRead() throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: ProgramError.self) { try FeedLoader.load([folder.path]) }
        #expect(error?.message.hasPrefix("the input holds no .md, .markdown, .txt or .text file") == true)
    }

    @Test("All files together may not be larger than the limit; exactly the limit is allowed")
    func tooLarge() throws {
        let folder = try TemporaryFolder()
        try folder.write(String(repeating: "a", count: 600), to: "a.txt")
        try folder.write(String(repeating: "b", count: 400), to: "b.txt")
        #expect(try FeedLoader.load([folder.path], maximumByteCount: 1_000).items.count == 2)
        let error = #expect(throws: ProgramError.self) {
            try FeedLoader.load([folder.path], maximumByteCount: 999)
        }
        #expect(error?.code == .badData)
        #expect(error?.message.contains("b.txt' takes the input over its limit") == true)
    }

    @Test("More cells than the limit are left out, and the feed says so")
    func truncated() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(
            String(repeating: "a\n\n", count: FeedLoader.maximumItemCount + 10), to: "a.txt")
        let feed = try FeedLoader.load([file])
        #expect(feed.items.count == FeedLoader.maximumItemCount)
        #expect(feed.isTruncated)
    }

    @Test("The default is README and Docs of the checkout: of the first folder that has any of them")
    func defaultPaths() throws {
        let folder = try TemporaryFolder()
        let other = try TemporaryFolder()
        try folder.write("x", to: "README.md")
        try folder.write("x", to: "Docs/A.md")
        let expected = [folder.path + "/README.md", folder.path + "/Docs"]
        #expect(try InputFiles.defaultPaths(in: [folder.url]) == expected)
        #expect(try InputFiles.defaultPaths(in: [other.url, folder.url]) == expected)
        let error = #expect(throws: ProgramError.self) { try InputFiles.defaultPaths(in: [other.url]) }
        #expect(error?.code == .noInput)
        #expect(try InputFiles.defaultPaths().allSatisfy(FileManager.default.fileExists(atPath:)))
    }

    @Test("A byte-order mark and control characters go, line ends and tabs become plain")
    func normalized() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("\u{FEFF}one\r\n\r\ntwo\u{07}\u{1B}[1m\n\tthree\rfour", to: "a.txt")
        #expect(try FeedLoader.load([file]).items.map(\.text) == ["one", "two[1m\nthree four"])
    }

    @Test("A cell is by the nearest heading, a heading and what stands before it by the file")
    func authors() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("Intro.\n\n# First *one*\n\ntext\n\n## Second\n\n- item", to: "Guide.md")
        let items = try FeedLoader.load([file]).items
        #expect(items.map(\.author) == ["Guide", "Guide", "First one", "Guide", "Second"])
        #expect(items.map(\.kind) == [.paragraph, .heading, .paragraph, .heading, .listItem])
        #expect(items.allSatisfy { $0.source == "Guide" })
    }

    @Test("Typographic marks are spelled in ASCII, other scripts stay")
    func displayText() {
        #expect(
            DisplayText.simplified("“Don’t” – a → b… é 日本 \u{2264}\u{00A0}3")
                == "\"Don't\" - a -> b... é 日本 <= 3")
    }
}
