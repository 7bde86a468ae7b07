/// Draws a tree of layers into one picture, or into a tile of it, on whatever thread runs it.
struct LayerTreeDrawing<R: CompositingRenderer>: Sendable {
    let renderer: R
    let tree: LayerTree<R>
    let plan: LayerTreePlan

    /// Does the steps of the plan, one after the other. What a layer became is released as soon as it is
    /// drawn into the whole.
    ///
    /// - Parameter scope: The root's. It is asked before each step whether the picture is still wanted; the
    ///   layers' own closures can ask it too.
    /// - Throws: `CancellationError` when it is not, or what the renderer or a draw closure threw.
    func run(scope: DrawScope) throws -> R.Contents {
        let root = tree.nodes[0]
        var contexts = [try renderer.makeContext(plan.picture)]
        if root.fillsBackground {
            renderer.fillBackground(of: contexts[0], isOpaque: root.isOpaque, color: root.backgroundColor)
        }
        for step in plan.steps {
            try scope.checkCancellation()
            switch step {
            case .root:
                try root.draw?(contexts[0], scope)
            case .picture(let index, let description, let placement):
                try draw(index, description, into: contexts[contexts.count - 1], placement, scope)
            case .beginGroup(let description):
                contexts.append(try renderer.makeContext(description))
            case .endGroup(let placement):
                let contents = try renderer.makeContents(from: contexts.removeLast())
                try renderer.draw(contents, into: contexts[contexts.count - 1], placed: placement)
            }
        }
        try scope.checkCancellation()
        return try renderer.makeContents(from: contexts[0])
    }

    private func draw(
        _ index: Int, _ description: ContextDescription, into whole: R.Context,
        _ placement: ContentsPlacement, _ scope: DrawScope
    ) throws {
        let node = tree.nodes[index]
        let context = try renderer.makeContext(description)
        if node.fillsBackground {
            renderer.fillBackground(of: context, isOpaque: node.isOpaque, color: node.backgroundColor)
        }
        try node.draw?(context, scope.of(node))
        // Whether or not the closure looked: what it made of a stale layer need not be placed.
        try scope.checkCancellation()
        try renderer.draw(try renderer.makeContents(from: context), into: whole, placed: placement)
    }
}

extension DrawScope {
    /// The scope of a layer that is drawn as a part of this one.
    fileprivate func of<R>(_ node: LayerTreeNode<R>) -> DrawScope {
        DrawScope(size: node.size, scale: node.scale, isOpaque: node.isOpaque, ticket: ticket)
    }
}
