public import AsyncLayers

/// Gives a ``TiledLayer`` what it draws.
@MainActor
public protocol TiledLayerDelegate<LayerRenderer>: AnyObject {
    /// What the tiles are drawn with.
    associatedtype LayerRenderer: Renderer

    /// Returns what draws any tile of the content as it is now; nil draws nothing: tiles keep what they show,
    /// and each later turn that changes the view or damages something asks again. Called on the main actor,
    /// at the end of a turn in which something was damaged.
    ///
    /// The closure captures an immutable snapshot of the content, since tiles that come into view later are
    /// drawn by it, too. It runs on pool threads, in several at a time.
    func drawing(for layer: TiledLayer<LayerRenderer>) -> TiledLayer<LayerRenderer>.Draw?
}

/// Content of any extent, drawn in tiles: only what is in view or will be, and after an edit only what has
/// changed.
///
///     let layer = TiledLayer(renderer: BitmapRenderer(), documentSize: Size(width: 20_000, height: 20_000))
///     layer.delegate = document
///     layer.onChange = { window.needsFrame = true }
///     try layer.show(Rect(x: 0, y: 0, width: 1_920, height: 1_080), scale: 1)
///     // after an edit: layer.setNeedsDisplay(in: former.union(new))
///     // in a frame:
///     let changes = layer.takeChanges()  // upload what was added or changed, draw what is placed
///
/// Always: what one edit has changed in view appears in one step, or after ``editLimit``; nothing older
/// replaces what is newer; what was drawn and is in view stays covered; at rest all is sharp, and nothing is
/// drawn. The ways of Chromium's compositor and of map renderers; `Docs/Decisions` says which, and why.
///
/// Where an `AsyncLayer` is told to display, a tiled layer decides by itself when it draws which tile. So its
/// delegate returns a drawing, and no task, of which each tile has its own; setting the delegate displays; a
/// tile that fails is told to ``onFailure`` and keeps what it shows, and is no outcome that a call waits for:
/// ``settled()`` throws no error of a draw, as `displayed()` does.
///
/// In a `DisplayGroup` an edit appears in one step with the group's other layers, such as the gutter of a
/// text.
///
/// *Main-actor isolated*; ``setNeedsDisplay(in:)`` and ``setNeedsDisplay()`` are *thread-safe*.
@MainActor
public final class TiledLayer<R: Renderer> {
    /// Draws a tile, in points of the content. Runs on a pool thread.
    public typealias Draw = @Sendable (_ context: R.Context, _ scope: TileScope) throws -> Void

    /// The extent of the content, in points. Where it grows, the new area is drawn; call
    /// ``setNeedsDisplay(in:)`` for other changes. It is rounded up to whole pixels, so the last pixel may
    /// show the ``background`` beside a drawing that keeps within this extent.
    public var documentSize: Size {
        get { pipeline.documentSize }
        set { pipeline.documentSize = newValue }
    }

    /// Gives what is drawn. Not retained; without one nothing is.
    public weak var delegate: (any TiledLayerDelegate<R>)? {
        didSet { setNeedsDisplay() }
    }

    /// Called on the main actor when there is something new to take, once until ``takeChanges()`` is called.
    public var onChange: (@MainActor () -> Void)? {
        get { pipeline.onChange }
        set { pipeline.onChange = newValue }
    }

    /// Called on the main actor when a tile could not be drawn. It keeps what it shows, and is tried again
    /// when it is damaged.
    public var onFailure: (@MainActor (any Error) -> Void)? {
        get { pipeline.onFailure }
        set { pipeline.onFailure = newValue }
    }

    /// The color under the drawing, if any, and whether tiles are opaque, so that they need no blending. To
    /// change it damages all. Default: `Background.clear`.
    public var background = Background.clear {
        didSet { if background != oldValue { setNeedsDisplay() } }
    }

