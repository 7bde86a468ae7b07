public import QueuePools

/// Describes the passes of a layer: the layer asks for a task whenever it displays.
@MainActor
public protocol AsyncLayerDelegate<R>: AnyObject {
    /// What the layer draws with.
    associatedtype R: Renderer

    /// What to draw now; nil empties the layer. Called on the main actor, during ``AsyncLayer/display()``.
    func displayTask(for layer: AsyncLayer<R>) -> DisplayTask<R>?
}

/// A layer that draws off the main thread and shows the newest picture.
///
///     let layer = AsyncLayer(renderer: BitmapRenderer())
///     layer.bounds = Rect(x: 0, y: 0, width: 320, height: 44)
///     layer.delegate = cell
///     layer.setNeedsDisplay()  // at the end of the turn: cell.displayTask(for:), draw, contents
///
/// A pass goes from ``display()`` through the pool to ``contents``. `Docs/Semantics.md` states what holds
/// always: exactly one outcome per pass; never an older picture after a newer one; stale work stops early;
/// the old contents stay until the new ones are there. The idea is YYAsyncLayer's (2015).
///
/// *Main-actor isolated*, but for ``setNeedsDisplay()``, which is *thread-safe*. Setting a property does not
/// display by itself.
@MainActor
public final class AsyncLayer<R: Renderer> {
    /// Where the layer is and how large, in points. Only the size matters to drawing. Default: zero, which
    /// shows nothing.
    public var bounds: Rect {
        get { pipeline.properties.bounds }
        set { pipeline.properties.bounds = newValue }
    }

    /// Pixels per point. Default: 1. Set it from the screen that the layer is on, and display again when it
    /// moves to another.
    public var contentsScale: Double {
        get { pipeline.properties.contentsScale }
        set { pipeline.properties.contentsScale = newValue }
    }

    /// True promises that no pixel lets light through: the context is filled before drawing. Default: false.
    public var isOpaque: Bool {
        get { pipeline.properties.isOpaque }
        set { pipeline.properties.isOpaque = newValue }
    }

    /// What an opaque layer is filled with; white lies below where it is nil or translucent. Default: nil.
    public var backgroundColor: Color? {
        get { pipeline.properties.options.backgroundColor }
        set { pipeline.properties.options.backgroundColor = newValue }
    }

    /// Whether the context of an opaque layer is filled before it is drawn into. False saves that for draws that cover
    /// everything; what they leave out is clear, or black. Default: true.
    public var fillsBackground: Bool {
        get { pipeline.properties.options.fillsBackground }
        set { pipeline.properties.options.fillsBackground = newValue }
    }

    /// True draws on a pool thread; false draws at once, on the main actor, and cannot be made stale.
    /// Default: true.
    public var displaysAsynchronously: Bool {
        get { pipeline.properties.displaysAsynchronously }
        set { pipeline.properties.displaysAsynchronously = newValue }
    }

    /// The most bytes that one pass's context may take; what happens to a larger one ``oversizePolicy`` says.
    /// Default: 512 MiB.
    public var maximumContextBytes: Int {
        get { pipeline.properties.options.maximumContextBytes }
        set { pipeline.properties.options.maximumContextBytes = newValue }
    }

    /// What becomes of a picture that is larger than ``maximumContextBytes`` or than the host's whole
    /// ``MemoryBudget``. Default: the pass fails.
    public var oversizePolicy: OversizePolicy {
        get { pipeline.properties.options.oversizePolicy }
        set { pipeline.properties.options.oversizePolicy = newValue }
    }

    /// How long the main thread waits, at the end of the turn, for a draw to be done, so that the picture
    /// appears without a frame of delay: never longer, whatever the draw does, and not at all if the layer's
    /// draws are known to take longer. Layers that are displayed in one turn, or as one group, are waited for
    /// together; ``display()`` outside of both waits before it returns. What is waited for draws on the tier
    /// userInteractive. Default: zero, which does not wait.
    public var displayDeadline: Duration {
        get { pipeline.properties.options.displayDeadline }
        set { pipeline.properties.options.displayDeadline = newValue }
    }

    /// The fraction of ``contentsScale`` at which the layer is drawn first, such as 0.25, if it has nothing to show and more
    /// is asked for than the workers can draw. The draft is shown, its pass ends as `.committed(isInterim: true)`, and the
    /// layer is displayed in full when there is time: one tier lower. Sizes in points do not change;
    /// ``contentsGeometry`` tells the picture's scale. A layer shows nothing of what it is for when it was made, and when
    /// it was told to stop displaying (``cancelDisplay()``). Not for layers that are drawn with those below them, in a
    /// group, or synchronously. Default: 0, no drafts; so it is for what is not between 0 and 1.
    public var draft: Double {
        get { pipeline.properties.options.draft }
        set { pipeline.properties.options.draft = newValue }
    }

    /// True shows a task's placeholder also in place of old contents. Default: false, which keeps them.
    public var showsPlaceholderOverContents: Bool {
        get { pipeline.properties.options.showsPlaceholderOverContents }
        set { pipeline.properties.options.showsPlaceholderOverContents = newValue }
    }

