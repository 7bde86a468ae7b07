/// Cuts plain text into paragraphs.
enum PlainText {
    /// The paragraphs of a text: what stands between blank lines. A line end inside a paragraph becomes a
    /// space, except where the next line is indented, as in verse and lists.
    ///
    /// - Parameter limit: parsing stops soon after so many paragraphs.
    static func blocks(of text: String, limit: Int = .max) -> [TextBlock] {
        var blocks: [TextBlock] = []
        var paragraph = ""
        var lines = LineCursor(text)
        while let line = lines.next(), blocks.count <= limit {
            let words = line.trimmed
            if words.isEmpty {
                if !paragraph.isEmpty { blocks.append(TextBlock(.paragraph, paragraph)) }
                paragraph = ""
            } else if paragraph.isEmpty {
                paragraph = String(words)
            } else {
                paragraph += (line.first == " " ? "\n" : " ") + words
            }
        }
        if !paragraph.isEmpty { blocks.append(TextBlock(.paragraph, paragraph)) }
        return blocks
    }
}
