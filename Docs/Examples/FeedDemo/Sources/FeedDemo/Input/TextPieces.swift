/// Cuts long text into pieces, so that a cell stays a cell: no higher than a few screens, and nothing is
/// lost.
enum TextPieces {
    /// The most Unicode scalars of a piece.
    static let maximumLength = 1_200
    /// The most lines of a piece.
    static let maximumLineCount = 30

    /// The pieces of a text, each without blank ends and none of them blank.
    ///
    /// The cut is made at the last line end in the second half of a piece, else at the last space there, else
    /// at the limit. Takes time linear in the length of the text.
    static func split(
        _ text: String, maximumLength: Int = maximumLength, maximumLineCount: Int = maximumLineCount
    ) -> [String] {
        let scalars = Array(text.unicodeScalars)
        var pieces: [String] = []
        var start = 0
        while start < scalars.count {
            let end = cut(scalars, from: start, maximumLength, maximumLineCount)
            let piece = trimmed(scalars[start..<end])
            if !piece.isEmpty { pieces.append(piece) }
            start = end
        }
        return pieces
    }

    /// Where the piece that begins at `start` ends.
    private static func cut(
        _ scalars: [Unicode.Scalar], from start: Int, _ maximumLength: Int, _ maximumLineCount: Int
    ) -> Int {
        var lines = 1
        var lastLineEnd: Int?
        var lastSpace: Int?
        let limit = min(start + maximumLength, scalars.count)
        for index in start..<limit {
            if scalars[index] == "\n" {
                lastLineEnd = index + 1
                lines += 1
                if lines > maximumLineCount { return index + 1 }
            } else if scalars[index] == " " {
                lastSpace = index + 1
            }
        }
        if limit == scalars.count { return limit }
        let middle = start + maximumLength / 2
        if let lastLineEnd, lastLineEnd > middle { return lastLineEnd }
        if let lastSpace, lastSpace > middle { return lastSpace }
        return limit
    }

    private static func trimmed(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var slice = scalars
        // Spaces before the first word of the first line stay: they are the indentation of code.
        while let first = slice.first, first == "\n" { slice.removeFirst() }
        while let last = slice.last, last.properties.isWhitespace { slice.removeLast() }
        guard slice.contains(where: { !$0.properties.isWhitespace }) else { return "" }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: slice)
        return String(text)
    }
}
