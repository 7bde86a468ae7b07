import AsyncLayers
import CairoRendering
import TiledLayers

/// The document as it is at a time: what a tile is drawn from. Never changes.
struct DocumentSnapshot: Sendable {
    let scene: Scene
    let text: TextFrame

    /// Draws what lies in an area of the page.
    func draw(in context: CairoContext, area: Rect, isCancelled: () -> Bool = { false }) throws {
        try scene.draw(in: context, area: area, isCancelled: isCancelled)
        if text.frame.intersects(area) { text.draw(in: context) }
    }
}

/// The document, and the layer that shows it. Each edit damages what looks different afterwards, and no more.
@MainActor
final class CanvasDocument: TiledLayerDelegate {
    let layer: TiledLayer<CairoRenderer>
    let scene: Scene
    private(set) var text: TextFrame

    static let textFrame = Rect(x: 9_720, y: 9_840, width: 560, height: 320)
    private static let story = """
        This frame can be edited: click into it and type. Only what has changed is drawn again, a line or a caret, \
        however large the window is.
        """

    init(seed: UInt64, itemCount: Int = 14_000) throws {
        var generator = SceneGenerator(seed: seed)
        scene = try generator.scene(count: itemCount, free: Self.textFrame.inset(by: -20))
        text = try TextFrame(Self.story, frame: Self.textFrame)
        layer = TiledLayer(renderer: CairoRenderer(), contentSize: scene.size)
        // Typing appears in its own turn.
        layer.displayDeadline = .milliseconds(4)
        layer.delegate = self
    }

    var snapshot: DocumentSnapshot { DocumentSnapshot(scene: scene, text: text) }

    func drawing(for layer: TiledLayer<CairoRenderer>) -> TiledLayer<CairoRenderer>.Draw? {
        let snapshot = snapshot
        return { context, scope in
            try snapshot.draw(in: context, area: scope.area) { scope.isCancelled }
        }
    }

    // MARK: Edits

    /// Puts the caret at a point, if that is in the frame; else the frame loses the keys.
    func click(at point: Point) {
        let isInside = text.frame.contains(point)
        if isInside != text.isFocused { layer.setNeedsDisplay(in: text.frame) }
        text.isFocused = isInside
        if isInside { moveCaret { $0.putCaret(at: point) } }
    }

    func blurText() { click(at: Point(x: -1, y: -1)) }

    func move(_ movement: TextFrame.Movement) { moveCaret { $0.move(movement) } }

    func type(_ string: String) throws { try edit { try $0.insert(string) } }

    func delete(_ direction: TextFrame.Direction) throws { try edit { try $0.delete(direction) } }

    /// The other half of the caret's blinking.
    func blink() {
        text.isCaretOn.toggle()
        layer.setNeedsDisplay(in: text.caret)
    }

    private func edit(_ change: (inout TextFrame) throws -> [Rect]) rethrows {
        guard text.isFocused else { return }
        let damage = try change(&text)
        text.isCaretOn = true
        for rect in damage + [text.caret] { layer.setNeedsDisplay(in: rect) }
    }

    private func moveCaret(_ change: (inout TextFrame) -> Void) {
        guard text.isFocused else { return }
        let former = text.caret
        change(&text)
        text.isCaretOn = true
        layer.setNeedsDisplay(in: former)
        layer.setNeedsDisplay(in: text.caret)
    }
}
