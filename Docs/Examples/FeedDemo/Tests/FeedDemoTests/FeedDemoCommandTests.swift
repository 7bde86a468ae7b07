import Testing

@testable import FeedDemo

@Suite("Command line")
struct OptionParserTests {
    @Test("No argument means 120 Hz, 900 frames, all modes, scale 3, a phone's size and the folder feed-demo")
    func defaults() throws {
        let options = try run([])
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

    @Test("Every option is read, with its value behind a space or an equals sign")
    func everyOption() throws {
        let arguments = [
            "--input", "a.md", "b", "--hz", "60", "--input=c=d.txt", "--frames=10", "--modes",
            "layered,baseline", "--scale", "1.5", "--width=200", "--height", "300", "--output", "out",
            "--draw-cost", "1-4", "--storm-draw-cost=12.5", "--renderers", "bitmap",
        ]
        let options = try run(arguments)
        #expect(options.inputs == ["a.md", "b", "c=d.txt"])
        #expect(options.hz == 60)
        #expect(options.frames == 10)
        #expect(options.modes == [.baseline, .layered], "modes run in one order, whatever was typed")
        #expect(options.renderers == [.bitmap])
        #expect(options.scale == 1.5)
        #expect(options.width == 200)
        #expect(options.height == 300)
        #expect(options.output == "out")
        #expect(options.drawCost.milliseconds == 1...4)
        #expect(options.stormDrawCost.milliseconds == 12.5...12.5)
    }

    @Test(
        "Help is asked for by either name, also beside nonsense",
        arguments: [["--help"], ["-h"], ["--x", "-h"]])
    func help(arguments: [String]) throws {
        #expect(try OptionParser.parse(arguments) == .help)
    }

    @Test("The help text names every option, its default and every mode, and fits a terminal")
    func helpText() {
        let names = [
            "--input", "--output", "--hz", "--frames", "--modes", "--draw-cost", "--storm-draw-cost",
            "--scale", "--width", "--height", "--renderers", "--images",
        ]
        for name in names + ["feed-demo", "120", "900", "390", "844", "default: 30"] {
            #expect(Options.help.contains(name))
        }
        let lines = Options.help.split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } }
        for mode in FeedMode.allCases {
            #expect(lines.contains { $0.hasPrefix(mode.name + " ") && $0.hasSuffix(" " + mode.explanation) })
        }
        for renderer in FeedRenderer.allCases {
            #expect(
                lines.contains { $0.hasPrefix(renderer.name + " ") && $0.hasSuffix(renderer.explanation) })
        }
        #expect(Options.help.split(separator: "\n").allSatisfy { $0.count <= 100 })
    }

    private static let modeNames = FeedMode.allCases.map(\.name).joined(separator: ", ")

    private static func drawCostMessage(_ name: String, _ text: String) -> String {
        "\(name) must be a number from 0 to 1000 or a range such as 1-4, not '\(text)'"
    }

    @Test(
        "Nonsense is a usage error that names what was wrong",
        arguments: [
            (["--hz", "50"], "--hz must be 60 or 120, not '50'"),
            (["--hz", "fast"], "--hz must be 60 or 120, not 'fast'"),
            (["--hz"], "--hz needs a value"),
            (["--frames", "0"], "--frames must be a whole number from 1 to 1000000, not '0'"),
            (["--frames", "-5"], "--frames must be a whole number from 1 to 1000000, not '-5'"),
            (["--frames", "1000001"], "--frames must be a whole number from 1 to 1000000, not '1000001'"),
            (
                ["--frames", "99999999999999999999"],
                "--frames must be a whole number from 1 to 1000000, not '99999999999999999999'"
            ),
            (["--modes", "layered,fast"], "--modes knows \(modeNames), not 'fast'"),
            (["--modes", "layered,"], "--modes knows \(modeNames), not ''"),
            (["--modes", "layered,layered"], "--modes names 'layered' twice"),
            (["--modes="], "--modes needs a value"),
            (["--renderers", "bitmap,skia"], "--renderers knows bitmap, cairo, not 'skia'"),
            (["--renderers", "bitmap,bitmap"], "--renderers names 'bitmap' twice"),
            (["--images"], "--images needs a value"),
            (["--draw-cost", "fast"], drawCostMessage("--draw-cost", "fast")),
            (["--draw-cost", "4-1"], drawCostMessage("--draw-cost", "4-1")),
            (["--draw-cost", "1-2-3"], drawCostMessage("--draw-cost", "1-2-3")),
            (["--draw-cost", "-5"], drawCostMessage("--draw-cost", "-5")),
            (["--draw-cost", "1001"], drawCostMessage("--draw-cost", "1001")),
            (["--draw-cost", "nan"], drawCostMessage("--draw-cost", "nan")),
            (["--draw-cost", "1-inf"], drawCostMessage("--draw-cost", "1-inf")),
            (["--storm-draw-cost="], "--storm-draw-cost needs a value"),
            (["--storm-draw-cost", "1e4"], drawCostMessage("--storm-draw-cost", "1e4")),
            (["--scale", "nan"], "--scale must be a number from 1 to 4, not 'nan'"),
            (["--scale", "inf"], "--scale must be a number from 1 to 4, not 'inf'"),
            (["--scale", "0"], "--scale must be a number from 1 to 4, not '0'"),
            (["--width", "100"], "--width must be a whole number from 160 to 2048, not '100'"),
            (["--height", "1e9"], "--height must be a whole number from 160 to 4096, not '1e9'"),
            (
                ["--width", "2048", "--height", "4096", "--scale", "4"],
                "2048 by 4096 points at scale 4.0 is more than 33554432 pixels"
            ),
            (["--input"], "--input needs a value"),
            (["--input", "--hz", "60"], "--input needs a value"),
            (["--output", ""], "--output needs a value"),
            (["--colour"], "unknown option '--colour'"),
            (["README.md"], "unexpected argument 'README.md'"),
            (["-"], "unexpected argument '-'"),
            ([""], "unexpected argument ''"),
        ])
    func usageErrors(arguments: [String], message: String) {
        #expect(throws: DemoError(.usage, message)) { try OptionParser.parse(arguments) }
    }

    @MainActor
    @Test("A usage error points to the help and ends with status 64")
    func status() {
        var told = ""
        #expect(FeedDemo.status(of: ["--hz", "50"], tellError: { told += $0 }) == 64)
        #expect(told == "FeedDemo: --hz must be 60 or 120, not '50'; see --help\n")
    }

    @MainActor
    @Test("A missing input ends with status 66, a useless one with 65, and both say which it was")
    func inputStatus() throws {
        let folder = try TemporaryFolder()
        var told = ""
        #expect(FeedDemo.status(of: ["--input", "/no/such"], tellError: { told = $0 }) == 66)
        #expect(told == "FeedDemo: there is no '/no/such'\n")
        let empty = try folder.write(" \n\n", to: "empty.txt")
        #expect(FeedDemo.status(of: ["--input", empty], tellError: { told = $0 }) == 65)
        #expect(told.hasPrefix("FeedDemo: the input is empty"))
        #expect(told.contains(empty))
    }

    private func run(_ arguments: [String]) throws -> Options {
        guard case .run(let options) = try OptionParser.parse(arguments) else {
            throw DemoError(.usage, "help was not asked for")
        }
        return options
    }
}
