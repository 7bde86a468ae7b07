import BitmapRendering
import TestSupport

@testable import AsyncLayers

extension SeededGenerator {
    /// A tree of up to five levels, in which everything that a layer can be occurs.
    mutating func tree(extent: Double) -> LayerTree<BitmapRenderer> {
        var root = node(extent: extent)
        root.size = Size(width: extent, height: extent * 0.75)
        var tree = LayerTree(root: root)
        append(to: 0, of: &tree, level: 2, extent: extent)
        return tree
    }

    private mutating func append(
        to parent: Int, of tree: inout LayerTree<BitmapRenderer>, level: Int, extent: Double
    ) {
        guard level <= 5 else { return }
        for _ in 0..<Int.random(in: level == 2 ? 1...4 : 0...2, using: &self) {
            let index = tree.append(node(extent: extent), to: parent)
            append(to: index, of: &tree, level: level + 1, extent: extent * 0.8)
        }
    }

    private mutating func node(extent: Double) -> LayerTreeNode<BitmapRenderer> {
        let isFractional = flip()
        func side(_ generator: inout SeededGenerator, _ range: ClosedRange<Double>) -> Double {
            let side = generator.number(range)
            return isFractional ? side : side.rounded()
        }
        var node = LayerTreeNode<BitmapRenderer>(
            size: Size(width: side(&self, 0...extent), height: side(&self, 0...extent)))
        node.scale = choose([1, 2, 1.5])
        node.isOpaque = number(0...1) < 0.3
        node.backgroundColor = choose([nil, Color(red: 0.2, green: 0.5, blue: 0.9, alpha: 0.6), .black])
        node.origin = Point(x: side(&self, -9...extent * 0.7), y: side(&self, -9...extent * 0.7))
        node.anchor = choose([Point(x: 0.5, y: 0.5), .zero, Point(x: 1, y: 0.3)])
        if flip() {
            node.transform = choose([
                .rotation(number(-4...4)), .rotation(.pi / 2), .scale(x: -1, y: 1),
                .scale(x: 0.5, y: 2), LayerTransform(a: 1, b: 0.2, c: -0.5, d: 0.9, tx: 1, ty: 2),
                .scale(x: 0, y: 1),
            ])
        }
        node.opacity = choose([1, 1, 1, 0.5, 0.8, 0, .nan, 7])
        node.masksToBounds = number(0...1) < 0.4
        node.cornerRadius = choose([0, 0, 4, 100])
        node.zPosition = choose([0, 0, 1, -1, .nan])
        node.isHidden = number(0...1) < 0.08
        if number(0...1) < 0.85 { node.draw = draw() }
        return node
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
