#if Cairo
    public import AsyncLayers
    import CQueuePoolsCairo
    import QueuePoolsLocks

    /// A text in lines: where each glyph stands, in points from the top left.
    ///
    /// Pango lays the text out, and is not needed afterwards: a layout holds glyphs and Cairo's fonts, and
    /// never changes. So it may be made on one thread, measured on a second and drawn on others, at any
    /// scale, at the same time. Making one costs more than drawing it: do it off the main thread, and once
    /// (`LayoutCache`):
    ///
    ///     let layouts = LayoutCache<RichText, TextLayout> { text, layout in layout.byteCount }
    ///     let layout = try layouts.layout(for: text, width: 320) { try TextLayout(text, width: $0) }
    ///
    /// *Thread-safe.* Each thread that makes layouts has a font map of Pango's own, which is freed when it
    /// ends.
    public final class TextLayout: Sendable {
        /// The extent of the lines, in points: as wide as the widest, as high as all.
        public var size: Size { lines.size }
        /// From the top to the line that the letters of the first line stand on, in points.
        public var firstBaseline: Double { lines.firstBaseline }
        /// How many lines there are; an empty text has one.
        public var lineCount: Int { lines.count }
        /// True if the line limit has left text out.
        public var isTruncated: Bool { lines.isTruncated }
        /// Links and mentions, in the order of reading; those that were left out have no rectangles.
        public var marks: [MarkedRange] { lines.marks }
        /// Where carets and selections are; nil unless ``TextLayoutOptions/recordsCarets`` is true.
        public var carets: TextCarets? { lines.carets }

        var pieces: [GlyphPiece] { lines.pieces }

        private let lines: Lines

        /// What a layout is made of.
        struct Lines: Sendable {
            var size = Size.zero
            var firstBaseline = 0.0
            var count = 0
            var isTruncated = false
            var marks: [MarkedRange] = []
            var pieces: [GlyphPiece] = []
            var carets: TextCarets?
        }

        /// A link or a mention, and where it is.
        public struct MarkedRange: Equatable, Sendable {
            /// What it stands for.
            public let mark: TextMark
            /// Its place among the layout's marks.
            public let index: Int
            /// Where it is, a rectangle for each piece of a line, as high as the line.
            public let rects: [Rect]
        }

        /// Lays a text out.
        ///
        /// O(characters that are laid out), which ``TextLayoutOptions/limits`` limits. Of characters that no
        /// font has, a box is drawn; a zero character is shown as one of those.
        ///
        /// - Parameters:
        ///   - text: what is laid out.
        ///   - width: that lines may take, in points. Below zero counts as zero, NaN and more than a million
        ///     as without bound. Default: without bound.
        ///   - options: how lines are made.
        ///   - isCancelled: stops the layout, such as `DrawScope.isCancelled`. Called on this thread, before
        ///     each of the pieces that the text is laid out in: with the default bounds, every few
        ///     milliseconds. Default: false.
        /// - Throws: ``TextLayoutError`` if the text exceeds one of the options' limits; `CancellationError`
        ///   if `isCancelled` returns true.
        public convenience init(
            _ text: RichText, width: Double = .infinity, options: TextLayoutOptions = TextLayoutOptions(),
            isCancelled: () -> Bool = { false }
        ) throws {
            self.init(try Typesetter(text, width: width, options).makeLines(isCancelled: isCancelled))
        }

        init(_ lines: Lines) { self.lines = lines }

        /// The link or the mention at a point; of two that overlap the later one. O(marks).
        public func mark(at point: Point) -> MarkedRange? {
            marks.last { range in range.rects.contains { $0.contains(point) } }
        }

        /// The memory that the layout takes, about; fonts are shared and not counted. O(pieces + lines).
        public var byteCount: Int {
            (carets?.byteCount ?? 0)
                + pieces.reduce(256) { $0 + 160 + $1.glyphs.count * MemoryLayout<cairo_glyph_t>.stride }
                + marks.reduce(0) { $0 + 96 + $1.rects.count * MemoryLayout<Rect>.stride }
        }
    }

    /// Glyphs of one font and one style in one line.
    struct GlyphPiece: Sendable {
        let typeface: Typeface
        let color: Color
        let background: Color?
        /// Positions in points from the layout's top left.
        let glyphs: [cairo_glyph_t]
        /// As wide as the glyphs advance, as high as the line.
        let rect: Rect
        /// Lines below and through the letters.
        let decorations: [Rect]
        /// Boxes for characters that no font has.
        let missing: [Rect]

        func moved(by distance: Double) -> GlyphPiece {
            func moved(_ rect: Rect) -> Rect { rect.moved(by: Point(x: distance, y: 0)) }
            return GlyphPiece(
                typeface: typeface, color: color, background: background,
                glyphs: glyphs.map { cairo_glyph_t(index: $0.index, x: $0.x + distance, y: $0.y) },
                rect: moved(rect),
                decorations: decorations.map(moved), missing: missing.map(moved))
        }
    }

    /// A font of Cairo's at a size, which any thread may draw with: Cairo locks what drawing changes in a
    /// font, and ``KeptFaces`` ensures that no face that is drawn with is destroyed, which Cairo does without
    /// a lock.
    final class Typeface: @unchecked Sendable {  // never changes; Cairo counts references atomically
        let face: OpaquePointer
        let matrix: cairo_matrix_t

        init(_ font: OpaquePointer) {
            face = cairo_font_face_reference(cairo_scaled_font_get_font_face(font))
            KeptFaces.keep(face)
            var matrix = cairo_matrix_t()
            cairo_scaled_font_get_font_matrix(font, &matrix)
            self.matrix = matrix
        }

        deinit { cairo_font_face_destroy(face) }
    }

    /// The font faces that layouts have ever used, each with a reference that is never released.
    ///
    /// Cairo 1.16 lists the faces of a font file without a lock: a face that is destroyed takes itself out of
    /// the list, also while another thread, whose Pango asks for the same font, walks it. Layouts are
    /// released on any thread; with these references none of them destroys a face. Their number is that of
    /// font files and options in the process, for any sizes and number of layouts.
    ///
    /// What remains is Pango's: it makes faces, and destroys those that no layout has used, such as fonts
    /// that were only considered, when a thread that made layouts ends or its font map drops them.
    /// *Thread-safe.*
    enum KeptFaces {
        // Numbers, since a pointer must not go from one thread to another.
        private static let faces = Lock<Set<UInt>>([])

        /// Keeps a face until the process ends. O(1).
        static func keep(_ face: OpaquePointer) {
            let number = UInt(bitPattern: face)
            let isNew = faces.withLock { $0.insert(number).inserted }
            if isNew { cairo_font_face_reference(face) }
        }
    }
#endif
