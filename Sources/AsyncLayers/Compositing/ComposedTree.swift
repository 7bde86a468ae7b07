import Transactions

/// A layer that is drawn with all below it, as its pass begins.
@MainActor
final class ComposedTree<R: Renderer>: ComposedLayers {
    private let root: AsyncLayer<R>
    private let rootDraw: DisplayTask<R>.Draw?
    private let composer: AsyncLayer<R>.Composer
    private(set) var isComplete = true
    /// The layers below, each behind its parent, without those that are hidden or suspended.
    private var layers: [(layer: AsyncLayer<R>, task: DisplayTask<R>?, parent: Int)] = []

    private var entered: Set<ObjectIdentifier> = []
    private let changeCount = DisplayPipeline.treeChangeCount

    /// Requests the tasks of the layers below one, and calls their `willDisplay`. Iterative, so that a deep
    /// tree overflows no stack.
    ///
    /// These callbacks may change the tree, so a layer is checked when its turn comes, and again when its own
    /// passes have ended: one that has left is not asked, and its own display is not changed.
    init(root: AsyncLayer<R>, _ rootDraw: DisplayTask<R>.Draw?, _ composer: @escaping AsyncLayer<R>.Composer)
    {
        (self.root, self.rootDraw, self.composer) = (root, rootDraw, composer)
        var waiting = FIFO<(layer: AsyncLayer<R>, parent: Int)>()
        var listed: UInt64
        repeat {
            // Again if callbacks have moved a layer into one whose sublayers were listed before.
            listed = DisplayPipeline.treeChangeCount
            for (index, layer) in ([root] + layers.map(\.layer)).enumerated() {
                for sublayer in layer.sublayers { waiting.append((sublayer, index)) }
            }
            while let (layer, parent) = waiting.popFirst() {
                guard isWanted(layer, in: parent) else { continue }
                let isAsked = layer.pipeline.becomePart()
                guard isWanted(layer, in: parent) else {
                    if isAsked, !layer.isWithin(root) || layer.isSuspended { layer.setNeedsDisplay() }
                    continue
                }
                entered.insert(ObjectIdentifier(layer))
                let task = layer.delegate?.displayTask(for: layer)
                task?.willDisplay?()
                layers.append((layer, task, parent))
                for sublayer in layer.sublayers { waiting.append((sublayer, layers.count)) }
            }
        } while listed != DisplayPipeline.treeChangeCount
    }

    /// Whether a layer is drawn where it was found; one that is suspended is left out, and the picture is
    /// drawn again on resume.
    private func isWanted(_ layer: AsyncLayer<R>, in parent: Int) -> Bool {
        guard isInPlace(layer, in: parent), !layer.placement.isHidden else { return false }
        guard layer.isSuspended else { return true }
        layer.pipeline.suspension = .leftOut
        isComplete = false
        return false
    }

    /// Whether a layer still lies where it was found, within the root, and was not asked at another place.
    ///
    /// The way up is checked only if a tree has changed since: it would cost the square of a tree's depth.
    private func isInPlace(_ layer: AsyncLayer<R>, in parent: Int) -> Bool {
        guard DisplayPipeline.treeChangeCount != changeCount else { return true }
        let superlayer = parent == 0 ? root : layers[parent - 1].layer
        return layer.superlayer === superlayer && superlayer.isWithin(root)
            && !entered.contains(ObjectIdentifier(layer))
    }

    var parts: [ComposedPart] {
        layers.map { ComposedPart(pipeline: $0.layer.pipeline, didDisplay: $0.task?.didDisplay) }
    }

    private lazy var tree: LayerTree<R> = {
        var tree = LayerTree(root: LayerTreeNode(root, rootDraw))
        for (layer, task, parent) in layers { tree.append(LayerTreeNode(layer, task?.draw), to: parent) }
        return tree
    }()

    func plan(_ picture: ContextDescription) throws -> LayerTreePlan {
        try LayerTreePlan(tree, picture: picture)
    }

