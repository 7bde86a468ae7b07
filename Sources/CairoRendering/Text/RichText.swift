#if Cairo
    public import AsyncLayers

    /// Text in several styles, with links and mentions in it.
    ///
    ///     var text = RichText("Drawn by ")
    ///     text.append("@anna", style: TextStyle(weight: .bold), mark: .mention("anna"))
    ///
    /// A value: equal texts look the same in equal widths, so it serves as a layout cache's content.
    public struct RichText: Hashable, Sendable {
        /// A piece of text in one style.
        public struct Run: Hashable, Sendable {
            /// The characters.
            public let text: String
            /// How they look.
            public let style: TextStyle
            /// What they stand for; nil for plain text.
            public let mark: TextMark?
            /// The direction that it is read in apart from the text around it; nil if it is a part of that.
            public let isolate: TextLayoutOptions.Direction?
        }

        /// The pieces, in the order of reading.
        public private(set) var runs: [Run] = []

        /// Makes a text in one style; empty by default.
        public init(_ text: String = "", style: TextStyle = TextStyle()) {
            append(text, style: style)
        }

        /// Adds a piece. Pieces with equal marks stay ranges of their own, also if they are adjacent.
        ///
        /// A name, a number or a path, whose direction you do not know, may move the words and numbers beside
        /// it, and they may divide it. As an isolate it is placed as one neutral character would be (a
        /// directional isolate of Unicode's standard 9), also if it has marks of direction itself:
        ///
        ///     text.append(name, isolate: .automatic)
        ///     text.append(": 5 files in ")
        ///     text.append(path, isolate: .leftToRight)
        ///
        /// It adds no characters: indices are those of ``string``. It ends with its paragraph. In the work of
        /// a layout (``TextLayoutLimits``) it counts as 44 characters more. O(text).
        ///
        /// - Parameters:
        ///   - text: the characters; an empty text adds nothing.
        ///   - style: how they look. Default: black, regular, 15 points.
        ///   - mark: what they stand for. Default: nil, which is plain text.
        ///   - isolate: the direction of an isolate; `.automatic` is that of the first letter that has one.
        ///     Default: nil, which is none.
        public mutating func append(
            _ text: String, style: TextStyle = TextStyle(), mark: TextMark? = nil,
            isolate: TextLayoutOptions.Direction? = nil
        ) {
            if !text.isEmpty { runs.append(Run(text: text, style: style, mark: mark, isolate: isolate)) }
        }

        /// All characters.
        public var string: String { runs.map(\.text).joined() }
    }

    /// What a range of a text stands for, when it is pointed at.
    public enum TextMark: Hashable, Sendable {
        /// A place to go to: an address.
        case link(String)
        /// A person or a thing, by name.
        case mention(String)
    }

    /// How a piece of text looks.
    public struct TextStyle: Hashable, Sendable {
        /// How bold, from 100 to 1,000, as in CSS and OpenType.
        public struct Weight: Hashable, Sendable, RawRepresentable {
            /// From 100 to 1,000; what lies outside is cut.
            public var rawValue: Int

            /// Makes a weight; what lies outside 100 to 1,000 is cut where it is used.
            public init(rawValue: Int) { self.rawValue = rawValue }

            /// 300.
            public static let light = Weight(rawValue: 300)
            /// 400.
            public static let regular = Weight(rawValue: 400)
            /// 500.
            public static let medium = Weight(rawValue: 500)
            /// 600.
            public static let semibold = Weight(rawValue: 600)
            /// 700.
            public static let bold = Weight(rawValue: 700)
        }

        /// The font's family, or several with commas between them, as fontconfig knows them. Characters that
        /// it lacks are drawn in another font. Default: "sans-serif".
        public var family: String
        /// The height of a line of capitals and descenders in points, about; cut to 1…1,024, and NaN reads as
        /// 1.
        public var size: Double
        /// How bold. Default: regular.
        public var weight: Weight
        /// Whether it slants. Default: false.
        public var isItalic = false
        /// The letters' colour; those that have colours of their own, such as emoji, keep them. Default:
        /// black.
        public var color: Color
        /// What lies behind the letters, as high as the line. Default: nil, which is nothing.
        public var background: Color?
        /// Whether there is a line below. Default: false.
        public var isUnderlined = false
        /// Whether there is a line through. Default: false.
        public var isStruckThrough = false
        /// What is added between letters, in points; cut to ±1,024, and NaN reads as 0. Default: 0.
        public var letterSpacing = 0.0

        /// Makes a style; by default black, regular, 15 points of the system's sans-serif.
        public init(
            family: String = "sans-serif", size: Double = 15, weight: Weight = .regular, color: Color = .black
        ) {
            self.family = family
            self.size = size
            self.weight = weight
            self.color = color
        }
    }
#endif
