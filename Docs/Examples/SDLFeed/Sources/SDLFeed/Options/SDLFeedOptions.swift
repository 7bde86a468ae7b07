import ArgumentParser
import FeedKit

/// How the feed is drawn.
enum DrawMode: String, CaseIterable, Sendable, ExpressibleByArgument {
    /// Through async layers: off the main thread, ahead of time.
    case layers
    /// On the main thread, when a cell comes into view.
    case synchronous
}

/// What the command line requests.
struct SDLFeedOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            PNG and JPEG files to show. \(OptionValue.dashNote("images")) \
            (default: Docs/Examples/Images of the checkout)
            """, valueName: "folder"),
        transform: OptionValue.path)
    var images: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Posts in the feed, 1 to 100000. (default: 2000)", valueName: "count"),
        transform: { try OptionValue.wholeNumber($0, in: 1...100_000) })
    var cells = 2_000

    @Option(parsing: .unconditional, help: "Another number writes another feed.")
    var seed: UInt64 = 1

    @Option(help: "layers draws off the main thread, synchronous on it, to be compared with.")
    var mode = DrawMode.layers

    @Option(
        parsing: .unconditional,
        help: "Pixels per point, 0.5 to 4. (default: the window's; 3 with --measure)",
        transform: { try OptionValue.number($0, in: 0.5...4) })
    var scale: Double?

    @Option(
        help: ArgumentHelp(
            "Write the figures when the program ends. \(OptionValue.dashNote("json"))", valueName: "file"),
        transform: OptionValue.path)
    var json: String?

    @Flag(
        name: .customLong("measure"),
        help: "Scroll through all cells at 60 Hz without a window, and print figures.")
    var measures = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Frames to measure, 120 to 1000000. (default: 5400, 90 s)", valueName: "count"),
        transform: { try OptionValue.wholeNumber($0, in: 120...1_000_000) })
    var frames: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Exit with status 1 if hitches exceed this, in milliseconds a second, 0 to 1000.",
            valueName: "ms"),
        transform: { try OptionValue.number($0, in: 0...1_000) })
    var bar: Double?

    @Option(
        help: ArgumentHelp(
            "Do something to the window: actions with commas between them.", valueName: "actions"),
        transform: ScriptAction.list)
    var script: [ScriptAction] = []

    @Option(
        help: ArgumentHelp(
            """
            When the script is done and all in view is drawn, write a PNG file and quit. \
            \(OptionValue.dashNote("screenshot"))
            """, valueName: "file"),
        transform: OptionValue.path)
    var screenshot: String?

    func validate() throws {
        if measures, screenshot != nil || !script.isEmpty {
            throw ValidationError("--measure has no window for --screenshot and --script")
        }
        if !measures, bar != nil { throw ValidationError("--bar needs --measure") }
        if !measures, frames != nil { throw ValidationError("--frames needs --measure") }
    }
}
