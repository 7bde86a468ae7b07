import AsyncLayers
import CairoRendering

/// A text that can be edited, in a frame of the document: a value. Its functions return what looks different
/// afterwards, in points of the document.
struct TextFrame: Sendable {
    private static let padding = 24.0
    private static let style = TextStyle(family: "serif", size: 22, color: Palette.ink)
    private static let caretWidth = 2.0

    let frame: Rect
    private(set) var string: String
    private(set) var position: TextCarets.Position
    private var layout: TextLayout
    /// Where the caret wants to be while it goes up and down.
    private var column: Double?
    /// Whether keys go here.
    private(set) var isFocused = false
    /// Whether the caret is in the bright half of its blinking.
    private var isCaretOn = true

    init(_ string: String, frame: Rect) throws {
        (self.string, self.frame) = (string, frame)
        layout = try Self.layout(string, in: frame)
        position = TextCarets.Position(string.endIndex)
    }

    private static func layout(_ string: String, in frame: Rect) throws -> TextLayout {
        var options = TextLayoutOptions()
        options.recordsCarets = true
        options.lineSpacing = 4
        return try TextLayout(
            RichText(string, style: style), width: frame.size.width - 2 * padding, options: options)
    }

    private var origin: Point { frame.origin + Point(x: Self.padding, y: Self.padding) }

    /// The layout records them, as its options request.
    private var carets: TextCarets { layout.carets! }

    /// Where the caret is, in points of the document.
    var caret: Rect {
        let rect = carets.caretRect(at: position).moved(by: origin)
        return Rect(
            center: rect.center, size: Size(width: Self.caretWidth, height: rect.size.height))
    }

    // MARK: The caret

    /// Puts the caret at a point, if that is in the frame; else the frame loses the keys.
    mutating func click(at point: Point) -> [Rect] {
        let wasFocused = isFocused
        isFocused = frame.contains(point)
        let moved = isFocused ? move(to: carets.closestPosition(to: point - origin)) : []
        return isFocused == wasFocused ? moved : [frame]
    }

    /// The other half of the caret's blinking.
    mutating func blink() -> [Rect] {
        isCaretOn.toggle()
        return [caret]
    }

    private mutating func move(to next: TextCarets.Position?, column: Double? = nil) -> [Rect] {
        let former = caret
        (position, self.column, isCaretOn) = (next ?? position, column, true)
        return [former, caret]
    }

    // MARK: Keys

    mutating func press(_ key: Key) throws -> [Rect] {
        let (index, line) = (position.index, carets.lines[carets.lineIndex(of: position)])
        let column = column ?? carets.caretRect(at: position).minX
        switch key {
        case .left: return move(to: carets.position(leftOf: position))
        case .right: return move(to: carets.position(rightOf: position))
        case .up: return move(to: carets.position(above: position, x: column), column: column)
        case .down: return move(to: carets.position(below: position, x: column), column: column)
        case .home: return move(to: line.start)
        case .end: return move(to: line.end)
        case .backspace where index > string.startIndex:
            return try replace(string.index(before: index)..<index, with: "")
        case .delete where index < string.endIndex:
            return try replace(index..<string.index(after: index), with: "")
        case .enter: return try insert("\n")
        case .escape: return click(at: frame.origin - Point(x: 1, y: 1))
        default: return []  // comes as text
        }
    }

    /// Types a text; one that does not fit into the frame is not typed.
    mutating func insert(_ text: String) throws -> [Rect] {
        try replace(position.index..<position.index, with: text)
    }

    private mutating func replace(_ range: Range<String.Index>, with text: String) throws -> [Rect] {
        let offset = string.utf8.distance(from: string.startIndex, to: range.lowerBound) + text.utf8.count
        var newString = string
        newString.replaceSubrange(range, with: text)
        let newLayout = try Self.layout(newString, in: frame)
        guard newLayout.size.height <= frame.size.height - 2 * Self.padding else { return [] }
        let (former, formerCaret) = (Self.lines(of: carets), caret)
        (string, layout) = (newString, newLayout)
        let index = newString.utf8.index(newString.startIndex, offsetBy: offset)
        let moved = move(to: carets.roundedDown(TextCarets.Position(index)))
        // Letters may reach into the space around a line.
        let changed = former.symmetricDifference(Self.lines(of: carets)).map { $0.rect.inset(by: -4) }
        return changed.map { $0.moved(by: origin) } + moved + [formerCaret]
    }

    /// What a line shows, and where.
    private struct Line: Hashable {
        let rect: Rect
        let text: Substring
    }

    private static func lines(of carets: TextCarets) -> Set<Line> {
        Set(carets.lines.map { Line(rect: $0.rect, text: carets.string[$0.range]) })
    }

    // MARK: Drawing

    func draw(in context: CairoContext) {
        let edge = isFocused ? 3.0 : 1.5
        context.fill(frame, cornerRadius: 12, with: isFocused ? Palette.accent : Palette.ink)
        context.fill(frame.inset(by: edge), cornerRadius: 12 - edge, with: .white)
        context.draw(layout, at: origin)
        if isFocused, isCaretOn { context.fill(caret, with: Palette.accent) }
    }
}
