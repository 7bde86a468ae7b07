/// A paragraph of a document, before it becomes a cell.
struct TextBlock: Equatable, Sendable {
    /// What the text was.
    var kind: FeedItem.Kind
    /// Plain text; lines break at `\n`.
    var text: String

    /// Makes a block.
    init(_ kind: FeedItem.Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }
}
