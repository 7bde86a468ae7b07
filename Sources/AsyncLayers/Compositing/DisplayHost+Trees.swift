import Transactions

/// Trees of which layers are asked to display in a flush are displayed at its end, each once, so that the main actor asks
/// and plans a tree once a turn and not once for each of its layers.
extension DisplayHost {
    /// Whether a display can wait for the end of a flush. What callbacks of the trees themselves ask for cannot: it belongs
    /// to the next turn.
    var canGatherTrees: Bool { transactions.isFlushing && !isDisplayingTrees }

    /// Displays a tree at the end of the flush, for itself or for one of its layers.
    func display(_ tree: DisplayPipeline, for layer: DisplayPipeline) {
        tree.markNeedsDisplay()
        // Taken back by a cancellation, or by a pass of its own, should it leave the tree before the turn ends.
        layer.markNeedsDisplay()
        askedInTrees.append((layer, tree))
        if askedInTrees.count == 1 { transactions.atEndOfFlush { [self] in displayTrees() } }
    }

    /// Displays the trees, then the layers that have left them meanwhile.
    func displayTrees() {
        let asked = askedInTrees
        guard !asked.isEmpty, !isDisplayingTrees else { return }
        (askedInTrees, isDisplayingTrees) = ([], true)
        // As a flush, so that the turn waits once for all that have a deadline.
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
