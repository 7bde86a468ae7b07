extension AsyncLayer {
    /// True while nothing is drawn (``suspend()``).
    public var isSuspended: Bool { pipeline.isSuspended }

    /// Draws nothing until ``resume()``: for what is hidden or off the window.
    ///
    /// Passes in flight end as `.cancelled`. Requests are remembered, and displayed once on resume, with the
    /// state of that time. The contents stay. Calls do not nest.
    public func suspend() { pipeline.host.enter { pipeline.suspend() } }

    /// Ends ``suspend()``: if the layer was stopped, or asked to display meanwhile, it displays at the end of
    /// the turn.
    public func resume() { pipeline.host.enter { pipeline.resume() } }
}
