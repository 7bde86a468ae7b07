#if Cairo
    /// Text in several styles, with links and mentions in it.
    ///
    ///     var text = RichText("Drawn by ")
    ///     text.append("@anna", style: TextStyle(weight: .bold), mark: .mention("anna"))
    ///
    /// A value: equal texts look alike in equal widths, so it serves as a layout cache's content.
    public struct RichText: Hashable, Sendable {
        /// A piece of text in one style.
        public struct Run: Hashable, Sendable {
            /// The characters.
            public let text: String
            /// How they look.
            public let style: TextStyle
            /// What they stand for; nil for plain text.
            public let mark: TextMark?
        }

        /// The pieces, in the order of reading.
        public private(set) var runs: [Run] = []

        /// Makes a text in one style; empty by default.
        public init(_ text: String = "", style: TextStyle = TextStyle()) {
            append(text, style: style)
        }

        /// Adds a piece; one with a mark is a range of its own, also behind another one with the same mark.
        public mutating func append(_ text: String, style: TextStyle = TextStyle(), mark: TextMark? = nil) {
            if !text.isEmpty { runs.append(Run(text: text, style: style, mark: mark)) }
        }

        /// All characters.
        public var string: String { runs.map(\.text).joined() }
    }

    /// What a range of a text stands for, when somebody points at it.
    public enum TextMark: Hashable, Sendable {
        /// A place to go to: an address.
        case link(String)
        /// Somebody or something by name.
        case mention(String)
    }
#endif
