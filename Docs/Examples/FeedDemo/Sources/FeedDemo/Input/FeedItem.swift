/// What one cell of the feed shows.
struct FeedItem: Equatable, Sendable {
    /// The part of a document that an item was.
    enum Kind: String, CaseIterable, Sendable {
        case heading, paragraph, listItem, quote, code, table
    }

    /// Who the cell is by: the nearest heading above, or the file's name where there is none.
    var author: String
    /// The file's name without its extension.
    var source: String
    /// What the text was.
    var kind: Kind
    /// Plain text as the document spells it, never blank, at most ``TextPieces/maximumLength`` scalars; lines
    /// break at `\n`.
    var text: String
    /// What a cell that shows a table draws instead of the text; nil for the other kinds.
    var table: MarkdownTable?
}

/// All cells, and what they were made from.
struct Feed: Equatable, Sendable {
    /// The cells from top to bottom; never empty.
    var items: [FeedItem]
    /// How many files were read.
    var fileCount: Int
    /// True when there was more text than ``FeedLoader/maximumItemCount`` cells hold; the rest is left out.
    var isTruncated: Bool

    /// The number of characters of text in all cells, counted as Unicode scalars.
    var characterCount: Int {
        items.reduce(0) { $0 + $1.text.unicodeScalars.count }
    }
}