    /// How far strokes and shadows reach beyond damage, in points. Default: 1. NaN and negative read as 0.
    public var damageOutset: Double {
        get { pipeline.damageOutset }
        set { pipeline.damageOutset = newValue }
    }

    /// How far they reach beyond that at any scale, in pixels of the tiles: for pens of constant width, half
    /// of it and one more. Default: 1, since lines are not drawn thinner than a pixel. Negative reads as 0.
    public var damagePixelOutset: Int {
        get { pipeline.damagePixelOutset }
        set { pipeline.damagePixelOutset = newValue }
    }

    /// How long an edit waits for all its tiles in view; then those appear that are there. Default: 33 ms,
    /// two frames at 60 Hz.
    public var editLimit: Duration {
        get { pipeline.editLimit }
        set { pipeline.editLimit = newValue }
    }

    /// How long the main thread waits at the end of the turn for damaged tiles in view
    /// (`AsyncLayer.displayTimeLimit`). Default: nil, not at all.
    public var displayTimeLimit: Duration? {
        get { pipeline.displayTimeLimit }
        set { pipeline.displayTimeLimit = newValue }
    }

    /// The most bytes of pictures, those of uploaded tiles included; what is in view is never let go.
    /// Default: 256 MiB.
    public var byteLimit: Int {
        get { pipeline.byteLimit }
        set { pipeline.byteLimit = newValue }
    }

    /// The scale of an overview: all of the content is drawn at it when nothing else is wanted, so that there
    /// is something to show wherever the view jumps, however far it is zoomed out. It goes first when memory
    /// is short. It is drawn again when the edits have ended for half a second. A sixteenth suits a document
    /// of 20,000 points; an overview of more than 1,024 tiles is not drawn. Default: nil, none: for drawings
    /// it costs nearly as much as the content at scale 1.
    public var overviewScale: Double? {
        get { pipeline.overviewScale }
        set { pipeline.overviewScale = newValue }
    }

    /// The smallest fraction of the view's scale at which a part of the view that has no picture is drawn
    /// first, if drawing its tiles takes longer than 16 ms, two frames at 120 Hz: a half, a
    /// quarter, and so on, the first at which a view takes a few draws, and those little of that time. In a
    /// movement also where it comes next. A draft is a tile of a coarser level, shown until the sharp ones
    /// are drawn; ``TileScope/scale`` has its scale. Drawings whose time does not depend on the scale get
    /// none: the times are measured. Default: a sixteenth; nil: no drafts, nor are there with a value
    /// that is not above 0 and at most a half.
    public var draft: Double? {
        get { pipeline.draft }
        set { pipeline.draft = newValue.flatMap { $0 > 0 && $0 <= 0.5 ? $0 : nil } }
    }

    nonisolated let renderer: R
    nonisolated let pipeline: TilePipeline
    /// What draws the content as the newest edit has left it.
    private(set) var content: Draw?

    /// Makes a layer that shows nothing.
    ///
    /// - Parameters:
    ///   - renderer: makes contexts and pictures; its contexts must honour
    ///     `ContextDescription.pixelOriginX`.
    ///   - documentSize: in points; not finite or negative counts as zero.
    ///   - tileExtent: the width and height of a tile in pixels, clamped to 16…4,096. Default: nil, 256, and
    ///     512 at scale 2 and above. Content of at most 512 × 512 pixels is one tile.
    ///   - host: where tiles are drawn.
    public init(renderer: R, documentSize: Size, tileExtent: Int? = nil, host: DisplayHost = .main) {
        self.renderer = renderer
        pipeline = TilePipeline(documentSize: documentSize, tileExtent: tileExtent, host: host)
        pipeline.source = self
    }

    deinit {
        // The last reference may be released on any thread.
        pipeline.host.loop.perform { [weak pipeline] in pipeline?.sourceIsGone() }
    }

    // MARK: In

