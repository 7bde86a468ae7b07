/// What the command line asked for; every value lies within ``Limits``.
struct Options: Equatable, Sendable {
    /// Files and folders to read, as typed; none means the package's own README and Docs.
    var inputs: [String] = []
    /// The folder that the report is written to.
    var output = "feed-demo"
    /// Frames per second: 60 or 120.
    var hz = 120
    /// Frames per mode.
    var frames = 900
    /// The renderers to run them with, in the order in which they run.
    var renderers = FeedRenderer.builtIn
    /// The folder of the pictures that cells show, as typed; nil means the package's own.
    var images: String?
    /// The modes to run, in the order in which they run.
    var modes = FeedMode.allCases
    /// How long drawing a cell takes at least, in the modes that scroll.
    var drawCost = DrawCost.none
    /// How long drawing a cell takes at least, in the modes that storm.
    var stormDrawCost = DrawCost(milliseconds: 30...30)
    /// Pixels per point.
    var scale = 3.0
    /// Width of the feed on screen, in points.
    var width = 390
    /// Height of the feed on screen, in points.
    var height = 844

    /// What the numbers may be; anything else is a usage error.
    enum Limits {
        static let hz = [60, 120]
        static let frames = 1...1_000_000
        /// In milliseconds.
        static let drawCost = 0.0...1_000.0
        static let scale = 1.0...4.0
        static let width = 160...2_048
        static let height = 160...4_096
        /// How many pictures a feed shows; each is read once before the run, to know that it can be shown.
        static let images = 64
        /// Bounds the screenshot at 128 MiB, whatever the sides and the scale are.
        static let pixels = 32 * 1_024 * 1_024
    }

    /// The text of `--help`.
    static let help = """
        Usage: FeedDemo [options]

        Makes a feed of cells from text, runs it in several modes, and writes what each of them cost
        the main thread and what it showed.

          --input PATH…   Markdown and plain-text files, and folders of them (.md, .markdown,
                          .txt, .text); may be repeated (default: this package's README.md and Docs)
          --output DIR    where report.html, summary.json and a screenshot for each renderer go
                          (default: feed-demo)
          --hz 60|120     frames per second (default: 120)
          --frames N      frames per mode, 1 to 1000000 (default: 900)
          --modes LIST    some of these, separated by commas (default: all of them)
        \(modeLines)
          --renderers LIST
                          some of these, separated by commas (default: all that are built in)
        \(rendererLines)
                          \(rendererNote)
          --images DIR    the folder of the PNG and JPEG files that cells show with cairo, of which the
                          first \(Limits.images) are taken (default: this package's Docs/Examples/Images)
          --draw-cost MS  least time that drawing a cell takes in the modes that scroll, in
                          milliseconds, 0 to 1000, or a range such as 1-4, over which the cells
                          are spread (default: 0, as long as drawing takes)
          --storm-draw-cost MS
                          the same for the modes that storm (default: 30)
          --scale S       pixels per point, 1 to 4 (default: 3)
          --width W       width of the feed in points, 160 to 2048 (default: 390)
          --height H      height of the feed in points, 160 to 4096 (default: 844)
          --help, -h      print this text

        The modes that scroll all go the same way: flicks forth, a tap that scrolls to the top, and
        flicks over what was seen before. In the modes that storm the feed stands still, and every
        cell is invalidated in every frame; it has one cell per core, so that each could be drawn
        all the time.

        Exit status: 0 done, 64 wrong usage, 65 input of no use, 66 input missing, 73 output not made.

        """

    /// A line for each mode, with the start of its explanation's column aligned.
    private static let modeLines = lines(FeedMode.allCases.map { ($0.name, $0.explanation) })
    private static let rendererLines = lines(FeedRenderer.allCases.map { ($0.name, $0.explanation) })

    private static let rendererNote =
        FeedRenderer.builtIn == FeedRenderer.allCases
        ? "all of them are built in"
        : "cairo is built in by: \(FeedRenderer.command(FeedRenderer.allCases))"

    private static func lines(_ list: [(name: String, explanation: String)]) -> String {
        list.map { name, explanation in
            let padding = String(repeating: " ", count: max(1, 15 - name.count))
            return String(repeating: " ", count: 18) + name + padding + explanation
        }.joined(separator: "\n")
    }
}
