import AsyncLayers

/// Where the texts of a table are, whichever painter draws them.
///
/// Columns stand side by side where they can, the header above them in bold and a thin line between rows:
///
///     Name    What it is
///     ───────────────────
///     Zebra   A horse with
///             stripes
///
/// Columns are as wide as their contents if they all fit. Otherwise narrow columns keep their widths, and
/// wide ones wrap. Where columns would be too narrow to read, or the table would be much higher than a list,
/// the table is a list: each row's cells stand one below the other, the header's texts beside them as labels.
struct TableGeometry: Equatable, Sendable {
    /// A text and its place.
    struct Cell: Equatable, Sendable {
        let text: String
        /// True in the header, and in a list for labels and for the name of a row.
        let isBold: Bool
        /// In points from the table's top left. The text wraps at this width.
        let frame: Rect
    }

    /// Measures a text that wraps at a width, which may be infinite. In points.
    typealias Measure = (_ text: String, _ isBold: Bool, _ width: Double) -> Size

    /// From top to bottom, and in the order of the columns; no blank ones.
    private(set) var cells: [Cell] = []
    /// The thin lines between rows.
    private(set) var rules: [Rect] = []
    /// In points.
    private(set) var size: Size

    /// No column is narrower, unless its contents are.
    static let minimumColumnWidth = 44.0
    static let columnGap = 12.0
    static let rowPadding = 4.0
    static let ruleHeight = 0.5
    /// Columns are kept until a list would be so many times lower.
    private static let maximumHeightRatio = 2.0
    /// In characters. A column is as wide as its longest word, and a longer one than this may be broken: the
    /// longest names of files and types fit, and no address takes all the room of the other columns.
    private static let maximumWordLength = 32

    /// Places the texts. Each cell is measured without a width, and again with the width of its column; the
    /// widest words are measured where columns do not fit, and the list only where it may be better.
    init(_ table: MarkdownTable, width: Double, measure: Measure) {
        let sizes = Self.naturalSizes(table, measure)
        let naturals = Self.widths(sizes) { $2.width }
        let gaps = Double(max(naturals.count { $0 > 0 } - 1, 0)) * Self.columnGap
        let room = width - gaps
        if naturals.reduce(0, +) <= room {
            self.init(table, width: width, columns: naturals, measure)
            return
        }
        let words = Self.wordWidths(table, sizes, measure)
        if let columns = Self.shares(of: room, naturals: naturals, words: words) {
            self.init(table, width: width, columns: columns, measure)
            let least = Self.leastListHeight(table, sizes, width: width)
            if size.height <= Self.maximumHeightRatio * least { return }
            let list = TableGeometry(list: table, width: width, measure)
            if size.height > Self.maximumHeightRatio * list.size.height { self = list }
        } else {
            self.init(list: table, width: width, measure)
        }
    }

    // MARK: Columns

    private init(_ table: MarkdownTable, width: Double, columns: [Double], _ measure: Measure) {
        size = Size(width: width, height: 0)
        for (index, row) in Self.rows(of: table).enumerated() {
            var x = 0.0
            if index > 0 { addRule() }
            let top = size.height
            for (column, text) in zip(columns, row) where column > 0 {
                if !text.isEmpty {
                    add(text, isBold: index == 0 && !table.header.isEmpty, x, top, column, measure)
                }
                x += column + Self.columnGap
            }
        }
    }

    /// The size of each text that does not wrap, by row and column; zero for a blank text.
    private static func naturalSizes(_ table: MarkdownTable, _ measure: Measure) -> [[Size]] {
        rows(of: table).enumerated().map { index, row in
            let isBold = index == 0 && !table.header.isEmpty
            return row.map { $0.isEmpty ? Size(width: 0, height: 0) : measure($0, isBold, .infinity) }
        }
    }

    /// About the width of each column whose words are not broken.
    private static func wordWidths(
        _ table: MarkdownTable, _ sizes: [[Size]], _ measure: Measure
    ) -> [Double] {
        let rows = rows(of: table)
        return widths(sizes) { row, column, size in
            let text = rows[row][column]
            let words = text.split(whereSeparator: \.isWhitespace)
            guard let longest = words.max(by: { $0.utf8.count < $1.utf8.count }) else { return 0 }
            let word = longest.prefix(maximumWordLength)
            // A text of one word is measured already.
            if word == text { return size.width }
            return measure(String(word), row == 0 && !table.header.isEmpty, .infinity).width
        }
    }

