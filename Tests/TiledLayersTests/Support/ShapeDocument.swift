import AsyncLayers
import BitmapRendering
import TestSupport
import TiledLayers

/// Content of coloured shapes, some translucent, that a test changes one by one.
@MainActor
final class ShapeDocument: TiledLayerDelegate {
    struct Shape: Sendable {
        var rect: Rect
        var color: Color
        var isEllipse: Bool

        func draw(in context: BitmapContext) {
            if isEllipse {
                context.fillEllipse(in: rect, with: .color(color))
            } else {
                context.fill(rect, cornerRadius: 3, with: .color(color))
            }
        }
    }

    private(set) var shapes: [Shape] = []
    private(set) var snapshotCount = 0
    let size: Size
    private var generator: SeededGenerator
    /// Called on a pool thread before a tile is drawn.
    var beforeDraw: (@Sendable () throws -> Void)?
    var onDraw: (@Sendable (TileScope) -> Void)?
    /// Whether there is nothing to draw.
    var isEmpty = false

    init(size: Size, count: Int, seed: UInt64) {
        self.size = size
        generator = SeededGenerator(seed: seed)
        for _ in 0..<count { shapes.append(randomShape()) }
    }

    func drawing(for _: TiledLayer<BitmapRenderer>) -> TiledLayer<BitmapRenderer>.Draw? {
        snapshotCount += 1
        if isEmpty { return nil }
        return { [shapes, beforeDraw, onDraw] context, scope in
            try beforeDraw?()
            onDraw?(scope)
            for shape in shapes where shape.rect.inset(by: -1).intersects(scope.area) {
                shape.draw(in: context)
            }
        }
    }

    /// Changes a shape, and returns what has changed.
    func edit() -> Rect {
        let index = Int.random(in: shapes.indices, using: &generator)
        let former = shapes[index].rect
        shapes[index] = randomShape()
        return former.union(shapes[index].rect)
    }

    func replaceAll(with shape: Shape) { shapes = [shape] }

    private func randomShape() -> Shape {
        func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &generator) }
        return Shape(
            rect: Rect(
                x: number(-10...size.width), y: number(-10...size.height), width: number(1...60),
                height: number(1...60)),
            color: Color(
                red: number(0...1), green: number(0...1), blue: number(0...1), alpha: number(0.3...1)),
            isEllipse: Bool.random(using: &generator))
    }

    /// What one context of the whole content shows at a scale.
    func picture(scale: Double) throws -> Bitmap {
        func extent(_ length: Double) -> Int { Int((length * scale - 1.0 / 1024).rounded(.up)) }
        let context = try BitmapContext(
            pixelWidth: extent(size.width), pixelHeight: extent(size.height), scale: scale)
        for shape in shapes { shape.draw(in: context) }
        return context.makeBitmap()
    }
}
