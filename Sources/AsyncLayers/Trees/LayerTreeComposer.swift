/// Knows how to draw a tree into one picture; made where the renderer is known to be able to.
struct LayerTreeComposer<R: Renderer> {
    /// Plans the drawing of a tree into some contexts, of which none may take more than the limit.
    ///
    /// - Returns: the drawing, and the most bytes of contexts and contents that are alive at once.
    let plan:
        (LayerTree<R>, R, [ContextDescription], _ byteLimit: Int) throws -> (
            work: DrawWork, peakByteCount: Int
        )
}

extension LayerTreeComposer where R: CompositingRenderer {
    init() {
        plan = { try Self.plan($0, $1, $2, byteLimit: $3) }
    }

    private static func plan(
        _ tree: LayerTree<R>, _ renderer: R, _ contexts: [ContextDescription], byteLimit: Int
    ) throws -> (work: DrawWork, peakByteCount: Int) {
        let drawings = try contexts.map { context in
            let plan = try LayerTreePlan(tree, picture: context, byteLimit: byteLimit) {
                renderer.byteCount(of: $0)
            }
            return LayerTreeDrawing(renderer: renderer, tree: tree, plan: plan)
        }
        let work = TreeWork<R> { context, scope in
            guard let drawing = drawings.first(where: { $0.plan.picture == context }) else {
                throw CancellationError()
            }
            return try drawing.run(scope: scope)
        }
        return (work, drawings.map(\.plan.peakByteCount).max() ?? 0)
    }
}

extension AsyncLayer where R: CompositingRenderer {
    /// True draws this layer and all below it into one picture, this layer's ``contents``, off the main
    /// thread: fewer pictures to hold and to put on the screen. Default: false.
    ///
    /// The picture is the one that comes of drawing each layer by itself and compositing them one by one, each
    /// over what is below it, by its ``placement``. A pass asks the delegates of all layers in the tree for
    /// their tasks, and all get its outcome. A layer within the tree that is asked to display has the whole
    /// picture drawn anew; what it showed by itself before stays its contents, which a host does not show, until
    /// it is displayed by itself again. Hidden and suspended ones are left out. A key of this layer's task stands
    /// for the whole tree.
    public var drawsSublayers: Bool {
        get { composer != nil }
        set {
            composer = newValue ? LayerTreeComposer() : nil
            pipeline.drawsSublayers = newValue
        }
    }
}

extension AsyncLayer {
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
