/// A paragraph of a document, before it becomes a cell.
struct TextBlock: Equatable, Sendable {
    /// What the text was.
    var kind: FeedItem.Kind
    /// Plain text; lines break at `\n`.
    var text: String
    /// The table that the text is of; nil where it is of none.
    var table: MarkdownTable?

    /// Makes a block.
    init(_ kind: FeedItem.Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }

    /// Makes the block of a table.
    init(_ table: MarkdownTable) {
        self.init(.table, table.text)
        self.table = table
    }

    /// Its text for cells of the feed, cut where it is long, with the part of the table that it is of.
    var pieces: [(text: String, table: MarkdownTable?)] {
        guard let table else { return TextPieces.split(text).map { ($0, nil) } }
        return table.pieces.map { ($0.text, $0) }
    }
}
