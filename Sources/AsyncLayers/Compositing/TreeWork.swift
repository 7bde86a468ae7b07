/// Draws a tree of layers into one picture, or into its tiles one after the other.
final class TreeWork<R: CompositingRenderer>: RendererWork<R>, @unchecked Sendable {
    private let tree: LayerTree<R>
    private let plan: LayerTreePlan
    // The drawing thread's. Empty before and after.
    private var row: (top: Int, plan: LayerTreePlan)?
    private var kept: [Int: R.Contents] = [:]

    init(_ tree: LayerTree<R>, _ plan: LayerTreePlan) {
        (self.tree, self.plan) = (tree, plan)
    }

    /// Performs the steps of the plan. A layer's contents are released once they are drawn into the whole,
    /// or, if several tiles show them, into the last.
    ///
    /// - Parameter scope: the root's. Checked for cancellation before each step.
    /// - Throws: `CancellationError` then, or what the renderer or a draw closure threw.
    override func contents(
        of tile: ContextDescription, _ scope: DrawScope, background: Color?, _ fillsBackground: Bool,
        _ renderer: R
    ) throws -> R.Contents {
        do {
            let contents = try draw(tile, scope, renderer)
            kept = kept.filter { node, _ in !(plan.kept[node].map(tile.frame.isLast) ?? true) }
            if tile.frame.isLast(of: plan.picture.frame) { row = nil }
            return contents
        } catch {
            (kept, row) = ([:], nil)
            throw error
        }
    }

    private func draw(_ tile: ContextDescription, _ scope: DrawScope, _ renderer: R) throws -> R.Contents {
        let root = tree.nodes[0]
        var contexts = [
            try renderer.makeContext(tile, background: root.backgroundColor, root.fillsBackground)
        ]
        if row?.top != tile.pixelOriginY { row = (tile.pixelOriginY, plan.row(of: tile)) }
        for step in row?.plan.steps(in: tile) ?? [] {
            try scope.checkCancellation()
            switch step {
            case .root:
                try root.draw?(contexts[0], scope)
            case .picture(let node, let description, let placement):
                let contents = try picture(of: node, description, scope, renderer)
                try renderer.draw(contents, into: contexts[contexts.count - 1], placed: placement)
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

    private func picture(
        of index: Int, _ description: ContextDescription, _ scope: DrawScope, _ renderer: R
    ) throws -> R.Contents {
        if let contents = kept[index] { return contents }
        let node = tree.nodes[index]
        let context = try renderer.makeContext(
            description, background: node.backgroundColor, node.fillsBackground)
        try node.draw?(
            context,
            DrawScope(size: node.size, scale: node.scale, isOpaque: node.isOpaque, sentinel: scope.sentinel))
        // The closure may not have checked, and what it drew need not be placed.
        try scope.checkCancellation()
        let contents = try renderer.makeContents(from: context)
        if plan.kept[index] != nil { kept[index] = contents }
        return contents
    }
}

extension Rect {
    /// Whether no later tile lies in a rectangle.
    fileprivate func isLast(of rect: Rect) -> Bool { maxX >= rect.maxX && maxY >= rect.maxY }
}