    /// Called on the main actor whenever the layer has come to show something else, before `didDisplay`; made
    /// for cross-fades. Default: nil.
    public var contentsDidChange: (@MainActor (ContentsTransition<R.Contents>) -> Void)? {
        didSet { observeContents() }
    }

    /// Describes what to draw. Not kept alive; without one a display empties the layer.
    @exclusivity(unchecked) public weak var delegate: (any AsyncLayerDelegate<R>)?

    /// What the layer shows: the newest picture committed, a placeholder, or nil. Nil if it was drawn in tiles.
    public var contents: R.Contents? {
        pipeline.display.picture?.whole(R.Contents.self)
    }

    /// What the layer shows, if it was drawn in tiles: row by row, from the top left. Empty otherwise.
    public var tiles: [ContentsTile<R.Contents>] {
        pipeline.display.picture?.tiles(R.Contents.self) ?? []
    }

    /// True while ``contents`` is a placeholder.
    public var showsPlaceholder: Bool { pipeline.display.facts.isPlaceholder }

    /// How large the picture on show is; nil while the layer shows nothing. Where it is to be shown while the layer has
    /// another size by now, ``ContentsGeometry/frame(in:_:)`` tells.
    public var contentsGeometry: ContentsGeometry? {
        pipeline.display.isEmpty ? nil : pipeline.display.facts.geometry
    }

    /// When the layer came to show what it shows, by its host's clock; nil while it shows nothing.
    public var shownAt: Duration? { pipeline.display.isEmpty ? nil : pipeline.display.facts.shownAt }

    /// True while nothing is drawn: suspended itself, or with a layer above it. See ``suspend()``.
    public var isSuspended: Bool { pipeline.isSuspended }

    /// The layers within this one, from the lowest to the topmost. Default: none.
    public internal(set) var sublayers: [AsyncLayer<R>] = []

    /// The layer that this one is in.
    public internal(set) weak var superlayer: AsyncLayer<R>? {
        didSet { pipeline.treeChanged(isSublayer: superlayer != nil) }
    }

    /// Where and how the layer lies in the one above it. Read when the topmost layer of a composed tree is
    /// displayed (``drawsSublayers``), and for you to show contents by. Default: at its origin.
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

    /// Only where it differs from the default: most layers lie in no tree.
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
    ///     at the end of the main loop's turn.
    ///   - cache: where pictures with a key are kept and found. Default: nowhere.
    public init(renderer: R, host: DisplayHost = .main, cache: ContentsCache<R>? = nil) {
        pipeline = RendererPipeline(renderer, host: host, cache: cache?.pictures)
        pipeline.layer = self
    }

    deinit {
        // The last reference may go on any thread.
        pipeline.host.loop.perform { [pipeline, sublayers] in
            pipeline.layerIsGone()
            // They are in no layer now, suspended or not.
            for sublayer in sublayers { sublayer.updateSuspension() }
        }
    }

    /// Displays at the end of the main loop's turn, once, however often it is called until then.
    ///
    /// *Thread-safe*, O(1). Neither keeps the layer alive nor displays one that is gone by then.
    public nonisolated func setNeedsDisplay() {
        pipeline.setNeedsDisplay()
    }

    /// Displays, as ``display()`` does, if ``setNeedsDisplay()`` was called since the last pass began.
    public func displayIfNeeded() {
        pipeline.displayIfNeeded(self)
    }

    /// Begins a pass now: asks the delegate for a task and has it drawn. It replaces a pass that waits; one that is being
    /// drawn is finished and shown before, unless stopping it brings the newest picture sooner. A layer that is drawn into
    /// the picture of one above it has that one displayed at the end of the turn, or now if it draws synchronously.
    public func display() {
        pipeline.beginPass(of: self)
    }

    /// Takes back ``setNeedsDisplay()`` and stops the passes in flight, interim ones too, which end as
    /// `.cancelled`. The contents stay.
    public func cancelDisplay() {
        pipeline.cancel()
    }

    /// Stops displaying, as ``cancelDisplay()`` does, and shows nothing: for a cell that is used for something else.
    public func clear() {
        pipeline.cancel()
        pipeline.leaveGroupShowingHeld(.cancelled(.waiting))
        pipeline.clear()
    }

    /// Moves the pass that waits to be drawn, or that ``setNeedsDisplay()`` has asked for, to another tier: for what came
    /// into view, or left it. A pass that is being drawn is not touched; a draw that several layers share is only raised.
    public func move(to tier: QoSTier) {
        pipeline.move(to: tier)
    }
}

/// What a layer does for its pipeline, which does not know the renderer's type.
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

    /// Has the pipeline report changes only if there is a closure for them.
    func observeContents() {
        guard let contentsDidChange else { return pipeline.contentsDidChange = nil }
        pipeline.contentsDidChange = { [unowned pipeline] picture, facts in
            let former = FormerContents<R.Contents>(picture, facts, pool: pipeline.host.pool)
            contentsDidChange(ContentsTransition(from: former, to: pipeline.display.facts))
        }
    }
}
