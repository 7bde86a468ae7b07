/// A small font whose letters are strokes of a round pen, so that it needs no file and is sharp at any size.
///
/// It has printable ASCII and the letters and signs of Latin-1 (U+00A0 to U+00FF), letters with accents in
/// both spellings, composed and decomposed. White space of every kind is as wide as a space; every other
/// character is shown as a box (a soft hyphen as a hyphen). Text runs from left to right, without kerning.
/// The measures are in points, and do not depend on the scale that is drawn at.
public struct StrokeFont: Hashable, Sendable {
    /// How heavy the strokes are.
    public enum Weight: Hashable, Sendable {
        /// For running text.
        case regular
        /// For headings and names.
        case bold
    }

    /// The nominal size, in points, from 0 to 10,000; capitals are about 0.7 of it high.
    public let size: Double
    /// How heavy the strokes are.
    public let weight: Weight

    /// Makes a font.
    ///
    /// - Parameters:
    ///   - size: in points; cut to 0…10,000, and 0, which draws nothing, where it is not finite.
    ///   - weight: how heavy the strokes are.
    public init(size: Double, weight: Weight = .regular) {
        self.size = size.isFinite ? min(max(size, 0), 10_000) : 0
        self.weight = weight
    }

    /// From the baseline up to the top of the tallest glyph, an accented capital, in points: about 0.95 times
    /// the size.
    public var ascent: Double { 21 * unit }
    /// From the baseline down to the bottom of the lowest glyph, in points: about 0.27 times the size.
    public var descent: Double { 6 * unit }
    /// From one baseline to the next, in points: 1.25 times the size.
    public var lineHeight: Double { size * 1.25 }

    /// How far a text carries the pen, in points: the sum over its characters. O(characters).
    public func width(of text: some StringProtocol) -> Double {
        var units = 0.0
        for character in text { units += advance(of: character) }
        return units * unit
    }

    /// Points per unit of the glyphs' grid.
    var unit: Double { size / 22 }

    /// Half the width of the strokes, in units of the grid.
    var penRadius: Double { weight == .bold ? 1.3 : 0.78 }

    /// A bold glyph is set wider by this, in units, half of it at each side, so that the heavier strokes do
    /// not touch.
    var extraAdvance: Double { weight == .bold ? 1 : 0 }

    /// In units of the grid.
    func advance(of character: Character) -> Double {
        GlyphTable.shared.glyph(for: character).advance + extraAdvance
    }
}

extension StrokeFont {
    /// One line of a wrapped text.
    public struct Line: Equatable, Sendable {
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
    ///   - text: any text.
    ///   - width: in points. Infinite breaks at the text's own line breaks only; zero, negative and NaN put
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
