public import QueuePools

/// Describes the passes of a layer: the layer asks for a task whenever it displays.
@MainActor
public protocol AsyncLayerDelegate<R>: AnyObject {
    /// What the layer draws with.
    associatedtype R: Renderer

    /// Returns what to draw; nil empties the layer. Called on the main actor, in ``AsyncLayer/display()``.
    func displayTask(for layer: AsyncLayer<R>) -> DisplayTask<R>?
}

/// A layer that draws off the main thread and shows the newest picture.
///
///     let layer = AsyncLayer(renderer: BitmapRenderer())
///     layer.bounds = Rect(x: 0, y: 0, width: 320, height: 44)
///     layer.delegate = cell
///     layer.setNeedsDisplay()  // at the end of the turn: cell.displayTask(for:), draw, contents
///
/// A pass goes from ``display()`` through the pool to ``contents``. Always (`Docs/Semantics.md`): exactly one
/// outcome per pass; never an older picture after a newer one; stale work stops early; the old contents stay
/// until the new ones are there. The idea is YYAsyncLayer's (2015).
///
/// *Main-actor isolated*; ``setNeedsDisplay()`` is *thread-safe*. Setting a property does not display.
@MainActor
public final class AsyncLayer<R: Renderer> {
    /// In points. Only the size matters to drawing. Default: zero, which shows nothing.
    public var bounds: Rect {
        get { pipeline.properties.bounds }
        set { pipeline.properties.bounds = newValue }
    }

    /// Pixels per point, from the screen that the layer is on; display again when it changes. Default: 1.
    public var contentsScale: Double {
        get { pipeline.properties.contentsScale }
        set { pipeline.properties.contentsScale = newValue }
    }

    /// True promises that no pixel is translucent: the context is filled before drawing. Default: false.
    public var isOpaque: Bool {
        get { pipeline.properties.isOpaque }
        set { pipeline.properties.isOpaque = newValue }
    }

    /// Fills an opaque layer, over white. Default: nil, which leaves it white.
    public var backgroundColor: Color? {
        get { pipeline.properties.options.backgroundColor }
        set { pipeline.properties.options.backgroundColor = newValue }
    }

    /// Whether the context of an opaque layer is filled. False saves that for draws that cover everything;
    /// what they leave out is clear, or black. Default: true.
    public var fillsBackground: Bool {
        get { pipeline.properties.options.fillsBackground }
        set { pipeline.properties.options.fillsBackground = newValue }
    }

    /// True draws on a pool thread; false draws on the main actor, in the call. Default: true.
    public var displaysAsynchronously: Bool {
        get { pipeline.properties.displaysAsynchronously }
        set { pipeline.properties.displaysAsynchronously = newValue }
    }

    /// The most bytes that one pass's context may take (see ``oversizePolicy``). Default: 512 MiB.
    public var maximumContextBytes: Int {
        get { pipeline.properties.options.maximumContextBytes }
        set { pipeline.properties.options.maximumContextBytes = newValue }
    }

    /// What becomes of a picture above ``maximumContextBytes`` or the host's ``MemoryBudget``. Default: the
    /// pass fails.
    public var oversizePolicy: OversizePolicy {
        get { pipeline.properties.options.oversizePolicy }
        set { pipeline.properties.options.oversizePolicy = newValue }
    }

    /// How long the main thread waits for a draw at the end of the turn, so that the picture appears without
    /// a frame of delay: never longer, and not at all if the layer's draws are known to take longer. It waits
    /// once for all layers that are displayed in one turn or group; ``display()`` outside of both waits
    /// before it returns. The draw is on the tier userInteractive. Default: zero, which does not wait.
    public var displayDeadline: Duration {
        get { pipeline.properties.options.displayDeadline }
        set { pipeline.properties.options.displayDeadline = newValue }
    }

    /// The fraction of ``contentsScale``, such as 0.25, at which the layer is drawn first if it has shown
    /// nothing since it was made or stopped (``cancelDisplay()``), and more is requested than the workers can
    /// draw. The draft is shown, its pass ends as `.committed(isInterim: true)`, and the layer is displayed
    /// in full one tier lower. Sizes in points do not change; ``contentsGeometry`` has the picture's scale.
    /// Not for layers that are drawn with those below them, in a group, or synchronously. Default: 0; that
    /// and what is not between 0 and 1 means no drafts.
    public var draft: Double {
        get { pipeline.properties.options.draft }
        set { pipeline.properties.options.draft = newValue }
    }

    /// True shows a task's placeholder also in place of old contents. Default: false.
    public var showsPlaceholderOverContents: Bool {
        get { pipeline.properties.options.showsPlaceholderOverContents }
        set { pipeline.properties.options.showsPlaceholderOverContents = newValue }
    }

    /// Called on the main actor when the layer shows something else, before `didDisplay`; for cross-fades.
    /// Default: nil.
    public var contentsDidChange: (@MainActor (ContentsTransition<R.Contents>) -> Void)? {
        didSet {
            // The pipeline reports changes only if there is a closure for them.
            guard let contentsDidChange else { return pipeline.contentsDidChange = nil }
            pipeline.contentsDidChange = { [unowned pipeline] picture, facts in
                let former = FormerContents<R.Contents>(picture, facts, pool: pipeline.host.pool)
                contentsDidChange(ContentsTransition(former: former, facts: pipeline.display.facts))
            }
        }
    }

