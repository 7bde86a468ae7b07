/// Takes the markup out of a paragraph of Markdown.
///
/// Everything that looks ahead is looked up in a table made beforehand, is remembered, or is bounded by a few
/// scalars, so the time is linear in the length of the text, also for text that is meant to make it slow.
struct InlineText {
    private let source: [Unicode.Scalar]
    private let brackets: [Int: Int]
    private let parentheses: [Int: Int]
    private let codeRuns: [Int: Int]
    private var position = 0
    private var output: [Unicode.Scalar] = []
    private var emphasis = EmphasisMarks()
    /// Where to continue when the closing bracket of a link is reached.
    private var linkEnds: [Int: Int] = [:]
    private var tagEnds = Finder(">")
    private var commentEnds = Finder("-->")

    /// The text without emphasis marks, tags and comments; links and pictures keep their text.
    static func plain(_ text: some StringProtocol) -> String {
        var scanner = InlineText(Array(text.unicodeScalars))
        scanner.scan()
        var result = String.UnicodeScalarView()
        result.append(contentsOf: scanner.emphasis.removed(from: scanner.output))
        return String(String(result)[...].trimmed)
    }

    private init(_ source: [Unicode.Scalar]) {
        self.source = source
        brackets = InlineText.pairs("[", "]", in: source)
        parentheses = InlineText.pairs("(", ")", in: source)
        codeRuns = InlineText.codeRuns(in: source)
        output.reserveCapacity(source.count)
    }

    private mutating func scan() {
        while position < source.count {
            switch source[position] {
            case "\\" where isPunctuation(at: position + 1):
                position += 1
                copy(1)
            case "`": scanCode()
            case "!" where isLink(at: position + 1): position += 1
            case "[" where isLink(at: position): position += 1
            case "]" where linkEnds[position] != nil: position = linkEnds[position]!
            case "<": scanTag()
            case "&": scanEntity()
            case "*", "_", "~": scanEmphasis()
            default: copy(1)
            }
        }
    }

    private mutating func copy(_ count: Int) {
        output += source[position..<position + count]
        position += count
    }

    private mutating func scanCode() {
        let length = runLength(at: position)
        guard let close = codeRuns[position] else { return copy(length) }
        var code = source[position + length..<close]
        // The spaces of `` ` `` belong to the marks.
        if code.first == " ", code.last == " ", code.contains(where: { $0 != " " }) {
            code = code.dropFirst().dropLast()
        }
        output += code
        position = close + length
    }

    private mutating func scanEmphasis() {
        let mark = source[position]
        let length = runLength(at: position)
        if mark != "~" || length == 2 {
            emphasis.add(
                mark, at: output.count, length: length,
                before: position > 0 ? source[position - 1] : nil,
                after: position + length < source.count ? source[position + length] : nil)
        }
        copy(length)
    }

    /// True when a bracket that opens a link or a picture is there; notes where its address ends.
    private mutating func isLink(at open: Int) -> Bool {
        guard open < source.count, let close = brackets[open] else { return false }
        guard let end = parentheses[close + 1] ?? brackets[close + 1] else { return false }
        linkEnds[close] = end + 1
        return true
    }

    private mutating func scanTag() {
        if source[position...].starts(with: "<!--".unicodeScalars) {
            guard let end = commentEnds.first(in: source, from: position + 4) else { return copy(1) }
            position = end + 3
            return
        }
        guard position + 1 < source.count, isLetter(source[position + 1]) || source[position + 1] == "/",
            let close = tagEnds.first(in: source, from: position + 1)
        else { return copy(1) }
        let content = source[position + 1..<close]
        // An address in angle brackets is text: it has a colon or an at sign, and nothing that a tag has.
        if content.contains(where: { $0 == ":" || $0 == "@" }),
            !content.contains(where: { " \"=".unicodeScalars.contains($0) })
        {
            output += content
        } else if content.starts(with: "br".unicodeScalars) {
            output.append("\n")
        }
        position = close + 1
    }

    private mutating func scanEntity() {
        let ahead = source[position...].prefix(12)
        guard let end = ahead.firstIndex(of: ";") else { return copy(1) }
        let name = String(String.UnicodeScalarView(source[position + 1..<end]))
        guard let text = HTMLEntity.text(name) else { return copy(1) }
        output += text.unicodeScalars
        position = end + 1
    }

    private func runLength(at start: Int) -> Int {
        source[start...].prefix { $0 == source[start] }.count
    }

    private func isPunctuation(at index: Int) -> Bool {
        guard index < source.count, source[index].isASCII, source[index] > " " else { return false }
        return !isLetter(source[index]) && !("0"..."9").contains(source[index])
    }

    private func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
    }

    /// The closing mark of each opening one.
    private static func pairs(
        _ opening: Unicode.Scalar, _ closing: Unicode.Scalar, in source: [Unicode.Scalar]
    ) -> [Int: Int] {
        var open: [Int] = []
        var pairs: [Int: Int] = [:]
        var isEscaped = false
        for (index, scalar) in source.enumerated() {
            if scalar == opening, !isEscaped { open.append(index) }
            if scalar == closing, !isEscaped, let start = open.popLast() { pairs[start] = index }
            isEscaped = scalar == "\\" && !isEscaped
        }
        return pairs
    }

    /// For each run of backticks the start of the next run of the same length.
    private static func codeRuns(in source: [Unicode.Scalar]) -> [Int: Int] {
        var next: [Int: Int] = [:]
        var pairs: [Int: Int] = [:]
        var end = source.count
        while let last = source[..<end].lastIndex(of: "`") {
            var start = last
            while start > 0, source[start - 1] == "`" { start -= 1 }
            let length = last - start + 1
            pairs[start] = next.updateValue(start, forKey: length)
            end = start
        }
        return pairs
    }
}

/// Finds the next place of a mark for positions that only grow, going over the text once.
private struct Finder {
    private let mark: [Unicode.Scalar]
    private var found = -1

    init(_ mark: String) {
        self.mark = Array(mark.unicodeScalars)
    }

    mutating func first(in source: [Unicode.Scalar], from start: Int) -> Int? {
        if found < start {
            found = start
            while found < source.count, !source[found...].starts(with: mark) { found += 1 }
        }
        return found < source.count ? found : nil
    }
}
