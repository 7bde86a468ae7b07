import Transactions

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
            let isWithin = asked.map { layer, tree in layer !== tree && layer.composing === tree }
            for (index, (layer, _)) in asked.enumerated() where isWithin[index] { layer.clearNeedsDisplay() }
            for (_, tree) in asked where begun.insert(ObjectIdentifier(tree)).inserted {
                tree.displayIfNeeded()
            }
            for (index, (layer, tree)) in asked.enumerated() where layer !== tree && layer.composing !== tree
            {
                if isWithin[index] { layer.markNeedsDisplay() }
                layer.displayIfNeeded()
            }
            isDisplayingTrees = false
        }
    }
}
