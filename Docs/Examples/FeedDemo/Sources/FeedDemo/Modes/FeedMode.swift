/// One way of running the feed, and what is measured of it: what happens to the feed, and which cells show
/// it.
///
/// A mode is a constant and a place in ``allCases``; the command line, the tables, the charts and the summary
/// know it from here only.
struct FeedMode: Sendable {
    /// What happens to the feed, frame by frame.
    enum Scenario: String, CaseIterable, Codable, Sendable {
        /// A reader scrolls through it: see ``ReadingJourney``.
        case scroll
        /// It stands still, and every cell in view is invalidated in every frame: see ``Storm``.
        case storm
    }

    /// Which rows are drawn while the feed moves.
    enum Rows: Sendable {
        /// Those in view.
        case visible
        /// Those in view, and those that will come into view next, before they do: see `ScrollRanges`.
        /// As drafts first, if more wait than can be drawn.
        case prefetched
        /// Those in view at which a fast scroll will stop: see `ScrollFilter`.
        case filtered
    }

    /// A colour of the report, as CSS writes it.
    struct Accent: Sendable {
        let onLight: String
        let onDark: String
    }

    /// Its name on the command line, in the report and in the summary: lower-case words with hyphens.
    let name: String
    /// How it draws a cell: "on the main thread"; nil where it shows no cells.
    let manner: String?
    var scenario = Scenario.scroll
    var rows = Rows.visible
    let accent: Accent
    /// What shows the rows; nil shows no cells.
    let cells: FeedCells?

    /// What it does, without a subject and a full stop.
    var explanation: String {
        guard let manner else { return "draws nothing: the machine's own noise" }
        return "draws each cell " + manner + (scenario == .storm ? ", in a storm" : "")
    }

    /// True when there is anything to see.
    var showsCells: Bool { cells != nil }

    /// True for the modes whose pictures during the scroll are shown beside one another.
    var isPictured: Bool { self == .yyAsyncLayer || self == .layered }

    /// The mode of a name.
    static func named(_ name: String) -> FeedMode? {
        allCases.first { $0.name == name }
    }
}

/// A mode is its name: no two have the same.
extension FeedMode: Hashable, Comparable {
    static func == (left: FeedMode, right: FeedMode) -> Bool { left.name == right.name }

    static func < (left: FeedMode, right: FeedMode) -> Bool { left.position < right.position }

    func hash(into hasher: inout Hasher) { hasher.combine(name) }

    private var position: Int { FeedMode.allCases.firstIndex(of: self) ?? FeedMode.allCases.count }
}

extension FeedMode: CustomStringConvertible {
    var description: String { name }
}

/// In JSON a mode is its name.
extension FeedMode: Codable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let name = try container.decode(String.self)
        guard let mode = FeedMode.named(name) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "there is no mode '\(name)'")
        }
        self = mode
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}