    /// Describes what to draw. Not retained; without one a display empties the layer.
    @exclusivity(unchecked) public weak var delegate: (any AsyncLayerDelegate<R>)?

    /// What the layer shows: the newest picture committed or a placeholder; nil for nothing, or tiles.
    public var contents: R.Contents? {
        pipeline.display.picture?.whole(R.Contents.self)
    }

    /// What the layer shows if it was drawn in tiles: row by row, from the top left. Empty otherwise.
    public var tiles: [ContentsTile<R.Contents>] {
        pipeline.display.picture?.tiles(R.Contents.self) ?? []
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

    /// True while nothing is drawn: the layer or one above it is suspended (``suspend()``).
    public var isSuspended: Bool { pipeline.isSuspended }

    /// The layers within this one, from the lowest to the topmost.
    public internal(set) var sublayers: [AsyncLayer<R>] = []

    /// The layer that this one is in.
    public internal(set) weak var superlayer: AsyncLayer<R>? {
        didSet { pipeline.treeChanged(isSublayer: superlayer != nil) }
    }

    /// Where and how the layer lies in the one above it, for composed trees (``drawsSublayers``) and for
    /// programs that place contents themselves. Default: at its origin.
    public var placement: LayerPlacement {
        get { treeOptions?.placement ?? LayerPlacement() }
        set { setTreeOptions(newValue, composer) }
    }

    /// How the layer is drawn with all below it; nil if it is drawn alone.
    var composer: Composer? {
        get { treeOptions?.composer }
        set { setTreeOptions(placement, newValue) }
    }

    private final class TreeOptions {
        let placement: LayerPlacement
        let composer: Composer?

        init(_ placement: LayerPlacement, _ composer: Composer?) {
            (self.placement, self.composer) = (placement, composer)
        }
    }

    /// Nil for the default: most layers lie in no tree.
    private var treeOptions: TreeOptions?

    private func setTreeOptions(_ placement: LayerPlacement, _ composer: Composer?) {
        let isDefault = placement == LayerPlacement() && composer == nil
        treeOptions = isDefault ? nil : TreeOptions(placement, composer)
    }

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
        pipeline.host.loop.perform { [pipeline, sublayers] in
            pipeline.layerIsGone()
            // They have no superlayer now that suspends them.
            for sublayer in sublayers { sublayer.updateSuspension() }
        }
    }

    /// Displays at the end of the main loop's turn, once for any number of calls.
    ///
    /// *Thread-safe*, O(1). Does not retain the layer.
    public nonisolated func setNeedsDisplay() {
        pipeline.setNeedsDisplay()
    }

    /// Calls ``display()`` if ``setNeedsDisplay()`` was called since the last pass began.
    public func displayIfNeeded() {
        pipeline.displayIfNeeded()
    }

    /// Begins a pass now: asks the delegate for a task and has it drawn. It replaces a pass that waits; one
    /// that is being drawn is finished and shown first, unless stopping it brings the newest picture sooner.
    /// A layer that is drawn into the picture of one above it displays that one at the end of the turn, or
    /// now if that is synchronous.
    public func display() {
        pipeline.beginPass(of: self)
    }

    /// Withdraws ``setNeedsDisplay()`` and stops the passes in flight, interim ones too, which end as
    /// `.cancelled`. The contents stay, and so do the requests of layers below this one.
    public func cancelDisplay() {
        pipeline.cancel()
    }

    /// Calls ``cancelDisplay()`` and shows nothing: for a cell that is reused.
    public func clear() {
        pipeline.clear()
    }

    /// Moves the pass that waits, or that ``setNeedsDisplay()`` has requested, to another tier: for what came
    /// into view or left it. Does not change a pass that is being drawn; a draw that several layers share is
    /// only raised.
    public func move(to tier: QoSTier) {
        pipeline.move(to: tier)
    }
}

/// What a layer does for its pipeline, which has no renderer type.
extension AsyncLayer: LayerOwner {
    func turnEnds() { pipeline.turnEnds(self) }

    func beginTask(_ task: inout BaseTask) -> (any ComposedLayers)? {
        if let delegate { DisplayTask.move(delegate.displayTask(for: self), into: &task) }
        task.willDisplay?()
        guard let composer else { return nil }
        let draw = DisplayTask<R>(base: task).draw
        task.work = nil
        return ComposedTree(root: self, draw, composer)
    }

    var composingPipeline: DisplayPipeline? { composingLayer?.pipeline }
}

/// What a pass reads of its layer, except for the renderer and the delegate.
struct LayerProperties {
    var bounds = Rect.zero
    var contentsScale = 1.0
    var isOpaque = false
    var displaysAsynchronously = true
    private var ownOptions: Box?

    /// What most layers leave at its default, which takes no memory.
    struct Options: Hashable {
        var backgroundColor: Color?
        var fillsBackground = true
        var showsPlaceholderOverContents = false
        var oversizePolicy = OversizePolicy.fail
        var maximumContextBytes = 512 << 20
        var displayDeadline = Duration.zero
        /// 0 for none.
        var draft = 0.0
    }

    private final class Box {
        let options: Options

        init(_ options: Options) { self.options = options }
    }

    var options: Options {
        get { ownOptions?.options ?? Options() }
        set { ownOptions = newValue == Options() ? nil : Box(newValue) }
    }
}
