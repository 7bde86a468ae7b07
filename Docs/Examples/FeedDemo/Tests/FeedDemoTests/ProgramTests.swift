#if os(Linux)
    import FeedKit
    import Foundation
    import Testing

    @testable import FeedDemo

    /// Runs the built program, whose main run loop drives the frames.
    @Suite("The program", .serialized, .timeLimit(.minutes(5)))
    struct ProgramTests {
        @Test(
            "a run of all modes with all renderers writes report, pictures and summary, and accounts for every pass"
        )
        func wholeRun() throws {
            let folder = try TemporaryFolder()
            let paragraphs = (1...400).map { "Paragraph \($0) of a text that is scrolled." }
            let input = try folder.write(paragraphs.joined(separator: "\n\n"), to: "text.txt")
            let output = folder.path + "/out"
            let lines = try Child.run(
                ["--input", input, "--output", output, "--frames", "150", "--hz", "60", "--scale", "1"])
            #expect(lines.first == "400 cells from 1 file")

            let data = try Data(contentsOf: URL(fileURLWithPath: output + "/summary.json"))
            let summary = try JSONDecoder().decode(Summary.self, from: data)
            let results = summary.modes.byRenderer
            #expect(results.map(\.renderer) == FeedRenderer.builtIn)
            #expect(summary.layouts.map(\.renderer) == FeedRenderer.builtIn)
            #expect(summary.layouts.allSatisfy { $0.lastPicturesAreEqual })
            for renderer in results {
                try check(renderer.modes)
                #expect(try bytes(renderer.renderer.screenshotName()) > 1_000)
            }
            #expect(try bytes("report.html") > 1_000)

            func bytes(_ file: String) throws -> Int {
                try Data(contentsOf: URL(fileURLWithPath: output + "/" + file)).count
            }
        }

        /// What holds of the modes of each renderer.
        private func check(_ results: [ModeResult]) throws {
            #expect(results.map(\.mode) == FeedMode.allCases)
            for mode in results {
                #expect(mode.frames == 150)
                let passes = mode.passes
                #expect(
                    passes.begun == passes.committed + passes.superseded.total + passes.cancelled
                        + passes.failed)
                #expect((passes.committed > 0) == mode.mode.showsCells)
                #expect((mode.drawMilliseconds.max > 0) == mode.mode.showsCells)
                #expect(passes.drawnButNeverShown <= passes.drawn)
            }
            for mode in results where mode.scenario == .scroll {
                #expect(mode.finalOffset == results[0].finalOffset)
                #expect(mode.finalOffset > 0)
                #expect(mode.storm == nil)
                let again = try #require(mode.passesAgain)
                #expect(again.begun <= mode.passes.begun)
            }
            for mode in results where mode.scenario == .storm {
                let storm = try #require(mode.storm)
                #expect(storm.cells >= 1)
                #expect(mode.drawMilliseconds.p50 >= 30)
                #expect((1...storm.cells * 150).contains(mode.passes.begun))
                #expect(storm.longestWithoutNewPictureMilliseconds > 0)
                #expect(mode.passesAgain == nil)
            }
            // A machine that is busy with other things may stop the storm for the length of a draw.
            func pictures(_ mode: FeedMode) throws -> Double {
                let result = try #require(results.first { $0.mode == mode })
                return try #require(result.storm).newPicturesPerSecond
            }
            #expect(try pictures(.storm) > 2 * pictures(.stormYYAsyncLayer))
            let synchronous = results.first { $0.mode == .synchronous }
            #expect(try #require(synchronous?.passesAgain).begun > 0, "cells come back")
            let cached = try #require(results.first { $0.mode == .cached }).passesAgain
            #expect(cached?.drawn == 0)
            #expect(cached?.committedInSameTurn == cached?.begun)
        }

        @Test(
            "the help is printed with status 0, beside any other arguments",
            arguments: [
                ["-h"], ["--help"], ["--hz", "50", "-h"], ["--hz", "50", "--help"], ["--help", "--colour"],
            ])
        func help(arguments: [String]) throws {
            #expect(try Child.run(arguments).first?.hasPrefix("OVERVIEW: Makes a feed") == true)
        }

        @Test("wrong input ends with the status that says so")
        func statuses() throws {
            let folder = try TemporaryFolder()
            let empty = try folder.write(" \n\n", to: "empty.txt")
            let file = try folder.write("text", to: "file.txt")
            for (arguments, status, message) in [
                (["--input=/no/such"], 66, "FeedDemo: there is no '/no/such'"),
                (["--input", empty], 65, "FeedDemo: the input is empty"),
                (["--input", file, "--output", file], 73, "FeedDemo: cannot make the folder"),
                (["--frames=0"], 64, "Error: The value '0' is invalid"),
            ] as [([String], Int32, String)] {
                let failure = #expect(throws: Child.Failure.self) { try Child.run(arguments) }
                #expect(failure?.status == status)
                #expect(failure?.output.hasPrefix(message) == true)
            }
        }
    }

    /// The program in a process of its own.
    private enum Child {
        struct Failure: Error {
            let status: Int32
            let output: String
        }

        /// Runs it and gives the lines that it prints; throws unless it ends with status 0.
        static func run(_ arguments: [String]) throws -> [String] {
            // SwiftPM puts all programs of one build into one folder.
            let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            let process = Process()
            process.executableURL = URL(fileURLWithPath: tests).deletingLastPathComponent()
                .appendingPathComponent("FeedDemo")
            process.arguments = arguments
            let pipe = Pipe()
            process.standardOutput = pipe
            process.standardError = pipe
            try process.run()
            let output = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            process.waitUntilExit()
            guard process.terminationStatus == 0 else {
                throw Failure(status: process.terminationStatus, output: output)
            }
            return output.split(separator: "\n").map(String.init)
        }
    }
#endif
