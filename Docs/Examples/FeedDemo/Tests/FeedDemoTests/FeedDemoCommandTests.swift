import ArgumentParser
import FeedKit
import Testing

@testable import FeedDemo

@Suite("Command line")
struct FeedDemoCommandTests {
    @Test("No argument means 120 Hz, 900 frames, all modes, scale 3, a phone's size and the folder feed-demo")
    func defaults() throws {
        let options = try FeedDemoOptions.parse([])
        #expect(options.inputs.isEmpty)
        #expect(options.output == "feed-demo")
        #expect(options.hz == 120)
        #expect(options.frames == 900)
        #expect(options.modes == FeedMode.allCases)
        #expect(options.renderers == FeedRenderer.builtIn)
        #expect(options.images == nil)
        #expect(options.drawCost == .none)
        #expect(options.stormDrawCost.milliseconds == 30...30)
        #expect(options.scale == 3)
        #expect(options.width == 390)
        #expect(options.height == 844)
    }

    @Test(
        "Every option is read, with its value behind a space or an equals sign; of a repeated one the last counts"
    )
    func everyOption() throws {
        let options = try FeedDemoOptions.parse([
            "--input", "a.md", "b", "--hz", "120", "--hz", "60", "--input=c=d.txt", "--frames=10", "--modes",
            "layered,baseline", "--scale", "1.5", "--width=200", "--height", "300", "--output", "out",
            "--draw-cost", "1-4", "--storm-draw-cost=12.5", "--renderers", "bitmap",
        ])
        #expect(options.inputs == ["a.md", "b", "c=d.txt"])
        #expect(options.hz == 60)
        #expect(options.frames == 10)
        #expect(options.modes == [.baseline, .layered], "modes run in one order")
        #expect(options.renderers == [.bitmap])
        #expect(options.scale == 1.5)
        #expect(options.width == 200)
        #expect(options.height == 300)
        #expect(options.output == "out")
        #expect(options.drawCost.milliseconds == 1...4)
        #expect(options.stormDrawCost.milliseconds == 12.5...12.5)
    }

    @Test("A path that begins with a dash is read behind an equals sign, as the help says")
    func dashes() throws {
        let options = try FeedDemoOptions.parse([
            "--input=-notes.md", "a.md", "--input=--b.md", "--output=-out",
        ])
        #expect(options.inputs == ["-notes.md", "a.md", "--b.md"])
        #expect(options.output == "-out")
        let help = words(FeedDemoCommand.helpMessage())
        for name in ["input", "output", "images"] {
            #expect(help.contains("begins with a dash is written --\(name)=-name."))
        }
    }

    @Test("A cost is read as it is printed", arguments: [1.0...4.0, 30.0...30.0, 0.5...1.25])
    func drawCost(milliseconds: ClosedRange<Double>) throws {
        let cost = DrawCost(milliseconds: milliseconds)
        #expect(try FeedDemoOptions.parse(["--draw-cost", "\(cost)"]).drawCost == cost)
    }

