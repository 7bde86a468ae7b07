/// A table of a document: the header row and the rows below it, each cell as plain text.
///
/// Rows may be shorter or longer than the header. Blank cells at a row's end, and rows of blank cells, hold
/// no text and are left out.
struct MarkdownTable: Hashable, Sendable {
    /// The texts above the columns; empty where the table has no header row, as a later piece may.
    let header: [String]
    /// The rows below the header.
    let rows: [[String]]

    init(header: [String], rows: [[String]]) {
        self.header = Self.withoutBlankEnd(header)
        self.rows = rows.lazy.map(Self.withoutBlankEnd).filter { !$0.isEmpty }
    }

    /// True for a table without text.
    var isEmpty: Bool { header.isEmpty && rows.isEmpty }

    /// All of it as text: tabs between the cells, line ends between the rows.
    var text: String {
        ((header.isEmpty ? [] : [header]) + rows).map { $0.joined(separator: "\t") }.joined(separator: "\n")
    }

    /// The table with each cell's text changed.
    func mapCells(_ transform: (String) -> String) -> MarkdownTable {
        MarkdownTable(header: header.map(transform), rows: rows.map { $0.map(transform) })
    }

    private static func withoutBlankEnd(_ row: [String]) -> [String] {
        guard let last = row.last, last.isEmpty else { return row }
        return Array(row[..<((row.lastIndex { !$0.isEmpty } ?? -1) + 1)])
    }
}

// MARK: Cutting

/// Cuts a table into pieces for cells of the feed, with the promise of ``TextPieces``: a piece is never
/// higher than a few screens, in any layout, and no text is lost.
///
/// Columns beyond ``maximumColumnCount`` become tables of their own. Then a table is cut between rows. Each
/// piece begins with the header, because a cell of the feed is read by itself; a header that is too long for
/// that is a piece of its own, and the rows follow without one. A row that is too long for a piece becomes
/// several rows, and each of its long cells continues in the next one.
extension MarkdownTable {
    /// The most columns of a piece.
    static let maximumColumnCount = 24
    /// The longest header that is repeated.
    private static let maximumHeaderLength = 300
    /// The most that a row may cost, unless it is cut.
    private static let maximumRowCost = 800
    /// The most that the rows of a piece may cost together, each with the header, which is repeated as labels
    /// where the columns do not fit side by side.
    private static let maximumPieceCost = 1_800
    /// What a line costs, however short it is, counted in scalars.
    private static let lineCost = 16

    /// The pieces, from top to bottom; none of a table without text. Takes time linear in the table's size.
    var pieces: [MarkdownTable] { columnGroups.flatMap(\.rowPieces) }

    private var columnGroups: [MarkdownTable] {
        let count = max(header.count, rows.lazy.map(\.count).max() ?? 0)
        guard count > Self.maximumColumnCount else { return isEmpty ? [] : [self] }
        // Each row goes only to the groups that it reaches: going over all rows for each group is quadratic.
        var groups: [[[String]]] = []
        for row in rows {
            for (group, start) in stride(from: 0, to: row.count, by: Self.maximumColumnCount).enumerated() {
                if group == groups.count { groups.append([]) }
                groups[group].append(Array(row[start..<min(start + Self.maximumColumnCount, row.count)]))
            }
        }
        return (0..<(count + Self.maximumColumnCount - 1) / Self.maximumColumnCount)
            .map { group in
                let header = header.dropFirst(group * Self.maximumColumnCount).prefix(Self.maximumColumnCount)
                return MarkdownTable(header: Array(header), rows: group < groups.count ? groups[group] : [])
            }
            .filter { !$0.isEmpty }
    }

    private var rowPieces: [MarkdownTable] {
        let labels = header.reduce(0) { $0 + Self.length($1) }
        guard labels <= Self.maximumHeaderLength else {
            let headers = Self.cut(header).map { MarkdownTable(header: $0, rows: []) }
            return headers + MarkdownTable(header: [], rows: rows).rowPieces
        }
        guard !rows.isEmpty else { return isEmpty ? [] : [self] }
        var pieces: [MarkdownTable] = []
        var piece: [[String]] = []
        var cost = 0
        var length = 0
        for row in rows.lazy.flatMap(Self.cut) {
            let rowCost = Self.cost(row) + labels
            let rowLength = row.reduce(row.count) { $0 + $1.unicodeScalars.count }
            let isFull =
                cost + rowCost > Self.maximumPieceCost || piece.count == TextPieces.maximumLineCount
                || length + rowLength + labels + header.count > TextPieces.maximumLength
            if isFull, !piece.isEmpty {
                pieces.append(MarkdownTable(header: header, rows: piece))
                (piece, cost, length) = ([], 0, 0)
            }
            piece.append(row)
            cost += rowCost
            length += rowLength
        }
        if !piece.isEmpty { pieces.append(MarkdownTable(header: header, rows: piece)) }
        return pieces
    }

    /// The row, or the rows that it becomes because it is too long for a piece.
    private static func cut(_ row: [String]) -> [[String]] {
        guard cost(row) > maximumRowCost else { return [row] }
        // Of cells that share the room equally, none keeps the others from a piece that has room for all.
        let filled = row.count { !$0.isEmpty }
        let parts = row.map {
            TextPieces.split(
                $0, maximumLength: maximumRowCost / filled,
                maximumLineCount: max(1, 2 * TextPieces.maximumLineCount / filled))
        }
        return (0..<(parts.lazy.map(\.count).max() ?? 0)).map { index in
            parts.map { index < $0.count ? $0[index] : "" }
        }
    }

    private static func cost(_ row: [String]) -> Int {
        row.reduce(0) { $0 + ($1.isEmpty ? 0 : length($1) + max(lineCost - $1.unicodeScalars.count, 0)) }
    }

    /// The scalars of a text, and for each line end what a line costs.
    private static func length(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + ($1 == "\n" ? lineCost : 1) }
    }
}
