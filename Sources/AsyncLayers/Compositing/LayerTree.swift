/// One layer of a tree, as it was when the pass began.
@dynamicMemberLookup
struct LayerTreeNode<R: Renderer>: Sendable {
    /// In points.
    var size: Size
    /// Pixels per point of the layer's own picture, which is interpolated if the whole has another scale.
    var scale = 1.0
    var isOpaque = false
    var backgroundColor: Color?
    var fillsBackground = true
    /// Whether it may be drawn in parts if it is larger than a context may be.
    var oversizePolicy = OversizePolicy.fail
    /// Draws the layer's own picture; nil for a layer that only holds others.
    var draw: DisplayTask<R>.Draw?

    /// Where and how it lies in its parent.
    var placement = LayerPlacement()

    subscript<Value>(dynamicMember path: WritableKeyPath<LayerPlacement, Value>) -> Value {
        get { placement[keyPath: path] }
        set { placement[keyPath: path] = newValue }
    }

    init(size: Size, draw: DisplayTask<R>.Draw? = nil) {
        self.size = size
        self.draw = draw
    }

    /// From the layer's own points to its parent's.
    var toParent: LayerTransform {
        // Without a transform the anchor would only add its rounding.
        guard placement.transform != .identity else {
            return .translation(x: placement.origin.x, y: placement.origin.y)
        }
        let anchor = Point(x: placement.anchor.x * size.width, y: placement.anchor.y * size.height)
        return LayerTransform.translation(x: -anchor.x, y: -anchor.y).concatenating(placement.transform)
            .concatenating(
                .translation(x: placement.origin.x + anchor.x, y: placement.origin.y + anchor.y))
    }

    /// The opacity from 0 to 1.
    var visibleOpacity: Double { placement.opacity > 0 ? min(placement.opacity, 1) : 0 }

    /// What the layer is cut to, if it is, in the coordinates of the whole picture.
    func mask(toRoot: LayerTransform) -> ContentsPlacement.Clip? {
        guard placement.masksToBounds else { return nil }
        return ContentsPlacement.Clip(
            Rect(size: size), cornerRadius: placement.cornerRadius, transform: toRoot)
    }
}

/// A tree of layers as it was when the pass began, to be drawn on any thread.
///
/// The nodes lie in one array, each behind its parent, so that walking and releasing a deep tree overflow no
/// stack.
struct LayerTree<R: Renderer>: Sendable {
    /// The root first.
    private(set) var nodes: [LayerTreeNode<R>]
    /// For each node, those that lie in it, in the order in which they were appended.
    private(set) var children: [[Int]] = [[]]

    /// A tree of one layer. The root's place, transform, opacity, order and hiding are ignored: they
    /// determine how the picture is shown, not what it is.
    init(root: LayerTreeNode<R>) {
        nodes = [root]
    }

    /// Puts a layer into another one, above its other children, and returns its index.
    @discardableResult
    mutating func append(_ node: LayerTreeNode<R>, to parent: Int = 0) -> Int {
        nodes.append(node)
        children.append([])
        children[parent].append(nodes.count - 1)
        return nodes.count - 1
    }

    /// The layers within a layer, from the lowest to the topmost. O(n) if they are in order, otherwise O(n ·
    /// log n).
    func childrenInOrder(of index: Int) -> [Int] {
        func height(_ index: Int) -> Double {
            let height = nodes[index].placement.zPosition
            return height.isNaN ? 0 : height
        }
        let children = children[index]
        if zip(children, children.dropFirst()).allSatisfy({ height($0) <= height($1) }) { return children }
        return children.sorted { (height($0), $0) < (height($1), $1) }
    }
}
