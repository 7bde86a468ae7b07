/// A layer that is drawn with all below it, as its pass sees them.
@MainActor
struct ComposedLayers<R: Renderer> {
    /// The layers below, each behind its parent; none that is hidden or suspended, nor what lies in them.
    private(set) var parts: [(layer: AsyncLayer<R>, task: DisplayTask<R>?, parent: Int)] = []

    /// Asks the layers below one for their tasks, and tells them that a pass begins. A list and not the stack
    /// leads back, so that a deep tree overflows nothing.
    init(below root: AsyncLayer<R>) {
        var waiting = root.sublayers.map { (layer: $0, parent: 0) }
        var next = 0
        while next < waiting.count {
            let (layer, parent) = waiting[next]
            next += 1
            guard !layer.isSuspended, !layer.placement.isHidden else { continue }
            parts.append((layer, layer.pipeline.beginPart(layer), parent))
            let index = parts.count
            waiting += layer.sublayers.map { ($0, index) }
        }
    }

    func didDisplay(_ outcome: DisplayOutcome) {
        for part in parts { part.task?.didDisplay?(outcome) }
    }

    /// The tree as it is now.
    func tree(root: AsyncLayer<R>, _ task: DisplayTask<R>?) -> LayerTree<R> {
        var tree = LayerTree(root: LayerTreeNode(root, task))
        for part in parts { tree.append(LayerTreeNode(part.layer, part.task), to: part.parent) }
        return tree
    }
}

extension LayerTreeNode {
    @MainActor
    fileprivate init(_ layer: AsyncLayer<R>, _ task: DisplayTask<R>?) {
        self.init(size: layer.bounds.size, draw: task?.draw)
        scale = layer.contentsScale
        isOpaque = layer.isOpaque
        backgroundColor = layer.backgroundColor
        placement = layer.placement
    }
}

extension DisplayPipeline {
    /// The layer is drawn as a part of another one's picture: what it was asked to do itself is done so.
    fileprivate func beginPart(_ layer: AsyncLayer<R>) -> DisplayTask<R>? {
        if !machine.isIdle { cancel() }
        takeMark()
        let task = layer.delegate?.displayTask(for: layer)
        task?.willDisplay?()
        return task
    }
}
