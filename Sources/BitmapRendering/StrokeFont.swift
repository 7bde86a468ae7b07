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
    ///   - size: In points; cut to 0…10,000, and 0, which draws nothing, where it is not finite.
    ///   - weight: How heavy the strokes are.
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