    @Test("The help names every option, its default, every mode and every renderer")
    func help() {
        let help = words(FeedDemoCommand.helpMessage())
        for name in [
            "--input", "--output", "--hz", "--frames", "--modes", "--draw-cost", "--storm-draw-cost",
            "--scale", "--width", "--height", "--renderers", "--images", "--help", "feed-demo", "120", "900",
            "390", "844", "default: 30", "first \(FeedDemoOptions.Limits.images) are used",
        ] {
            #expect(help.contains(name))
        }
        for mode in FeedMode.allCases { #expect(help.contains("\(mode.name) \(mode.explanation)")) }
        for renderer in FeedRenderer.allCases {
            #expect(help.contains("\(renderer.name) \(renderer.explanation)"))
        }
    }

    private static let costMessage = "must be a number from 0 to 1000 or a range such as 1-4"

    @Test(
        "Nonsense is a usage error that names what was wrong",
        arguments: [
            (["--hz", "50"], "'50' is invalid for '--hz <hz>': must be 60 or 120"),
            (["--hz", "fast"], "must be 60 or 120"),
            (["--hz"], "Missing value for '--hz"),
            (["--frames", "0"], "must be a whole number from 1 to 1000000"),
            (["--frames", "-5"], "'-5' is invalid for '--frames"),
            (["--frames", "1000001"], "must be a whole number from 1 to 1000000"),
            (["--frames", "99999999999999999999"], "must be a whole number from 1 to 1000000"),
            (["--modes", "layered,fast"], "there are baseline, synchronous, yyasynclayer, layered"),
            (["--modes", "layered,"], "and no ''"),
            (["--modes", "layered,layered"], "'layered' is named twice"),
            (["--modes="], "Missing value for '--modes"),
            (["--renderers", "bitmap,skia"], "there are bitmap, cairo, and no 'skia'"),
            (["--renderers", "bitmap,bitmap"], "'bitmap' is named twice"),
            (["--images"], "Missing value for '--images"),
            (["--draw-cost", "fast"], costMessage),
            (["--draw-cost", "4-1"], costMessage),
            (["--draw-cost", "1-2-3"], costMessage),
            (["--draw-cost", "-5"], costMessage),
            (["--draw-cost", "1001"], costMessage),
            (["--draw-cost", "nan"], costMessage),
            (["--draw-cost", "1-inf"], costMessage),
            (["--storm-draw-cost="], "Missing value for '--storm-draw-cost"),
            (["--storm-draw-cost", "1e4"], costMessage),
            (["--scale", "nan"], "'nan' is invalid for '--scale <scale>': must be a number from 1 to 4"),
            (["--scale", "inf"], "must be a number from 1 to 4"),
            (["--scale", "0"], "must be a number from 1 to 4"),
            (["--width", "100"], "must be a whole number from 160 to 2048"),
            (["--height", "1e9"], "must be a whole number from 160 to 4096"),
            (
                ["--width", "2048", "--height", "4096", "--scale", "4"],
                "2048 by 4096 points at scale 4.0 is more than 33554432 pixels"
            ),
            (["--input"], "Missing value for '--input"),
            (["--input", "--hz", "60"], "Missing value for '--input"),
            (["--input", ""], "must not be empty"),
            (["--output", "-out"], "Missing value for '--output"),
            (["--output", ""], "must not be empty"),
            (["--colour"], "Unknown option '--colour'"),
            (["README.md"], "Unexpected argument 'README.md'"),
            (["-"], "Unexpected argument '-'"),
            ([""], "Unexpected argument ''"),
        ])
    func usageErrors(arguments: [String], message: String) {
        expectUsageError(arguments, message)
    }

    #if Cairo
        @Test("Both renderers are built in and run in one order")
        func renderers() throws {
            #expect(
                try FeedDemoOptions.parse(["--renderers", "cairo,bitmap"]).renderers == [.bitmap, .cairo])
            #expect(try FeedDemoOptions.parse(["--renderers=cairo", "--images", "x"]).images == "x")
            #expect(words(FeedDemoCommand.helpMessage()).contains("All of them are built in."))
        }

        @Test("A folder of images that begins with a dash is read behind an equals sign")
        func dashedImages() throws {
            #expect(try FeedDemoOptions.parse(["--images=-in"]).images == "-in")
        }

        @Test("Images without the renderer that shows them are a usage error")
        func images() {
            expectUsageError(
                ["--images", "x", "--renderers", "bitmap"],
                "--images is for the renderer cairo, which --renderers leaves out")
        }
    #else
        private static let cairoCommand =
            "swift run -c release --package-path Docs/Examples/FeedDemo --traits Cairo FeedDemo"

        @Test(
            "What was not built in is a usage error that says how to build it",
            arguments: [["--renderers", "cairo"], ["--renderers=bitmap,cairo"], ["--images", "x"]])
        func missing(arguments: [String]) {
            expectUsageError(
                arguments,
                "this program was built without the renderer cairo; with it: \(Self.cairoCommand)")
        }

        @Test("The help says how to build what is missing")
        func helpOnMissing() {
            #expect(words(FeedDemoCommand.helpMessage()).contains(Self.cairoCommand))
        }
    #endif

    /// The text with each line end and each run of spaces as one space: how it is wrapped depends on the
    /// terminal.
    private func words(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private func expectUsageError(_ arguments: [String], _ message: String) {
        do {
            _ = try FeedDemoCommand.parse(arguments)
            Issue.record("\(arguments) are accepted")
        } catch {
            #expect(FeedDemoCommand.exitCode(for: error).rawValue == 64)
            #expect(FeedDemoCommand.message(for: error).contains(message))
        }
    }
}
