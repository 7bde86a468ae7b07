public import QueuePools

/// One display pass, as a layer's delegate describes it: what to draw, and whom to tell.
///
/// The closures are released on the main actor, when the pass has ended; the draw closure of a pass that is
/// cancelled before it started is released at that moment. So objects that must die on the main thread may be
/// captured.
public struct DisplayTask<R: Renderer>: Sendable {
    /// Draws into a context, in points. Runs on a pool thread, or on the main actor when the layer displays
    /// synchronously. What it throws becomes the pass's `.failed` outcome.
    public typealias Draw = @Sendable (_ context: R.Context, _ scope: DrawScope) throws -> Void

    /// What the picture shows, by value. A pass whose key is that of the picture on show, at the same size,
    /// scale, opacity and background, draws nothing; nor does one whose picture is in the layer's
    /// ``ContentsCache``. Default: nil, which is always drawn.
    public var key: ContentKey?

    /// Where the pass draws. It can be changed while the pass waits (``AsyncLayer/move(to:)``). Default:
    /// userInitiated.
    public var tier: QoSTier

    /// What the layer shows until the picture is there, if it shows nothing else (see also
    /// ``AsyncLayer/showsPlaceholderOverContents``). Default: nil.
    public var placeholder: R.Contents? {
        get { placeholderPicture?.whole(R.Contents.self) }
        set { placeholderPicture = newValue.map { WholePicture($0) } }
    }

    /// Called on the main actor when the pass begins, before the layer's properties are read.
    public var willDisplay: (@MainActor @Sendable () -> Void)?

    /// What to draw; nil empties the layer.
    public var draw: Draw?

    /// Called on the main actor when the pass has ended, exactly once, after the contents were set.
    public var didDisplay: (@MainActor @Sendable (DisplayOutcome) -> Void)?

    // Not the contents themselves: a task whose size does not depend on the renderer is passed on without its
    // type being looked up.
    private(set) var placeholderPicture: Picture?

    /// Describes a pass; by default it has no key, and nobody is told of its beginning and end.
    public init(
        tier: QoSTier = .userInitiated, placeholder: R.Contents? = nil,
        willDisplay: (@MainActor @Sendable () -> Void)? = nil,
        didDisplay: (@MainActor @Sendable (DisplayOutcome) -> Void)? = nil,
        draw: Draw?
    ) {
        self.tier = tier
        self.willDisplay = willDisplay
        self.draw = draw
        self.didDisplay = didDisplay
        self.placeholder = placeholder
    }

    /// Describes a pass whose picture shows what a value stands for (see ``key``).
    public init(
        key: some Hashable & Sendable, tier: QoSTier = .userInitiated, placeholder: R.Contents? = nil,
        willDisplay: (@MainActor @Sendable () -> Void)? = nil,
        didDisplay: (@MainActor @Sendable (DisplayOutcome) -> Void)? = nil,
        draw: Draw?
    ) {
        self.init(
            tier: tier, placeholder: placeholder, willDisplay: willDisplay, didDisplay: didDisplay, draw: draw
        )
        self.key = ContentKey(key)
    }
}
