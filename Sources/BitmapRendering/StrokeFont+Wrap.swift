extension StrokeFont {
    /// One line of a wrapped text.
    public struct Line: Hashable, Sendable {
        /// What to draw, without the white space at the line's end.
        public let text: String
        /// How wide that is, in points.
        public let width: Double
    }

    /// Breaks a text into lines: at its own line breaks, and between words where a line would be too wide.
    ///
    /// As many words as fit go on a line. A word that is wider than a line is broken, and a line takes one
    /// character at least, however narrow it is: only such a line can be wider than asked. White space at a
    /// break is dropped; a no-break space (U+00A0) is not a place to break at. An empty line of the text is
    /// an empty line here; a line break at the very end adds none. No text is no lines. O(characters).
    ///
    /// - Parameters:
    ///   - text: Any text.
    ///   - width: In points. Infinite breaks at the text's own line breaks only; zero, negative and NaN put
    ///     every character on a line of its own.
    public func wrap(_ text: String, width: Double) -> [Line] {
        var paragraphs = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        if paragraphs.last?.isEmpty == true { paragraphs.removeLast() }
        var lines: [Line] = []
        for paragraph in paragraphs { wrap(paragraph, width: width, into: &lines) }
        return lines
    }

    private func wrap(_ paragraph: Substring, width: Double, into lines: inout [Line]) {
        var start = paragraph.startIndex
        var units = 0.0
        // The end of the last word that fits, and where the next word begins, each with the width up to
        // there.
        var wordEnd = (index: start, units: 0.0)
        var nextWord = (index: start, units: 0.0)
        var isInWord = false

        func finishLine(at end: String.Index, units: Double) {
            lines.append(Line(text: String(paragraph[start..<end]), width: units * unit))
        }

        var index = start
        while index < paragraph.endIndex {
            let character = paragraph[index]
            let following = paragraph.index(after: index)
            let advance = advance(of: character)
            if character.isWhitespace && character != "\u{A0}" {
                if isInWord { wordEnd = (index, units) }
                isInWord = false
                units += advance
                nextWord = (following, units)
            } else if (units + advance) * unit <= width || index == start {
                isInWord = true
                units += advance
            } else if nextWord.index > start {
                if wordEnd.index > start { finishLine(at: wordEnd.index, units: wordEnd.units) }
                start = nextWord.index
                units -= nextWord.units
                continue  // The same character again, now on the new line.
            } else {
                finishLine(at: index, units: units)
                start = index
                units = 0
                continue
            }
            index = following
        }
        if isInWord { wordEnd = (index, units) }
        finishLine(at: max(wordEnd.index, start), units: wordEnd.index > start ? wordEnd.units : 0)
    }
}
