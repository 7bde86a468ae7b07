import AsyncLayers
import BitmapRendering
import TestSupport

extension SeededGenerator {
    mutating func number(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &self) }

    mutating func choose<Element>(_ elements: [Element]) -> Element { elements.randomElement(using: &self)! }

    mutating func flip() -> Bool { .random(using: &self) }

    /// Of every kind: whole moves, fractional ones, quarter turns, mirrors, scales, turns, skews.
    mutating func transform(extent: Double) -> LayerTransform {
        let move = LayerTransform.translation(
            x: number(-extent / 4...extent * 0.8), y: number(-extent / 4...extent * 0.8))
        switch Int.random(in: 0..<6, using: &self) {
        case 0: return .translation(x: move.tx.rounded(), y: move.ty.rounded())
        case 1: return move
        case 2: return LayerTransform.rotation(.pi / 2 * number(0...4).rounded()).concatenating(move)
        case 3:
            return LayerTransform.scale(x: choose([-1, 0.05, 0.3, 2]), y: choose([-1, 0.1, 0.5, 1, 3]))
                .concatenating(move)
        case 4: return LayerTransform.rotation(number(-4...4)).concatenating(move)
        default:
            return LayerTransform(
                a: number(-2...2), b: number(-2...2), c: number(-2...2), d: number(-2...2), tx: move.tx,
                ty: move.ty)
        }
    }

    /// A picture in which neighbours differ as much as they can.
    mutating func noise(_ width: Int, _ height: Int, scale: Double) throws -> Bitmap {
        try bitmap(width, height, scale: scale) { context in
            for y in 0..<height {
                for x in 0..<width {
                    let color = Color(
                        red: number(0...1), green: number(0...1), blue: number(0...1),
                        alpha: flip() ? 1 : number(0...1))
                    let side = 1 / scale
                    context.fill(
                        Rect(x: Double(x) * side, y: Double(y) * side, width: side, height: side),
                        with: .color(color))
                }
            }
        }
    }
}
