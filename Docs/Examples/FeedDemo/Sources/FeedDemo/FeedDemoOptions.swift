import ArgumentParser
import FeedKit

/// What the command line requests; every value lies within ``Limits``.
struct FeedDemoOptions: ParsableArguments {
    @Option(
        name: .customLong("input"), parsing: .upToNextOption,
        help: ArgumentHelp(
            """
            Markdown and plain-text files, and folders of them (.md, .markdown, .txt, .text); may be repeated. \
            \(OptionValue.dashNote("input")) (default: README.md and Docs of the checkout)
            """, valueName: "path"),
        transform: OptionValue.path)
    var inputs: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Where report.html, summary.json and a screenshot for each renderer are written. \
            \(OptionValue.dashNote("output")) (default: feed-demo)
            """, valueName: "folder"),
        transform: OptionValue.path)
    var output = "feed-demo"

    @Option(
        parsing: .unconditional, help: "Frames per second: 60 or 120. (default: 120)", transform: Limits.hz)
    var hz = 120

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Frames per mode, 1 to 1000000. (default: 900)", valueName: "count"),
        transform: { try OptionValue.wholeNumber($0, in: Limits.frames) })
    var frames = 900

    @Option(
        help: ArgumentHelp("Some of the modes, separated by commas. (default: all)", valueName: "list"),
        transform: { try Limits.list($0, of: FeedMode.allCases, name: \.name).sorted() })
    var modes = FeedMode.allCases

    @Option(
        help: ArgumentHelp(
            "Some of the renderers, separated by commas. (default: all that are built in)", valueName: "list"),
        transform: Limits.renderers)
    var renderers = FeedRenderer.builtIn

    @Option(
        help: ArgumentHelp(
            """
            The folder of the PNG and JPEG files that cells show with cairo, of which the first \
            \(Limits.images) are used. \(OptionValue.dashNote("images")) \
            (default: Docs/Examples/Images of the checkout)
            """, valueName: "folder"),
        transform: OptionValue.path)
    var images: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            Least time that drawing a cell takes in the modes that scroll, in milliseconds, 0 to 1000, or a \
            range such as 1-4, over which the cells are spread. (default: 0, as long as drawing takes)
            """, valueName: "ms"),
        transform: DrawCost.init(option:))
    var drawCost = DrawCost.none

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The same for the modes that storm. (default: 30)", valueName: "ms"),
        transform: DrawCost.init(option:))
    var stormDrawCost = DrawCost(milliseconds: 30...30)

    @Option(
        parsing: .unconditional, help: "Pixels per point, 1 to 4. (default: 3)",
        transform: { try OptionValue.number($0, in: Limits.scale) })
    var scale = 3.0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Width of the feed, 160 to 2048. (default: 390)", valueName: "points"),
        transform: { try OptionValue.wholeNumber($0, in: Limits.width) })
    var width = 390

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Height of the feed, 160 to 4096. (default: 844)", valueName: "points"),
        transform: { try OptionValue.wholeNumber($0, in: Limits.height) })
    var height = 844

    func validate() throws {
        let pixels = Double(width) * Double(height) * scale * scale
        guard pixels <= Double(Limits.pixels) else {
            throw ValidationError(
                "\(width) by \(height) points at scale \(scale) is more than \(Limits.pixels) pixels")
        }
        for renderer in renderers where !FeedRenderer.builtIn.contains(renderer) {
            throw ValidationError(renderer.notBuiltIn.message)
        }
        guard images != nil, !renderers.contains(.cairo) else { return }
        guard FeedRenderer.builtIn.contains(.cairo) else {
            throw ValidationError(FeedRenderer.cairo.notBuiltIn.message)
        }
        throw ValidationError("--images is for the renderer cairo, which --renderers leaves out")
    }

    /// What the values may be; anything else is a usage error.
    enum Limits {
        static let frames = 1...1_000_000
        /// In milliseconds.
        static let drawCost = 0.0...1_000.0
        static let scale = 1.0...4.0
        static let width = 160...2_048
        static let height = 160...4_096
        /// How many pictures a feed shows; each is read once before the run, to know that it can be shown.
        static let images = 64
        /// Bounds the screenshot at 128 MiB, for any sides and scale.
        static let pixels = 32 * 1_024 * 1_024

        fileprivate static func hz(_ text: String) throws(ProgramError) -> Int {
            guard let number = Int(text), [60, 120].contains(number) else {
                throw ProgramError(.usage, "must be 60 or 120")
            }
            return number
        }

        fileprivate static func renderers(_ text: String) throws -> [FeedRenderer] {
            let renderers = try list(text, of: FeedRenderer.allCases, name: \.name)
            return FeedRenderer.allCases.filter(renderers.contains)
        }

        /// Those of all that a list names, each once.
        fileprivate static func list<Item: Equatable>(
            _ text: String, of all: [Item], name: (Item) -> String
        ) throws(ProgramError) -> [Item] {
            var named: [Item] = []
            for part in text.split(separator: ",", omittingEmptySubsequences: false) {
                guard let item = all.first(where: { name($0) == part }) else {
                    throw ProgramError(
                        .usage, "there are \(all.map(name).joined(separator: ", ")), and no '\(part)'")
                }
                guard !named.contains(item) else { throw ProgramError(.usage, "'\(part)' is named twice") }
                named.append(item)
            }
            return named
        }
    }
}

extension DrawCost {
    /// The cost that a number or a range of numbers on the command line means.
    fileprivate init(option text: String) throws {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Double(String($0)) }
        let limits = FeedDemoOptions.Limits.drawCost
        guard ends.count <= 2, let first = ends[0], let last = ends[ends.count - 1], first <= last,
            limits.contains(first), limits.contains(last)
        else { throw ProgramError(.usage, "must be a number from 0 to 1000 or a range such as 1-4") }
        self.init(milliseconds: first...last)
    }
}
