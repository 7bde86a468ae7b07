/// Tells what a line of Markdown is, from the line alone. Lines come without white space at their ends.
enum MarkdownLine {
    /// The opening line of a fenced code block.
    struct Fence: Equatable {
        var mark: Character
        var length: Int

        /// True for a line of at least as many of the same marks and nothing else.
        func isClosed(by line: Substring) -> Bool {
            line.count >= length && line.allSatisfy { $0 == mark }
        }
    }

    static func fence(_ line: Substring) -> Fence? {
        guard let mark = line.first, mark == "`" || mark == "~" else { return nil }
        let length = line.prefix { $0 == mark }.count
        guard length >= 3, mark == "~" || !line.dropFirst(length).contains("`") else { return nil }
        return Fence(mark: mark, length: length)
    }

    /// The text of a heading with one to six `#` before it.
    static func heading(_ line: Substring) -> Substring? {
        let level = line.prefix { $0 == "#" }.count
        guard (1...6).contains(level) else { return nil }
        var text = line.dropFirst(level)
        guard text.isEmpty || text.first == " " else { return nil }
        text = text.trimmed
        let closing = text.reversed().prefix { $0 == "#" }.count
        let rest = text.dropLast(closing)
        return closing > 0 && (rest.isEmpty || rest.last == " ") ? rest.trimmed : text
    }

    /// True for the line below a heading: `===` or `---`.
    static func isUnderline(_ line: Substring) -> Bool {
        line.allSatisfy { $0 == "=" } || line.allSatisfy { $0 == "-" }
    }

    /// True for three or more of `-`, `*` or `_`, with spaces between them or not.
    static func isRule(_ line: Substring) -> Bool {
        guard let mark = line.first, "-*_".contains(mark) else { return false }
        return line.allSatisfy { $0 == mark || $0 == " " } && line.count { $0 == mark } >= 3
    }

    /// The line without all the `>` at its start.
    static func unquoted(_ line: Substring) -> Substring {
        var text = line
        while text.first == ">" {
            text = text.dropFirst()
            // One space belongs to the mark; more of them are indentation, unless a further mark follows.
            // White space of any kind may stand before that, as everywhere: else each mark would be a
            // document within another.
            let inner = text.trimmed
            text = inner.first == ">" ? inner : text.first == " " ? text.dropFirst() : text
        }
        return text
    }

    /// A list item: its marker as it is shown, and the text behind it.
    static func listItem(_ line: Substring) -> (marker: String, text: Substring)? {
        let end: Substring.Index
        let marker: String
        if let first = line.first, "-*+".contains(first) {
            end = line.index(after: line.startIndex)
            marker = "- "
        } else {
            let digits = line.prefix { $0.isASCII && $0.isNumber }
            guard (1...9).contains(digits.count), digits.endIndex < line.endIndex,
                ".)".contains(line[digits.endIndex])
            else { return nil }
            end = line.index(after: digits.endIndex)
            marker = line[..<end] + " "
        }
        guard end < line.endIndex, line[end] == " " else { return nil }
        return (marker, line[end...].trimmed)
    }

    /// True for `[label]: address`; a footnote's `[^1]: text` is text.
    static func isLinkDefinition(_ line: Substring) -> Bool {
        guard line.hasPrefix("["), !line.hasPrefix("[^"), let close = line.firstIndex(of: "]") else {
            return false
        }
        return line[line.index(after: close)...].hasPrefix(":")
    }

    /// True for the line between a table's header and its body.
    static func isTableRule(_ line: Substring) -> Bool {
        line.contains("-") && line.contains("|") && line.allSatisfy { "|-: ".contains($0) }
    }

    /// The cells of a row as plain text. A bar with a backslash before it is text, also within code.
    static func tableRow(_ line: Substring) -> [String] {
        var cells = [""]
        var isEscaped = false
        for character in line {
            if character == "|", !isEscaped {
                cells.append("")
            } else {
                if character == "|" { cells[cells.count - 1].removeLast() }
                cells[cells.count - 1].append(character)
            }
            isEscaped = character == "\\" && !isEscaped
        }
        if cells.count > 1, cells[0].allSatisfy({ $0 == " " }) { cells.removeFirst() }
        if cells.count > 1, cells[cells.count - 1].allSatisfy({ $0 == " " }) { cells.removeLast() }
        return cells.map(InlineText.plain)
    }
}
