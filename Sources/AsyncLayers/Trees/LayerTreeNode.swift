/// What one layer of a tree looked like when the pass began.
struct LayerTreeNode<R: Renderer>: Sendable {
    /// In points.
    var size: Size
    /// Pixels per point of the layer's own picture; it is interpolated where the whole has another scale.
    var scale = 1.0
    var isOpaque = false
    var backgroundColor: Color?
    /// Draws the layer's own picture; nil for a layer that only holds others.
    var draw: DisplayTask<R>.Draw?

    /// Where the top left corner lies in the parent's coordinates while there is no transform, in points.
    var origin = Point.zero
    /// What the transform turns about, in shares of the size.
    var anchor = Point(x: 0.5, y: 0.5)
    var transform = LayerTransform.identity
    /// Of the layer with all that it holds, as one; clamped to 0…1, NaN reads as 0.
    var opacity = 1.0
    /// Cuts the layer and all that it holds to its bounds.
    var masksToBounds = false
    /// Of the bounds that the layer masks to, in points.
    var cornerRadius = 0.0
    /// Layers of one parent are drawn from the smallest to the largest; NaN reads as 0.
    var zPosition = 0.0
    var isHidden = false

    init(size: Size, draw: DisplayTask<R>.Draw? = nil) {
        self.size = size
        self.draw = draw
    }

    /// From the layer's own points to its parent's.
    var toParent: LayerTransform {
        // Without a transform the anchor is not reckoned with: it would only add its rounding.
        guard transform != .identity else { return .translation(x: origin.x, y: origin.y) }
        let anchor = Point(x: anchor.x * size.width, y: anchor.y * size.height)
        return LayerTransform.translation(x: -anchor.x, y: -anchor.y).concatenating(transform)
            .concatenating(.translation(x: origin.x + anchor.x, y: origin.y + anchor.y))
    }

    /// The opacity from 0 to 1.
    var visibleOpacity: Double { opacity > 0 ? min(opacity, 1) : 0 }

    /// What the layer is cut to, if it is, in the coordinates of the whole picture.
    func mask(toRoot: LayerTransform) -> ContentsPlacement.Clip? {
        guard masksToBounds else { return nil }
        return ContentsPlacement.Clip(Rect(size: size), cornerRadius: cornerRadius, transform: toRoot)
    }
}

/// A tree of layers as it was when the pass began: a value, so that it can be drawn on any thread.
///
/// The nodes lie in one array, each behind its parent, and not in each other: so a deep tree overflows no
/// stack, neither when it is walked nor when it is released.
struct LayerTree<R: Renderer>: Sendable {
    /// The root first.
    private(set) var nodes: [LayerTreeNode<R>]
    /// For each node, those that lie in it, in the order in which they were appended.
    private(set) var children: [[Int]] = [[]]

    /// A tree of one layer. Of the root, place, transform, opacity, order and hiding are not looked at: they
    /// say how the picture is shown, and not what it is.
    init(root: LayerTreeNode<R>) {
        nodes = [root]
    }

    /// Puts a layer into another one, above those that are there, and returns its index.
    @discardableResult
    mutating func append(_ node: LayerTreeNode<R>, to parent: Int = 0) -> Int {
        nodes.append(node)
        children.append([])
        children[parent].append(nodes.count - 1)
        return nodes.count - 1
    }

    /// The layers within a layer, from the lowest to the topmost.
    func childrenInOrder(of index: Int) -> [Int] {
        func height(_ index: Int) -> Double { nodes[index].zPosition.isNaN ? 0 : nodes[index].zPosition }
        return children[index].sorted { (height($0), $0) < (height($1), $1) }
    }
}
