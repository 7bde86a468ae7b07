import AsyncLayers
import BitmapRendering

/// A layer with rings whose number changes.
@MainActor
final class Tile: AsyncLayerDelegate {
    let layer: AsyncLayer<BitmapRenderer>
    private var number: Int

    init(number: Int, host: DisplayHost) {
        self.number = number
        layer = AsyncLayer(renderer: BitmapRenderer(), host: host)
        layer.size = Size(width: 128, height: 128)
        layer.contentsScale = 2
        layer.delegate = self
    }

    func change() {
        number += 1
        layer.setNeedsDisplay()
    }

    func displayTask(for layer: AsyncLayer<BitmapRenderer>) -> DisplayTask<BitmapRenderer>? {
        DisplayTask { [number] context, scope in
            for ring in 0..<(8 + number % 4) {
                try scope.checkCancellation()
                let inset = Double(ring) * 5
                let extent = scope.size.width - 2 * inset
                context.fill(
                    Rect(x: inset, y: inset, width: extent, height: extent), cornerRadius: extent / 2,
                    with: .color(Color(white: ring % 2 == 0 ? 0.2 : 0.9)))
            }
        }
    }
}