    func work(_ plan: LayerTreePlan) -> DrawWork { composer(tree, plan) }
}

extension LayerTreeNode {
    @MainActor
    fileprivate init(_ layer: AsyncLayer<R>, _ draw: DisplayTask<R>.Draw?) {
        self.init(size: layer.bounds.size, draw: draw)
        scale = layer.contentsScale
        isOpaque = layer.isOpaque
        backgroundColor = layer.backgroundColor
        fillsBackground = layer.fillsBackground
        oversizePolicy = layer.oversizePolicy
        placement = layer.placement
    }
}

extension AsyncLayer where R: CompositingRenderer {
    /// True draws this layer and all below it into one picture, this layer's ``contents``, off the main
    /// thread: fewer pictures to hold and to show. Default: false.
    ///
    /// The picture is that of drawing each layer by itself and compositing them one by one, each over what is
    /// below it, by its ``placement``. A pass asks the delegates of all layers in the tree for their tasks,
    /// and all receive its outcome. Displaying a layer within the tree draws the whole picture again, once at
    /// the end of the turn for all such layers; what it showed by itself before stays its contents, which a
    /// program does not show, until it is displayed by itself again. Hidden and suspended layers are left
    /// out. A key of this layer's task stands for the whole tree.
    public var drawsSublayers: Bool {
        get { composer != nil }
        set {
            composer = newValue ? { TreeWork($0, $1) } : nil
            pipeline.drawsSublayers = newValue
        }
    }
}

extension AsyncLayer {
    /// Makes the drawing of a tree, where the renderer is known to be a ``CompositingRenderer``.
    typealias Composer = (LayerTree<R>, LayerTreePlan) -> DrawWork

    /// The topmost layer above this one that draws its sublayers.
    var composingLayer: AsyncLayer<R>? {
        var found: AsyncLayer<R>?
        var next = superlayer
        while let layer = next {
            if layer.composer != nil { found = layer }
            next = layer.superlayer
        }
        return found
    }
}

/// Trees whose layers are displayed in a flush are displayed at its end, each once, so that the main actor
/// asks and plans a tree once a turn and not once for each of its layers.
extension DisplayHost {
    /// Whether a display can wait for the end of a flush. Requests from callbacks of the trees themselves
    /// cannot: they belong to the next turn.
    var canGatherTrees: Bool { transactions.isFlushing && !isDisplayingTrees }

    /// Displays a tree at the end of the flush, for itself or for one of its layers.
    func display(_ tree: DisplayPipeline, for layer: DisplayPipeline) {
        tree.markNeedsDisplay()
        // Withdrawn by a cancellation, or by a pass of its own if it leaves the tree before the turn ends.
        layer.markNeedsDisplay()
        askedInTrees.append((layer, tree))
        if askedInTrees.count == 1 { transactions.atEndOfFlush { [self] in displayTrees() } }
    }

    /// Displays the trees, then the layers that have left them meanwhile.
    func displayTrees() {
        let asked = askedInTrees
        guard !asked.isEmpty, !isDisplayingTrees else { return }
        (askedInTrees, isDisplayingTrees) = ([], true)
        // As a flush, so that the turn waits once for all deadlines.
        transactions.together {
            var begun: Set<ObjectIdentifier> = []
            let isWithin = asked.map { layer, tree in layer.servingTree === tree && tree.isDisplayNeeded }
            let cancellations = asked.map(\.layer.cancellations)
            for (index, (layer, _)) in asked.enumerated() where isWithin[index] { layer.clearNeedsDisplay() }
            for (_, tree) in asked where begun.insert(.init(tree)).inserted { tree.displayIfNeeded() }
            for (index, (layer, tree)) in asked.enumerated() where layer !== tree {
                let isWithdrawn = layer.cancellations != cancellations[index]
                if isWithin[index], layer.servingTree !== tree, !isWithdrawn { layer.markNeedsDisplay() }
                layer.displayIfNeeded()
            }
            isDisplayingTrees = false
        }
    }
}
