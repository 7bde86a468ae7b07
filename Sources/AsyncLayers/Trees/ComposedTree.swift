/// A layer that is drawn with all below it, as its pass begins.
@MainActor
final class ComposedTree<R: Renderer>: ComposedLayers {
    private let root: AsyncLayer<R>
    private let rootDraw: DisplayTask<R>.Draw?
    private let composer: LayerTreeComposer<R>
    private(set) var isComplete = true
    /// The layers below, each behind its parent; none that is hidden or suspended, nor what lies in them.
    private var layers: [(layer: AsyncLayer<R>, task: DisplayTask<R>?, parent: Int)] = []

    /// Asks the layers below one for their tasks, and tells them that a pass begins. A list and not the stack
    /// leads back, so that a deep tree overflows nothing.
    init(root: AsyncLayer<R>, _ rootDraw: DisplayTask<R>.Draw?, _ composer: LayerTreeComposer<R>) {
        self.root = root
        self.rootDraw = rootDraw
        self.composer = composer
        var waiting = root.sublayers.map { (layer: $0, parent: 0) }
        var next = 0
        while next < waiting.count {
            let (layer, parent) = waiting[next]
            next += 1
            guard !layer.placement.isHidden else { continue }
            guard !layer.isSuspended else {
                // On resume it asks to be drawn.
                layer.pipeline.leaveMark()
                isComplete = false
                continue
            }
            layers.append((layer, Self.beginPart(layer), parent))
            let index = layers.count
            waiting += layer.sublayers.map { ($0, index) }
        }
    }

    private static func beginPart(_ layer: AsyncLayer<R>) -> DisplayTask<R>? {
        layer.pipeline.becomePart()
        let task = layer.delegate?.displayTask(for: layer)
        task?.willDisplay?()
        return task
    }

    var parts: [ComposedPart] {
        layers.map { ComposedPart(pipeline: $0.layer.pipeline, didDisplay: $0.task?.didDisplay) }
    }

    func plan(
        _ contexts: [ContextDescription], byteLimit: Int
    ) throws -> (work: DrawWork, peakByteCount: Int) {
        var tree = LayerTree(root: LayerTreeNode(root, rootDraw))
        for (layer, task, parent) in layers { tree.append(LayerTreeNode(layer, task?.draw), to: parent) }
        let renderer = unsafeDowncast(root.pipeline.renderer, to: KnownRenderer<R>.self).renderer
        return try composer.plan(tree, renderer, contexts, byteLimit)
    }
}

extension LayerTreeNode {
    @MainActor
    fileprivate init(_ layer: AsyncLayer<R>, _ draw: DisplayTask<R>.Draw?) {
        self.init(size: layer.bounds.size, draw: draw)
        scale = layer.contentsScale
        isOpaque = layer.isOpaque
        backgroundColor = layer.backgroundColor
        placement = layer.placement
    }
}
