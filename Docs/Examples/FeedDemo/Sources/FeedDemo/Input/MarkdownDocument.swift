/// Cuts Markdown into paragraphs of plain text.
///
/// A reader for a feed, not a full implementation: nesting is flattened, and what only matters to a web page
/// (front matter, comments, link definitions, rules) is dropped. It goes over the text once, line by line,
/// and takes time linear in its length for any text.
struct MarkdownDocument {
    private var lines: LineCursor
    private let limit: Int
    private var blocks: [TextBlock] = []
    /// The paragraph that is being gathered, markup included.
    private var paragraph = ""
    private var kind = FeedItem.Kind.paragraph
    /// The marker of the list item that is being gathered.
    private var marker = ""
    private var isInList = false
    private var isAfterBlank = true

    /// The paragraphs of a document.
    ///
    /// - Parameter limit: parsing stops soon after so many paragraphs.
    static func blocks(of text: String, limit: Int = .max) -> [TextBlock] {
        var document = MarkdownDocument(text, limit: limit)
        document.skipFrontMatter()
        return document.parse()
    }

    private init(_ text: String, limit: Int) {
        lines = LineCursor(text)
        self.limit = limit
    }

    private mutating func parse() -> [TextBlock] {
        while let line = lines.next(), blocks.count <= limit {
            read(line)
            isAfterBlank = line.trimmed.isEmpty
        }
        flush()
        return blocks
    }

    private mutating func read(_ line: Substring) {
        let words = line.trimmed
        if words.isEmpty {
            flush()
        } else if let fence = MarkdownLine.fence(words) {
            readFence(fence, indentation: line.indentation)
        } else if words.hasPrefix("<!--"), !words.contains("-->") {
            flush()
            while let next = lines.next(), !next.contains("-->") {}
        } else if line.indentation >= 4, paragraph.isEmpty, !isInList {
            readIndentedCode(first: line)
        } else if let heading = MarkdownLine.heading(words) {
            flush()
            isInList = false
            append(.heading, InlineText.plain(heading))
        } else if !paragraph.isEmpty, kind == .paragraph, MarkdownLine.isUnderline(words) {
            kind = .heading
            flush()
        } else if MarkdownLine.isRule(words) {
            flush()
            isInList = false
        } else if words.hasPrefix(">") {
            readQuote(first: words)
        } else if let item = MarkdownLine.listItem(words) {
            flush()
            isInList = true
            kind = .listItem
            marker = item.marker
            continueParagraph(item.text, endsLine: false)
        } else if paragraph.isEmpty, MarkdownLine.isLinkDefinition(words) {
            return
        } else if paragraph.isEmpty, words.contains("|"), let next = lines.peek(),
            MarkdownLine.isTableRule(next.trimmed)
        {
            readTable(header: words)
        } else {
            if isAfterBlank, line.indentation == 0 { isInList = false }
            continueParagraph(words, endsLine: line.hasSuffix("  ") || words.hasSuffix("\\"))
        }
    }

    private mutating func continueParagraph(_ words: Substring, endsLine: Bool) {
        if !paragraph.isEmpty, paragraph.last != "\n" { paragraph += " " }
        paragraph += words.last == "\\" && endsLine ? words.dropLast() : words
        if endsLine { paragraph += "\n" }
    }

    private mutating func flush() {
        defer {
            paragraph = ""
            kind = .paragraph
            marker = ""
        }
        guard !paragraph.isEmpty else { return }
        let text = InlineText.plain(paragraph)
        if !text.isEmpty { append(kind, marker + text) }
    }

    private mutating func append(_ kind: FeedItem.Kind, _ text: String) {
        if !text.isEmpty { blocks.append(TextBlock(kind, text)) }
    }

    private mutating func skipFrontMatter() {
        guard lines.peek()?.trimmed == "---" else { return }
        var ahead = lines
        _ = ahead.next()
        // Without its end it is a rule, and what follows is text.
        while let line = ahead.next() {
            if line.trimmed == "---" || line.trimmed == "..." {
                lines = ahead
                return
            }
        }
    }

    private mutating func readFence(_ fence: MarkdownLine.Fence, indentation: Int) {
        flush()
        var code: [Substring] = []
        while let line = lines.next(), !fence.isClosed(by: line.trimmed) {
            code.append(line.dropFirst(min(line.indentation, indentation)))
        }
        appendCode(code)
    }

    private mutating func readIndentedCode(first: Substring) {
        var code = [first.dropFirst(4)]
        while let line = lines.peek(), line.indentation >= 4 || line.trimmed.isEmpty {
            code.append(line.dropFirst(4))
            _ = lines.next()
        }
        appendCode(code)
    }

    private mutating func appendCode(_ lines: [Substring]) {
        let filled = lines.drop { $0.trimmed.isEmpty }
        let end = filled.lastIndex { !$0.trimmed.isEmpty }.map { $0 + 1 } ?? filled.startIndex
        append(.code, filled[filled.startIndex..<end].joined(separator: "\n"))
    }

    /// Reads the lines of a quote as a document of its own; nested quotes are flattened, so that a line of a
    /// million `>` recurses once.
    private mutating func readQuote(first: Substring) {
        flush()
        var quoted = String(MarkdownLine.unquoted(first))
        while let line = lines.peek(), line.trimmed.hasPrefix(">") {
            quoted += "\n" + MarkdownLine.unquoted(line.trimmed)
            _ = lines.next()
        }
        var inner = MarkdownDocument(quoted, limit: limit)
        for var block in inner.parse() {
            if block.kind == .paragraph { block.kind = .quote }
            blocks.append(block)
        }
    }

    private mutating func readTable(header: Substring) {
        flush()
        var rows: [[String]] = []
        _ = lines.next()
        while let line = lines.peek(), line.contains("|") {
            let row = MarkdownLine.tableRow(line.trimmed)
            // Millions of blank rows take memory, and hold no text.
            if row.contains(where: { !$0.isEmpty }) { rows.append(row) }
            _ = lines.next()
        }
        let table = MarkdownTable(header: MarkdownLine.tableRow(header), rows: rows)
        if !table.isEmpty { blocks.append(TextBlock(table)) }
    }
}
