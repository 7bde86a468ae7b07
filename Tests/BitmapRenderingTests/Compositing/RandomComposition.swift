import BitmapRendering
import TestSupport

@testable import AsyncLayers

extension SeededGenerator {
    /// A composition of up to four levels, in which everything that a part can be occurs.
    mutating func composition(extent: Double) -> Composition<BitmapRenderer> {
        Composition(parts(level: 2, extent: extent))
    }

    private mutating func parts(level: Int, extent: Double) -> [Composition<BitmapRenderer>.Part] {
        guard level <= 5 else { return [] }
        let count = Int.random(in: level == 2 ? 1...4 : 0...2, using: &self)
        return (0..<count).map { _ in
            var part = part(extent: extent)
            part.parts = parts(level: level + 1, extent: extent * 0.8)
            return part
        }
    }

    private mutating func part(extent: Double) -> Composition<BitmapRenderer>.Part {
        let isFractional = flip()
        func side(_ generator: inout SeededGenerator, _ range: ClosedRange<Double>) -> Double {
            let side = generator.number(range)
            return isFractional ? side : side.rounded()
        }
        var part = Composition<BitmapRenderer>.Part(
            size: Size(width: side(&self, 0...extent), height: side(&self, 0...extent)))
        part.scale = choose([nil, 1, 2, 1.5])
        let isOpaque = number(0...1) < 0.3
        let color = choose([.white, Color(red: 0.2, green: 0.5, blue: 0.9, alpha: 0.6), .black])
        if isOpaque { part.background = .opaque(color) }
        part.placement.origin = Point(x: side(&self, -9...extent * 0.7), y: side(&self, -9...extent * 0.7))
        part.placement.anchor = choose([Point(x: 0.5, y: 0.5), .zero, Point(x: 1, y: 0.3)])
        if flip() {
            part.placement.transform = choose([
                .rotation(number(-4...4)), .rotation(.pi / 2), .scale(x: -1, y: 1),
                .scale(x: 0.5, y: 2), LayerTransform(a: 1, b: 0.2, c: -0.5, d: 0.9, tx: 1, ty: 2),
                .scale(x: 0, y: 1),
            ])
        }
        part.placement.opacity = choose([1, 1, 1, 0.5, 0.8, 0, .nan, 7])
        part.placement.masksToBounds = number(0...1) < 0.4
        part.placement.cornerRadius = choose([0, 0, 4, 100])
        part.placement.zPosition = choose([0, 0, 1, -1, .nan])
        part.placement.isHidden = number(0...1) < 0.08
        if number(0...1) < 0.85 {
            // Some pictures occur twice, and a key names all that a picture depends on but its size.
            let kind = UInt64.random(in: 0...3, using: &self)
            part.draw = flip() ? draw() : nil
            if part.draw == nil {
                var generator = SeededGenerator(seed: kind)
                part.draw = generator.draw()
                part.key = ContentKey(kind)
            }
        }
        return part
    }

    private mutating func draw() -> DisplayTask<BitmapRenderer>.Draw {
        let first = Color(red: number(0...1), green: number(0...1), blue: number(0...1), alpha: number(0...1))
        let second = Color(red: number(0...1), green: number(0...1), blue: number(0...1))
        let radius = number(0...8)
        return { context, scope in
            let gradient = LinearGradient(from: .zero, first, to: Point(x: 9, y: 14), second)
            context.fill(scope.bounds, cornerRadius: radius, with: .linearGradient(gradient))
            context.draw("gå", baseline: Point(x: 1, y: 9), font: StrokeFont(size: 10), color: second)
        }
    }
}
