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
    private(set) var snapshot: DocumentSnapshot

    static let textFrame = Rect(x: 9_720, y: 9_840, width: 560, height: 320)
    private static let story = """
        This frame can be edited: click into it and type. Only what has changed is drawn again, a line or a caret, \
        however large the window is.
        """

    init(_ scene: Scene) throws {
        snapshot = DocumentSnapshot(scene: scene, text: try TextFrame(Self.story, frame: Self.textFrame))
        layer = TiledLayer(renderer: CairoRenderer(), documentSize: scene.size)
        // Some hundred tiles at most, which are there when the view is zoomed out at once.
        layer.overviewScale = 1.0 / 16
        // Typing appears in its own turn.
        layer.displayTimeLimit = .milliseconds(4)
        layer.delegate = self
    }

    var text: TextFrame { snapshot.text }

    func drawing(for layer: TiledLayer<CairoRenderer>) -> TiledLayer<CairoRenderer>.Draw? {
        { [snapshot] context, scope in
            try snapshot.draw(in: context, area: scope.area) { scope.isCancelled }
        }
    }

    /// Changes the text by a function that returns what looks different then.
    func edit(_ change: (inout TextFrame) throws -> [Rect]) rethrows {
        var text = snapshot.text
        for rect in try change(&text) { layer.setNeedsDisplay(in: rect) }
        snapshot = DocumentSnapshot(scene: snapshot.scene, text: text)
    }
}