    /// Something has changed: give what it showed and what it shows. It is drawn again if it is in view, and
    /// kept until a picture shows it. Nothing else is drawn, if the renderer can copy pictures: what is not
    /// given stays as it was. An empty rectangle changes nothing. *Thread-safe*; any number a turn.
    public nonisolated func setNeedsDisplay(in rect: Rect) { pipeline.setNeedsDisplay(in: rect) }

    /// Everything has changed. *Thread-safe.*
    public nonisolated func setNeedsDisplay() { pipeline.setNeedsDisplay() }

    /// Shows a part of the content.
    ///
    /// - Parameters:
    ///   - visible: in points of the content; may reach beyond it. For pictures whose pixels are those of the
    ///     view its origin should be at a whole pixel; origin and size are rounded to one.
    ///   - scale: pixels of the view per point.
    ///   - isMoving: whether more will follow, as in a gesture: then the scale of the tiles changes in steps
    ///     of two, and tiles are drawn ahead of the movement. It is taken to have ended after 0.2 s without a
    ///     call.
    /// - Throws: ``TiledLayerError`` for what is empty, not finite, or too large; the view stays.
    public func show(_ visible: Rect, scale: Double, isMoving: Bool = false) throws(TiledLayerError) {
        try pipeline.show(visible, scale: scale, isMoving: isMoving)
    }

    /// Lets the pictures go that were wanted longest ago, until the rest takes at most this many bytes; what
    /// is in view stays. No more are kept until the view changes. Call it when memory is short.
    public func trim(toBytes byteCount: Int = 0) { pipeline.trim(toBytes: byteCount) }

    // MARK: Out

    /// What is to be shown, and how it differs from what was taken last. O(tiles in view), and less if the
    /// view is the same, and was and is up to date.
    public func takeChanges() -> TileChanges { pipeline.takeChanges() }

    /// The contents of a tile; nil if it is gone, or was uploaded and let go.
    public func contents(of id: TileID) -> R.Contents? {
        guard let tile = pipeline.tiles[id] else { return nil }
        // The pipeline's painters are those that this layer has made.
        return unsafeDowncast(tile.painter, to: TilePainter<R>.self).contents(of: tile)
    }

    /// Lets the pixels of a tile go, which the program has uploaded; the tile stays. Does nothing if the tile
    /// has changed since it was taken.
    public func didUpload(_ id: TileID) { pipeline.tiles[id]?.didUpload() }

    /// All of the program's textures are lost, as when a window's context is: forget all names of tiles. The
    /// pictures that are kept here are added again, those that were released (``didUpload(_:)``) are drawn
    /// again, and the whole view is damaged.
    public func forgetUploads() { pipeline.forgetUploads() }

    /// Why a tile was drawn last, for an overlay; nil if it is gone.
    public func reason(of id: TileID) -> TileStatistics.Reason? { pipeline.tiles[id]?.reason }

    /// What the layer has done so far. O(1).
    public var statistics: TileStatistics { pipeline.statistics() }

    /// True when all that is in view is shown up to date and at its exact scale, as far as it can be drawn.
    /// False before the first ``show(_:scale:isMoving:)``. O(tiles in view).
    public var isComplete: Bool { pipeline.isComplete }

    /// Returns when the layer ``isComplete``, or the task is cancelled.
    public func settled() async { await pipeline.settled() }
}

extension TiledLayer: TileSource {
    func takeContent(isDamaged: Bool) -> Bool? {
        guard let delegate else {
            content = nil
            return nil
        }
        if isDamaged || content == nil { content = delegate.drawing(for: self) }
        return content != nil
    }

    func byteCount(width: Int, height: Int, scale: Double) -> Int {
        // The background may change.
        [true, false].map { isOpaque in
            renderer.byteCount(
                of: ContextDescription(
                    pixelWidth: width, pixelHeight: height, scale: scale, isOpaque: isOpaque))
        }.max() ?? 0
    }

    func makePainter(_ frame: PixelRect, scale: Double) -> any TilePainting {
        TilePainter(frame, scale: scale, owner: self)
    }
}
