import Dispatch
public import QueuePools
public import Transactions

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
    public var bounds = Rect.zero

    /// Pixels per point. Default: 1. Set it from the screen that the layer is on, and display again when it
    /// moves to another.
    public var contentsScale = 1.0

    /// True promises that no pixel lets light through: the context is filled before drawing. Default: false.
    public var isOpaque = false

    /// What an opaque layer is filled with; white lies below where it is nil or translucent. Default: nil.
    public var backgroundColor: Color?

    /// True draws on a pool thread; false draws at once, on the main actor, and cannot be made stale.
    /// Default: true.
    public var displaysAsynchronously = true

    /// The most bytes that one pass's context may take; a larger one fails before it is made. Default: 512
    /// MiB.
    public var maximumContextBytes = 512 << 20

    /// Describes what to draw. Not kept alive; without one a display empties the layer.
    public weak var delegate: (any AsyncLayerDelegate<R>)?

    /// What the layer shows: the newest picture committed, or nil.
    public var contents: R.Contents? { pipeline.contents }

    private nonisolated let pipeline: DisplayPipeline<R>
    private nonisolated let hop: DisplayPipeline<R>.MainHop

    /// Makes an empty layer.
    ///
    /// - Parameters:
    ///   - renderer: makes contexts and pictures.
    ///   - pool: where passes draw, on the tier userInitiated, and where old pictures are released, on the
    ///     tier background. Default: the process's `DefaultQueuePool`.
    ///   - transactions: when ``setNeedsDisplay()`` takes effect. Default: at the end of the main loop's
    ///     turn.
    public convenience init(
        renderer: R, pool: any JobSubmitting = DefaultQueuePool.shared,
        transactions: TransactionQueue = .main
    ) {
        self.init(renderer: renderer, pool: pool, transactions: transactions) { work in
            DispatchQueue.main.async { work() }
        }
    }

    init(
        renderer: R, pool: any JobSubmitting, transactions: TransactionQueue,
        hop: @escaping DisplayPipeline<R>.MainHop
    ) {
        self.hop = hop
        pipeline = DisplayPipeline(renderer: renderer, pool: pool, transactions: transactions, hop: hop)
        pipeline.layer = self
    }

    deinit {
        // The last reference may go on any thread. Draws notice at once; the books are on the main actor.
        pipeline.makeStale()
        hop { [pipeline] in pipeline.layerIsGone() }
    }

    /// Makes the passes in flight stale and displays at the end of the main loop's turn, once, however often
    /// it is called until then.
    ///
    /// *Thread-safe*, O(1). Neither keeps the layer alive nor displays one that is gone by then.
    public nonisolated func setNeedsDisplay() {
        pipeline.setNeedsDisplay()
    }

    /// Displays now if ``setNeedsDisplay()`` was called since the last pass began.
    public func displayIfNeeded() {
        pipeline.displayIfNeeded()
    }

    /// Begins a pass now: asks the delegate for a task and has it drawn. Makes the passes in flight stale.
    public func display() {
        pipeline.display()
    }

    /// Takes back ``setNeedsDisplay()`` and stops the passes in flight, which end as `.cancelled`. The
    /// contents stay.
    public func cancelDisplay() {
        pipeline.cancel()
    }
}
