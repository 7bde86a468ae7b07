#if Cairo
    /// How a text becomes lines.
    public struct TextLayoutOptions: Hashable, Sendable {
        /// Where lines break.
        public enum Wrapping: Hashable, Sendable {
            /// Between words; a word that is wider than the text sticks out.
            case words
            /// Between any two characters.
            case characters
            /// Between words, and within those that are wider than the text. In a text with flags or skin
            /// tones that is narrower than four times its largest font, between any two characters.
            case wordsThenCharacters
        }

        /// How text beyond the line limit is left out. Except for ``none``, the last line has what is left of
        /// its paragraph, as far as it fits, and ends in an ellipsis where more paragraphs follow.
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
            /// At the left in text that is read from the left, at the right in text that is read from the
            /// right.
            case start
            /// In the middle.
            case center
            /// At the other side.
            case end
            /// At both sides, except for the last line of a paragraph.
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
        /// How the rest is left out. Default: an ellipsis at the end.
        public var truncation = Truncation.end
        /// Where lines begin. Default: where reading does.
        public var alignment = Alignment.start
        /// The direction of paragraphs. Default: that of their letters.
        public var direction = Direction.automatic
        /// What is added between lines, in points; cut to ±1,024, and NaN reads as 0. Below zero, lines
        /// overlap, but no line begins above the one before. Default: 0.
        public var lineSpacing = 0.0
        /// From one tab stop to the next, in points; cut to 1,024 and, below, to a quarter of the text's
        /// largest font with its letter spacing; NaN reads as nil. The stops are at all multiples, from where
        /// the line begins. Default: nil, for eight spaces of the font that the paragraph, or one of the
        /// lines before, begins with.
        public var tabWidth: Double?
        /// Whether the layout has ``TextLayout/carets``, for text that is edited or selected. It then takes
        /// some 40 bytes more for each character, and some time. Default: false.
        public var recordsCarets = false
        /// How much work a layout may take before it fails. Default: about a tenth of a second.
        public var limits = TextLayoutLimits()

        /// Makes options; all have defaults.
        public init() {}
    }

    /// How much work a layout may take before it fails with a ``TextLayoutError``.
    ///
    /// Text comes from unknown sources, and a worker that lays it out serves other layers as well. With the
    /// defaults the longest text takes about a tenth of a second, and what cannot be interrupted about a
    /// hundredth.
    ///
    /// Work is counted in characters (Unicode scalars). Those of scripts in which letters join or make
    /// clusters, from Hebrew to Mongolian, count three times, emoji twice. A change of script, and a mark of
    /// direction, cost as much as 5 more, a change of style, a tab and a new line as 16, each font or size
    /// beyond eight as 512. More than eight characters that are drawn as one count eight times. Only what is
    /// laid out is counted: with a line limit, a text of any length has a small cost. A limit below its least
    /// value counts as that.
    public struct TextLayoutLimits: Hashable, Sendable {
        /// The most work for all lines, in characters. At least 1. Default: 25,000, some five pages of a book
        /// in Latin letters.
        public var layoutCost = 25_000
        /// The most work for one line, in characters: a line cannot be interrupted. At least 1. Default:
        /// 4,096.
        public var lineCost = 4_096
        /// The most characters that are drawn as one: a letter and its combining marks, or an emoji and what
        /// changes it. The time that a letter takes grows with the square of its marks. At least 1. Default:
        /// 32; Unicode's Stream-Safe Text Format has at most 31.
        public var clusterLength = 32

        /// Makes limits; all have defaults.
        public init() {}

        /// The same limits, each at least its least value, and such that one line more does not overflow.
        var clamped: Self {
            var limits = self
            limits.layoutCost = max(layoutCost, 1)
            limits.lineCost = min(max(lineCost, 1), .max / 2)
            limits.clusterLength = max(clusterLength, 1)
            return limits
        }
    }

    /// Why a text cannot be laid out.
    public struct TextLayoutError: Error, Equatable, CustomStringConvertible {
        /// What a text has too much of.
        public struct Code: Equatable, Sendable, CustomStringConvertible {
            /// More work than ``TextLayoutLimits/layoutCost``.
            public static var layoutCost: Self { Self(kind: .layoutCost) }
            /// A line with more work than ``TextLayoutLimits/lineCost``.
            public static var lineCost: Self { Self(kind: .lineCost) }
            /// More characters drawn as one than ``TextLayoutLimits/clusterLength``.
            public static var clusterLength: Self { Self(kind: .clusterLength) }
            /// A line that is wider than 2²¹ points, which Pango's 32-bit units cannot express.
            public static var lineWidth: Self { Self(kind: .lineWidth) }

            /// The name, such as "layoutCost".
            public var description: String { kind.rawValue }

            fileprivate let kind: Kind

            fileprivate enum Kind: String {
                case layoutCost, lineCost, clusterLength, lineWidth
            }
        }

        /// What the text has too much of.
        public let code: Code
        /// The limit that it exceeds: characters, or points for ``Code/lineWidth``.
        public let limit: Int

        /// Which limit, in English.
        public var description: String {
            switch code.kind {
            case .layoutCost:
                "The text takes more work than \(limit) characters (TextLayoutOptions.limits.layoutCost)"
            case .lineCost:
                "A line takes more work than \(limit) characters (TextLayoutOptions.limits.lineCost)"
            case .clusterLength:
                "More than \(limit) characters are drawn as one (TextLayoutOptions.limits.clusterLength)"
            case .lineWidth: "A line is wider than \(limit) points"
            }
        }
    }
#endif
