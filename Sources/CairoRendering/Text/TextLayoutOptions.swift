#if Cairo
    /// How a text becomes lines.
    public struct TextLayoutOptions: Hashable, Sendable {
        /// Where lines break.
        public enum Wrapping: Hashable, Sendable {
            /// Between words; a word that is wider than the text sticks out.
            case words
            /// Between any two characters.
            case characters
            /// Between words, and within those that are wider than the text.
            case wordsThenCharacters
        }

        /// What becomes of text that the line limit leaves out. But for ``none``, the last line has what is left of its
        /// paragraph, as far as it fits, and ends in an ellipsis where more paragraphs follow.
        public enum Truncation: Hashable, Sendable {
            /// It is cut off between two lines.
            case none
            /// An ellipsis stands for the beginning of what is left of the last line's paragraph.
            case start
            /// An ellipsis stands for its middle.
            case middle
            /// An ellipsis stands for its end.
            case end
        }

        /// Where lines begin, in the direction that each is read in.
        public enum Alignment: Hashable, Sendable {
            /// At the left in text that is read from the left, at the right in text that is read from the right.
            case start
            /// In the middle.
            case center
            /// At the other side.
            case end
            /// At both sides, but for the last line of a paragraph.
            case justified
        }

        /// The direction of paragraphs.
        public enum Direction: Hashable, Sendable {
            /// That of a paragraph's first letter that has one.
            case automatic
            /// From the left.
            case leftToRight
            /// From the right.
            case rightToLeft
        }

        /// Where lines break. Default: between words, and within those that are too wide.
        public var wrapping = Wrapping.wordsThenCharacters
        /// The most lines; nil or below 1 for as many as there are. Default: nil.
        public var lineLimit: Int?
        /// What becomes of the rest. Default: an ellipsis at the end.
        public var truncation = Truncation.end
        /// Where lines begin. Default: where reading does.
        public var alignment = Alignment.start
        /// Which way paragraphs are read. Default: told by their letters.
        public var direction = Direction.automatic
        /// What is added between lines, in points; cut to ±1,024, and NaN reads as 0. Default: 0.
        public var lineSpacing = 0.0
        /// How much work a layout may take before it fails. Default: about a tenth of a second.
        public var bounds = TextLayoutBounds()

        /// Makes options; all have defaults.
        public init() {}
    }
#endif
