import FeedKit
import Foundation
import Testing

@Suite("Values of options")
struct OptionValueTests {
    @Test(
        "whole numbers lie within their limits",
        arguments: ["", "0", "-5", "1001", "3.5", "1e2", "9e99", "x"])
    func wholeNumbers(text: String) throws {
        #expect(throws: ProgramError(.usage, "must be a whole number from 1 to 1000")) {
            try OptionValue.wholeNumber(text, in: 1...1_000)
        }
        #expect(try OptionValue.wholeNumber("1000", in: 1...1_000) == 1_000)
    }

    @Test(
        "numbers are finite and lie within their limits",
        arguments: ["", "nan", "inf", "-1", "4.1", "1e400", "x"])
    func numbers(text: String) throws {
        #expect(throws: ProgramError(.usage, "must be a number from 0.5 to 4")) {
            try OptionValue.number(text, in: 0.5...4)
        }
        #expect(try OptionValue.number("0.5", in: 0.5...4) == 0.5)
    }

    @Test("paths are not empty")
    func paths() throws {
        #expect(throws: ProgramError(.usage, "must not be empty")) { try OptionValue.path("") }
        #expect(try OptionValue.path(" ") == " ")
    }
}

@Suite("A request for help")
struct HelpRequestTests {
    @Test(
        "replaces all arguments, wherever it stands before the terminator",
        arguments: [
            (["-h"], ["-h"]), (["--help"], ["--help"]), (["--cells", "x", "-h"], ["-h"]),
            (["--help", "--colour"], ["--help"]), (["--cells", "x"], ["--cells", "x"]), ([], []),
            (["--", "-h"], ["--", "-h"]), (["--output=-h"], ["--output=-h"]),
        ] as [([String], [String])])
    func alone(arguments: [String], parsed: [String]) {
        #expect(HelpRequest.alone(in: arguments) == parsed)
    }
}

@Suite("Files of the examples")
struct CheckoutTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("FeedKit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func makeFolder(_ path: String) throws {
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent(path), withIntermediateDirectories: true)
    }

    @Test("the checkout is the current folder if that is one, else the folder of the sources")
    func checkout() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let compiled = Checkout.folders(currentFolder: "/nowhere")
        #expect(compiled.count == 1)
        #expect(Checkout.folders(currentFolder: folder.path).map(\.path) == compiled.map(\.path))
        try makeFolder("Docs/Examples/FeedKit")
        #expect(
            Checkout.folders(currentFolder: folder.path).map(\.path) == [folder.path] + compiled.map(\.path))
        #expect(Checkout.folders(currentFolder: folder.path, sourceFile: "/a/b/c.swift").count == 1)
    }

    @Test("the default pictures are PNG and JPEG files, sorted")
    func pictures() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = try PictureFolder.files(in: Checkout.pictures())
        #expect(files.count >= 6)
        #expect(files == files.sorted())
        #expect(Set(files.map { URL(fileURLWithPath: $0).pathExtension }) == ["png", "jpg"])
        let error = #expect(throws: ProgramError.self) { try Checkout.pictures(in: [folder]) }
        #expect(error?.code == .noInput)
    }

    @Test("hidden files and other types are no pictures, and a folder that is missing is an error")
    func folders() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["b.PNG", "a.jpeg", ".hidden.png", "c.txt"] {
            try Data().write(to: folder.appendingPathComponent(name))
        }
        let names = try PictureFolder.files(in: folder.path).map {
            URL(fileURLWithPath: $0).lastPathComponent
        }
        #expect(names == ["a.jpeg", "b.PNG"])
        #expect(throws: ProgramError(.noInput, "there is no folder '/no/such'")) {
            try PictureFolder.files(in: "/no/such")
        }
        let file = folder.path + "/c.txt"
        #expect(throws: ProgramError(.noInput, "cannot list '\(file)'")) { try PictureFolder.files(in: file) }
    }
}
