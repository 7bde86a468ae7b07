public import QueuePools

/// Describes the passes of a layer: the layer asks for a task whenever it displays.
@MainActor
public protocol AsyncLayerDelegate<LayerRenderer>: AnyObject {
    /// What the layer draws with.
    associatedtype LayerRenderer: Renderer

    /// Returns what to draw; nil empties the layer. Called on the main actor, in ``AsyncLayer/display()``.
    func displayTask(for layer: AsyncLayer<LayerRenderer>) -> DisplayTask<LayerRenderer>?
}

/// A layer that draws off the main thread and shows the newest picture.
///
/// A layer is one picture, and holds no other layers: a tree of views is the program's or its toolkit's.
/// Where one picture has many parts, a task describes a ``Composition``.
///
///     let layer = AsyncLayer(renderer: BitmapRenderer())
///     layer.size = Size(width: 320, height: 44)
///     layer.delegate = cell
///     layer.setNeedsDisplay()  // at the end of the turn: cell.displayTask(for:), draw, contents
///
/// A pass goes from ``display()`` through the pool to ``contents``, which is what the renderer makes: a
/// picture. Always (`Docs/Semantics.md`): exactly one outcome per pass; never an older picture after a newer
/// one; stale work stops early; the old contents stay until the new ones are there. The idea is
/// YYAsyncLayer's (2015).
///
/// *Main-actor isolated*; ``setNeedsDisplay()`` is *thread-safe*. Setting a property does not display.
@MainActor
public final class AsyncLayer<R: Renderer> {
    /// In points. Default: zero, which shows nothing.
    public var size: Size {
        get { pipeline.properties.size }
        set { pipeline.properties.size = newValue }
    }

    /// Pixels per point, from the screen that the layer is on; display again when it changes. Default: 1.
    public var contentsScale: Double {
        get { pipeline.properties.contentsScale }
        set { pipeline.properties.contentsScale = newValue }
    }

    /// What lies under the drawing, and whether the layer is opaque. Default: ``Background/clear``.
    public var background: Background {
        get { pipeline.properties.background }
        set { pipeline.properties.background = newValue }
    }

    /// True draws on a pool thread; false draws on the main actor, in the call. Default: true.
    public var displaysAsynchronously: Bool {
        get { pipeline.properties.displaysAsynchronously }
        set { pipeline.properties.displaysAsynchronously = newValue }
    }

    /// The most bytes that a context may take; a pass that needs more fails. Default: 512 MiB.
    public var contextByteLimit: Int {
        get { pipeline.properties.options.contextByteLimit }
        set { pipeline.properties.options.contextByteLimit = newValue }
    }

    /// How long the main thread waits for a draw at the end of the turn, so that the picture appears without
    /// a frame of delay: never longer, and not at all if the layer's draws are known to take longer. It waits
    /// once for all layers that are displayed in one turn or group; ``display()`` outside of both waits
    /// before it returns. The draw is on the tier userInteractive. Default: nil, which does not wait; nor
    /// does zero or less.
    public var displayTimeLimit: Duration? {
        get { pipeline.properties.options.displayTimeLimit }
        set { pipeline.properties.options.displayTimeLimit = newValue.flatMap { $0 > .zero ? $0 : nil } }
    }

    /// The fraction of ``contentsScale``, such as 0.25, at which the layer is drawn first if it has shown
    /// nothing since it was made or stopped (``cancelDisplay()``), and more is requested than the workers can
    /// draw. The draft is shown, its pass ends as `.committed(isInterim: true)`, and the layer is displayed
    /// in full one tier lower. Sizes in points do not change; ``contentsGeometry`` has the picture's scale.
    /// Not for compositions, nor for layers that are in a group or drawn synchronously. Default:
    /// nil, no drafts; nor are there with what is not between 0 and 1.
    public var draft: Double? {
        get { pipeline.properties.options.draft }
        set { pipeline.properties.options.draft = newValue.flatMap { $0 > 0 && $0 < 1 ? $0 : nil } }
    }

    /// Called on the main actor when the layer shows something else, before `onEnd`; for cross-fades.
    /// Default: nil.
    public var onContentsChange: (@MainActor (ContentsTransition<R.Contents>) -> Void)? {
        didSet {
            // The pipeline reports changes only if there is a closure for them.
            guard let onContentsChange else { return pipeline.onContentsChange = nil }
            pipeline.onContentsChange = { [releases = pipeline.host.releases] picture, formerFacts, facts in
                onContentsChange(
                    ContentsTransition(from: picture, formerFacts, to: facts, releases: releases))
            }
        }
    }

    /// Describes what to draw. Not retained; without one a display empties the layer.
    @exclusivity(unchecked) public weak var delegate: (any AsyncLayerDelegate<R>)?

    /// What the layer shows: the newest picture committed or a placeholder; nil for nothing.
    public var contents: R.Contents? {
        pipeline.display.picture?.contents(R.Contents.self)
    }

    /// True while ``contents`` is a placeholder.
    public var showsPlaceholder: Bool { pipeline.display.facts.isPlaceholder }

