import FeedKit

/// A renderer that the feed is drawn with. The command line, the tables and the summary know renderers from
/// here only, and whether they were built in.
enum FeedRenderer: String, CaseIterable, Codable, Sendable {
    /// The embedded one, which needs nothing.
    case bitmap
    /// Cairo, with Pango's text and pictures from files: with the trait `Cairo`.
    case cairo

    /// Those that this program was built with, in the order in which they run.
    static var builtIn: [FeedRenderer] {
        #if Cairo
            [.bitmap, .cairo]
        #else
            [.bitmap]
        #endif
    }

    /// Its name on the command line, in the report and in the summary.
    var name: String { rawValue }

    /// What it is, without a full stop.
    var explanation: String {
        switch self {
        case .bitmap: "the embedded renderer: text in a stroke font"
        case .cairo: "Cairo: text by Pango, and a picture in every \(CellGeometry.cellsPerPicture)th cell"
        }
    }

    /// The file that its screenshot is written to: of the end, or of a mode during the scroll.
    func screenshotName(_ mode: FeedMode? = nil) -> String {
        let parts = ["feed", self == .bitmap ? nil : name, mode?.name]
        return parts.compactMap(\.self).joined(separator: "-") + ".png"
    }

    /// The command that builds the program with its renderers, and runs it from the folder of the checkout.
    static func command(_ renderers: [FeedRenderer] = builtIn) -> String {
        let traits = renderers.contains(.cairo) ? "--traits Cairo " : ""
        return "swift run -c release --package-path Docs/Examples/FeedDemo \(traits)FeedDemo"
    }

    /// What draws cells with it.
    ///
    /// - Throws: ``ProgramError`` with `.usage` when it was not built in, and what ``PictureFiles`` throws.
    func painter(_ options: FeedDemoOptions) throws -> any FeedPainter {
        switch self {
        case .bitmap: return BitmapPainter()
        case .cairo:
            #if Cairo
                return CairoPainter(pictures: try PictureFiles.find(options.images))
            #else
                throw notBuiltIn
            #endif
        }
    }

    /// That this program cannot draw with it, and how to run one that can.
    var notBuiltIn: ProgramError {
        ProgramError(
            .usage, "this program was built without the renderer \(name); with it: \(Self.command([self]))")
    }
}
