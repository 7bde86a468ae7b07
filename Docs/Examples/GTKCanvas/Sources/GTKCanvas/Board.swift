import AsyncLayers
import CairoRendering
import TiledLayers

/// A board of 20,000 × 20,000 points with 15,625 numbered discs, and a ball that can be put elsewhere.
/// Nothing is drawn between the discs. A value.
struct Board: Sendable {
    static let background = Color(red: 0.96, green: 0.95, blue: 0.91)
    private static let step = 160.0
    private static let count = 125
    private static let colors = [
        Color(red: 0.18, green: 0.60, blue: 0.42, alpha: 0.8), Color(red: 0.16, green: 0.50, blue: 0.73),
        Color(red: 0.91, green: 0.30, blue: 0.24, alpha: 0.5),
    ]
    static let size = Size(width: step, height: step) * Double(count)

    var ball = Point(x: 300, y: 220)

    var ballFrame: Rect { Rect(center: ball, size: Size(width: 90, height: 90)) }

    /// Draws what lies in an area, and visits no more than that.
    func draw(in context: CairoContext, area: Rect) throws {
        func places(_ low: Double, _ high: Double) -> Range<Int> {
            max(0, Int(low / Self.step))..<max(0, min(Self.count, Int(high / Self.step) + 1))
        }
        for row in places(area.minY, area.maxY) {
            for column in places(area.minX, area.maxX) {
                let corner = Point(x: Double(column), y: Double(row)) * Self.step
                let disc = Rect(origin: corner, size: Size(width: 140, height: 140))
                context.fill(disc, cornerRadius: 70, with: Self.colors[(row * 7 + column) % 3])
                let words = RichText("\(column), \(row)", style: TextStyle(size: 24, color: .white))
                let layout = try TextLayout(words)
                context.draw(layout, at: Rect(center: disc.center, size: layout.size).origin)
            }
        }
        context.fill(ballFrame, cornerRadius: 45, with: Color(red: 0.1, green: 0.1, blue: 0.15, alpha: 0.7))
    }
}

/// The board, the layer that shows it, and which part of it is seen.
@MainActor
final class BoardView: TiledLayerDelegate {
    let layer = TiledLayer(renderer: CairoRenderer(), documentSize: Board.size)
    private(set) var board = Board()
    private(set) var origin = Point.zero
    private(set) var zoom = 1.0
    /// In points, and with so many pixels each.
    private var window = (size: Size.zero, scale: 1.0)

    init() { layer.delegate = self }

    func drawing(for layer: TiledLayer<CairoRenderer>) -> TiledLayer<CairoRenderer>.Draw? {
        { [board] context, scope in try board.draw(in: context, area: scope.area) }
    }

    func moveBall(to point: Point) {
        layer.setNeedsDisplay(in: board.ballFrame)
        board.ball = point
        layer.setNeedsDisplay(in: board.ballFrame)
    }

    /// - Parameter isMoving: whether more will follow, as in a drag.
    func show(_ origin: Point, zoom: Double, isMoving: Bool = false) throws {
        (self.origin, self.zoom) = (origin, zoom)
        let visible = Rect(origin: origin, size: window.size * (1 / zoom))
        if !visible.isEmpty { try layer.show(visible, scale: zoom * window.scale, isMoving: isMoving) }
    }

    func resize(to size: Size, scale: Double) throws {
        guard window != (size, scale) else { return }
        window = (size, scale)
        try show(origin, zoom: zoom)
    }
}

extension Rect {
    init(_ rect: PixelRect) {
        self.init(
            x: Double(rect.minX), y: Double(rect.minY), width: Double(rect.width), height: Double(rect.height)
        )
    }
}
