extension AsyncLayer {
    /// Puts a layer on top of this one's sublayers; it leaves the layer that it was in.
    ///
    /// The tree says what is suspended together, displayed as a group, and drawn into one picture. A layer
    /// keeps its sublayers alive. A layer that would come to lie within itself is refused: nothing happens.
    ///
    /// O(depth of the tree).
    public func addSublayer(_ layer: AsyncLayer<R>) {
        guard !isWithin(layer) else { return }
        layer.removeFromSuperlayer()
        sublayers.append(layer)
        layer.superlayer = self
        layer.updateSuspension()
    }

    /// Takes the layer out of the one that it is in; does nothing if it is in none. O(sublayers), but O(1) for the
    /// topmost one.
    public func removeFromSuperlayer() {
        guard let superlayer else { return }
        if superlayer.sublayers.last === self {
            superlayer.sublayers.removeLast()
        } else if let index = superlayer.sublayers.firstIndex(where: { $0 === self }) {
            superlayer.sublayers.remove(at: index)
        }
        self.superlayer = nil
        updateSuspension()
    }

    /// Whether the layer is another one, or lies below it. O(depth of the tree).
    func isWithin(_ layer: AsyncLayer<R>) -> Bool {
        var next: AsyncLayer<R>? = self
        while let current = next {
            if current === layer { return true }
            next = current.superlayer
        }
        return false
    }

    // MARK: Suspending

    /// Draws nothing in this layer, nor in those below it, until ``resume()``: for what is hidden or off the
    /// window.
    ///
    /// Passes in flight end as `.cancelled`. What is asked for meanwhile is remembered, and displayed once on
    /// resume, with the state of that time. The contents stay. Suspending twice is suspending once.
    public func suspend() {
        pipeline.suspendsItself = true
        updateSuspension()
    }

    /// Ends ``suspend()``: at the end of the turn the layers that were stopped, or asked to display meanwhile,
    /// do so. A layer below another that is suspended stays so.
    public func resume() {
        pipeline.suspendsItself = false
        updateSuspension()
    }

    /// Suspends or resumes the layer and those below it, as their superlayers are by now.
    ///
    /// A list and not the stack leads through the tree. Whoever hears of a suspension may change the tree, so each
    /// layer's state is looked up when its turn comes; where it has not changed, neither has it below.
    func updateSuspension() {
        var waiting = [self]
        while let layer = waiting.popLast() {
            let isSuspended = layer.pipeline.suspendsItself || layer.superlayer?.isSuspended == true
            guard isSuspended != layer.isSuspended else { continue }
            if isSuspended { layer.pipeline.suspend() } else { layer.pipeline.resume() }
            waiting += layer.sublayers.reversed()
        }
    }
}