    /// The size and scale of the picture on show; nil while the layer shows nothing.
    /// ``ContentsGeometry/frame(in:_:)`` places it in a layer whose size has changed.
    public var contentsGeometry: ContentsGeometry? {
        pipeline.display.isEmpty ? nil : pipeline.display.facts.geometry
    }

    /// When the picture on show appeared, by the host's clock; nil while the layer shows nothing.
    public var shownAt: Duration? { pipeline.display.isEmpty ? nil : pipeline.display.facts.shownAt }

    /// Whether a thread draws its newest pass.
    package var isBeingDrawn: Bool { pipeline.machine.current?.isBeingDrawn == true }

    nonisolated let pipeline: DisplayPipeline

    /// Makes an empty layer.
    ///
    /// - Parameters:
    ///   - renderer: makes contexts and pictures.
    ///   - host: where passes draw and when ``setNeedsDisplay()`` takes effect. Default: the process's pool,
    ///     the end of the main loop's turn.
    ///   - cache: of pictures whose tasks have a key. Default: none.
    public init(renderer: R, host: DisplayHost = .main, cache: ContentsCache<R>? = nil) {
        pipeline = RendererPipeline(renderer, host: host, cache: cache?.pictures)
        pipeline.request.reference = LayerReference(self)
    }

    deinit {
        // The last reference may be released on any thread.
        pipeline.host.loop.perform { [pipeline] in
            pipeline.host.runFromLoop { pipeline.host.enter { pipeline.layerIsGone() } }
        }
    }

    /// Displays at the end of the main loop's turn, once for any number of calls.
    ///
    /// *Thread-safe*, O(1). Does not retain the layer.
    public nonisolated func setNeedsDisplay() {
        pipeline.setNeedsDisplay()
    }

    /// Begins a pass now: asks the delegate for a task and has it drawn. It replaces a pass that waits; one
    /// that is being drawn is finished and shown first, unless stopping it brings the newest picture sooner.
    public func display() {
        pipeline.beginPass(of: self)
    }

    /// Withdraws ``setNeedsDisplay()`` and stops the passes in flight, interim ones too, which end as
    /// `.cancelled`. The contents stay.
    public func cancelDisplay() {
        pipeline.host.enter { pipeline.cancel() }
    }

    /// Calls ``cancelDisplay()`` and shows nothing: for a cell that is reused.
    public func removeContents() {
        pipeline.host.enter { pipeline.clear() }
    }

    /// The class of the layer's newest pass; setting it moves that pass to another tier, for what came into
    /// view or left it. If the pass is only requested (``setNeedsDisplay()``), it will begin there; this is
    /// nil until then, unless it was set. A pass that is being drawn stays where it is, and passes to come
    /// have the class of their task (``DisplayTask/qos``); a draw that several layers share is only raised.
    /// Without a pass or a request this is nil, and setting it changes nothing; nor does setting nil.
    public var qos: QoSTier? {
        get { pipeline.nextTier ?? pipeline.machine.current?.tier }
        set {
            guard let newValue else { return }
            pipeline.host.enter { pipeline.move(to: newValue) }
        }
    }
}

/// What a layer does for its pipeline, which has no renderer type.
extension AsyncLayer: LayerOwner {
    func turnEnds() {
        pipeline.host.runFromLoop { pipeline.displayIfNeeded(self) }
    }

    func beginTask(_ task: inout BaseTask) {
        if let delegate { DisplayTask.move(delegate.displayTask(for: self), into: &task) }
        task.onStart?()
    }
}

/// What a pass reads of its layer, except for the renderer and the delegate.
struct LayerProperties {
    var size = Size.zero
    var contentsScale = 1.0
    private var backgroundKind = BackgroundKind.clear
    var displaysAsynchronously = true
    private var ownOptions: Box?

    /// A ``Background``, without its color: one byte in each layer.
    private enum BackgroundKind { case clear, opaque, leftToDraw }

    /// What most layers leave at its default, which takes no memory.
    struct Options: Hashable {
        /// Of an opaque background.
        fileprivate var backgroundColor = Color.white
        var contextByteLimit = 512 << 20
        var displayTimeLimit: Duration?
        var draft: Double?
    }

    private final class Box {
        let options: Options

        init(_ options: Options) { self.options = options }
    }

    var options: Options {
        get { ownOptions?.options ?? Options() }
        set { ownOptions = newValue == Options() ? nil : Box(newValue) }
    }

    var background: Background {
        get {
            switch backgroundKind {
            case .clear: .clear
            case .opaque: .opaque(options.backgroundColor)
            case .leftToDraw: .leftToDraw
            }
        }
        set {
            var color = Color.white
            switch newValue {
            case .clear: backgroundKind = .clear
            case .opaque(let newColor): (backgroundKind, color) = (.opaque, newColor)
            case .leftToDraw: backgroundKind = .leftToDraw
            }
            if color != options.backgroundColor { options.backgroundColor = color }
        }
    }
}
