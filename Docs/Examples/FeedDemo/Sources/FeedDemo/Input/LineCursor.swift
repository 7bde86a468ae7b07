/// Walks the lines of a text without making a list of them: a file of nothing but line ends would make a list
/// many times its own size.
struct LineCursor {
    private var rest: Substring?

    /// Starts before the first line.
    init(_ text: String) {
        rest = text[...]
    }

    /// The next line without its line end; nil after the last.
    func peek() -> Substring? {
        guard let rest else { return nil }
        return rest[..<(rest.utf8.firstIndex(of: LineCursor.lineEnd) ?? rest.endIndex)]
    }

    /// Steps over the next line and returns it.
    mutating func next() -> Substring? {
        guard let rest, let line = peek() else { return nil }
        self.rest = line.endIndex == rest.endIndex ? nil : rest[rest.utf8.index(after: line.endIndex)...]
        return line
    }

    private static let lineEnd = UInt8(ascii: "\n")
}

extension Substring {
    /// The text without white space at its ends.
    var trimmed: Substring {
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return self[first..<scalars.index(after: last)]
    }

    /// How many spaces stand before the first other character.
    var indentation: Int {
        utf8.prefix { $0 == UInt8(ascii: " ") }.count
    }
}
