import AsyncLayers
import CairoRendering

/// A text that can be edited, in a frame of the document: a value that knows what an edit has changed on the
/// page.
struct TextFrame: Sendable {
    static let padding = 24.0
    private static let style = TextStyle(family: "serif", size: 22, color: Palette.ink)
    private static let caretWidth = 2.0

    let frame: Rect
    private(set) var string: String
    private(set) var position: TextCarets.Position
    /// Where the caret wants to be while it goes up and down.
    private var column: Double?
    private(set) var layout: TextLayout
    /// Whether keys go here.
    var isFocused = false
    /// Whether the caret is in the bright half of its blinking.
    var isCaretOn = true

    enum Direction { case backward, forward }
    enum Movement { case left, right, up, down, lineStart, lineEnd }

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

    // MARK: Places

    /// Where the caret is, in points of the document.
    var caret: Rect {
        let rect = carets.caretRect(at: position)
        return Rect(
            x: rect.minX - Self.caretWidth / 2, y: rect.minY, width: Self.caretWidth, height: rect.size.height
        ).moved(by: origin)
    }

    mutating func putCaret(at point: Point) {
        position = carets.closestPosition(to: point - origin)
        column = nil
    }

    mutating func move(_ movement: Movement) {
        let column = self.column ?? carets.caretRect(at: position).minX
        let line = carets.lines[carets.lineIndex(of: position)]
        let next =
            switch movement {
            case .left: carets.position(leftOf: position)
            case .right: carets.position(rightOf: position)
            case .up: carets.position(above: position, x: column)
            case .down: carets.position(below: position, x: column)
            case .lineStart: line.start
            case .lineEnd: line.end
            }
        position = next ?? position
        self.column = movement == .up || movement == .down ? column : nil
    }

    // MARK: Edits

    /// Types a text; one that does not fit into the frame is not typed.
    ///
    /// - Returns: what looks different now, in points of the document.
    mutating func insert(_ text: String) throws -> [Rect] {
        let index = position.index
        return try replace(index..<index, with: text)
    }

    /// Deletes the character before the caret, or the one behind it.
    mutating func delete(_ direction: Direction) throws -> [Rect] {
        let (index, isBackward) = (position.index, direction == .backward)
        guard index != (isBackward ? string.startIndex : string.endIndex) else { return [] }
        let other = isBackward ? string.index(before: index) : string.index(after: index)
        return try replace(min(index, other)..<max(index, other), with: "")
    }

    private mutating func replace(_ range: Range<String.Index>, with text: String) throws -> [Rect] {
        let offset = string.utf8.distance(from: string.startIndex, to: range.lowerBound) + text.utf8.count
        var newString = string
        newString.replaceSubrange(range, with: text)
        let newLayout = try Self.layout(newString, in: frame)
        guard newLayout.size.height <= frame.size.height - 2 * Self.padding else { return [] }
        let (former, formerCaret) = (carets, caret)
        (string, layout, column) = (newString, newLayout, nil)
        let index = newString.utf8.index(newString.startIndex, offsetBy: offset)
        position = carets.roundedDown(TextCarets.Position(index))
        return lines(thatDifferFrom: former) + [formerCaret, caret]
    }

    /// Lines with other text, or elsewhere. Letters may reach into the space around a line.
    private func lines(thatDifferFrom former: TextCarets) -> [Rect] {
        (0..<max(former.lines.count, carets.lines.count)).compactMap { number -> Rect? in
            let lines = [former, carets].map { carets in
                number < carets.lines.count ? (carets.lines[number].rect, carets.text(ofLine: number)) : nil
            }
            if let (old, oldText) = lines[0], let (new, newText) = lines[1], old == new, oldText == newText {
                return nil
            }
            let rects = lines.compactMap { $0?.0 }
            return rects.dropFirst().reduce(rects[0]) { $0.union($1) }.inset(by: -4).moved(by: origin)
        }
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

extension TextCarets {
    fileprivate func text(ofLine number: Int) -> Substring { string[lines[number].range] }
}
