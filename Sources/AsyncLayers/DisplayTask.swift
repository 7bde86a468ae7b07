/// One display pass, as a layer's delegate describes it: what to draw, and whom to tell.
///
/// The closures are released on the main actor, when the pass has ended; the draw closure of a pass that is
/// cancelled before it started is released at that moment. So objects that must die on the main thread may be
/// captured.
public struct DisplayTask<R: Renderer>: Sendable {
    /// Draws into a context, in points. Runs on a pool thread, or on the main actor when the layer displays
    /// synchronously. What it throws becomes the pass's `.failed` outcome.
    public typealias Draw = @Sendable (_ context: R.Context, _ scope: DrawScope) throws -> Void

    /// Called on the main actor when the pass begins, before the layer's properties are read.
    public var willDisplay: (@MainActor @Sendable () -> Void)?

    /// What to draw; nil empties the layer.
    public var draw: Draw?

    /// Called on the main actor when the pass has ended, exactly once, after the contents were set.
    public var didDisplay: (@MainActor @Sendable (DisplayOutcome) -> Void)?

    /// Describes a pass; by default nobody is told of its beginning and end.
    public init(
        willDisplay: (@MainActor @Sendable () -> Void)? = nil,
        didDisplay: (@MainActor @Sendable (DisplayOutcome) -> Void)? = nil,
        draw: Draw?
    ) {
        self.willDisplay = willDisplay
        self.draw = draw
        self.didDisplay = didDisplay
    }
}