    /// The greatest width in each column, in whole points.
    private static func widths(
        _ sizes: [[Size]], of width: (_ row: Int, _ column: Int, _ size: Size) -> Double
    ) -> [Double] {
        var widths: [Double] = []
        for (index, row) in sizes.enumerated() {
            for (column, size) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], width(index, column, size).rounded(.up))
            }
        }
        return widths
    }

    /// Shares out a width that is too small for all; nil where columns would be narrower than the least
    /// width.
    private static func shares(of room: Double, naturals: [Double], words: [Double]) -> [Double]? {
        let floors = naturals.map { min($0, minimumColumnWidth) }
        let minimums = zip(floors, zip(naturals, words)).map { max($0, min($1.0, $1.1)) }
        guard floors.reduce(0, +) <= room else { return nil }
        return minimums.reduce(0, +) <= room
            // The sum of the heights of texts of given areas is least so.
            ? shares(of: room, from: minimums, to: naturals, weights: naturals.map { $0.squareRoot() })
            // Only the longest words are broken so.
            : shares(of: room, from: floors, to: minimums, weights: naturals.map { _ in 1 })
    }

    /// Widths between bounds, in proportion to weights. As the factor grows, narrow columns reach their upper
    /// bounds first.
    private static func shares(
        of room: Double, from lower: [Double], to upper: [Double], weights: [Double]
    ) -> [Double] {
        func widths(_ factor: Double) -> [Double] {
            weights.indices.map {
                min(max((factor * weights[$0]).rounded(.down), lower[$0]), upper[$0])
            }
        }
        // The sum grows with the factor: bisection, always from below.
        var factors = (low: 0.0, high: max(room, 1))
        for _ in 0..<40 {
            let middle = (factors.low + factors.high) / 2
            if widths(middle).reduce(0, +) <= room { factors.low = middle } else { factors.high = middle }
        }
        return widths(factors.low)
    }

    // MARK: List

    private init(list table: MarkdownTable, width: Double, _ measure: Measure) {
        size = Size(width: width, height: 0)
        let hasLabels = Self.hasLabels(table)
        let labels = hasLabels ? table.header : []
        let natural = labels.map { measure($0, true, .infinity).width.rounded(.up) }.max() ?? 0
        // Where there is no room beside them, labels stand above their texts.
        let isBeside = width >= 3 * Self.minimumColumnWidth
        let labelWidth = isBeside ? min(natural, (width * 0.4).rounded(.down)) : width
        let indent = isBeside && natural > 0 ? labelWidth + Self.columnGap : 0
        for (index, row) in (hasLabels ? table.rows : Self.rows(of: table)).enumerated() {
            if index > 0 { addRule() }
            for (column, text) in row.enumerated() where !text.isEmpty {
                let top = size.height
                if column < labels.count, !labels[column].isEmpty {
                    add(labels[column], isBold: true, 0, top, labelWidth, measure)
                }
                // Without a label, a row's first text is what the row is called.
                let isName = hasLabels && column == 0 && labels[0].isEmpty
                let x = isName ? 0 : indent
                add(
                    text, isBold: isName || !hasLabels && !table.header.isEmpty, x,
                    isBeside ? top : size.height, width - x, measure)
            }
        }
    }

    private static func hasLabels(_ table: MarkdownTable) -> Bool {
        !table.header.isEmpty && !table.rows.isEmpty
    }

    /// What the height of the list is at least: its texts stand one below the other, and each takes as many
    /// lines as fill the whole width, with a space that is dropped at the end of each line.
    private static func leastListHeight(
        _ table: MarkdownTable, _ sizes: [[Size]], width: Double
    ) -> Double {
        let start = hasLabels(table) ? 1 : 0
        var height = Double(max(sizes.count - start - 1, 0)) * 2 * rowPadding
        for (row, sizes) in zip(rows(of: table), sizes).dropFirst(start) {
            for (text, size) in zip(row, sizes) {
                let isOneLine = !text.contains(where: \.isNewline)
                let lines = isOneLine ? max((size.width / (width + columnGap)).rounded(.up), 1) : 1
                height += lines * size.height
            }
        }
        return height
    }

    // MARK: Parts

    private static func rows(of table: MarkdownTable) -> [[String]] {
        (table.header.isEmpty ? [] : [table.header]) + table.rows
    }

    private mutating func add(
        _ text: String, isBold: Bool, _ x: Double, _ y: Double, _ width: Double, _ measure: Measure
    ) {
        let height = measure(text, isBold, width).height.rounded(.up)
        cells.append(Cell(text: text, isBold: isBold, frame: Rect(x: x, y: y, width: width, height: height)))
        size.height = max(size.height, y + height)
    }

    private mutating func addRule() {
        let y = size.height + Self.rowPadding
        rules.append(Rect(x: 0, y: y, width: size.width, height: Self.ruleHeight))
        size.height = y + Self.rowPadding
    }
}
