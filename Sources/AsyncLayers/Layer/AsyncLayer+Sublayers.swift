extension AsyncLayer {
    /// Puts a layer on top of this one's sublayers, out of the layer that it was in.
    ///
    /// The tree determines what is suspended together, displayed as a group, and drawn into one picture. A
    /// layer retains its sublayers. Does nothing if the layer would lie within itself.
    ///
    /// O(depth of the tree).
    public func addSublayer(_ layer: AsyncLayer<R>) {
        guard !isWithin(layer) else { return }
        layer.removeFromSuperlayer()
        sublayers.append(layer)
        layer.superlayer = self
        layer.updateSuspension()
    }

    /// Takes the layer out of its superlayer, if it has one. O(sublayers), but O(1) for the topmost one.
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

    /// Draws nothing in this layer and those below it until ``resume()``: for what is hidden or off the
    /// window.
    ///
    /// Passes in flight end as `.cancelled`. Requests are remembered, and displayed once on resume, with the
    /// state of that time. The contents stay. Calls do not nest.
    public func suspend() {
        pipeline.suspendsItself = true
        updateSuspension()
    }

    /// Ends ``suspend()``: the layers that were stopped, or asked to display meanwhile, display at the end of
    /// the turn. A layer below another that is suspended stays so.
    public func resume() {
        pipeline.suspendsItself = false
        updateSuspension()
    }

    /// Suspends or resumes the layer and those below it, as their superlayers are now.
    ///
    /// Iterative, so that a deep tree overflows no stack. Callbacks of a suspension may change the tree, so
    /// each layer's state is read when its turn comes; where it has not changed, neither has it below.
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
