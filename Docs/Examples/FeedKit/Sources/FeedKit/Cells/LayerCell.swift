public import AsyncLayers
import QueuePools

/// A cell that is an `AsyncLayer`, and the delegate that tells the layer what to draw. It can be used for
/// another row when its row has left.
@MainActor
public final class LayerCell<Painter: CellPainter>: AsyncLayerDelegate {
    /// What all cells of a feed have in common.
    public struct Setting {
        /// Draws the cells.
        public let painter: Painter
        /// Pixels per point.
        public var scale: Double
        /// What is behind a cell; opaque.
        public var backgroundColor: Color
        /// What a cell shows that has nothing else to show; nil for nothing.
        public var placeholder: Painter.Base.Contents?
        /// Pictures of cells that have left, for when they come back; nil draws them again.
        public var cache: ContentsCache<Painter.Base>?
        /// False draws on the main thread.
        public var displaysAsynchronously = true
        /// The fraction of the scale at which a cell that shows nothing is drawn first, while more cells wait
        /// than can be drawn: `AsyncLayer.draft`. Default: 0, no drafts.
        public var draft = 0.0

        /// Describes cells that are drawn asynchronously, without a placeholder and without a cache.
        public init(painter: Painter, scale: Double, backgroundColor: Color) {
            self.painter = painter
            self.scale = scale
            self.backgroundColor = backgroundColor
        }
    }

    /// The layer that shows the picture.
    public let layer: AsyncLayer<Painter.Base>
    /// What the cell shows; nil before ``show(_:isInView:)`` and after ``recycle()``.
    public private(set) var layout: Painter.Layout?
    /// True from when a picture is requested until it is shown in full, or cannot be drawn.
    public private(set) var isWaiting = false
    /// True if the picture that was requested last cannot be drawn.
    public private(set) var hasFailed = false

    private let painter: Painter
    private var placeholder: Painter.Base.Contents?
    private let usesCache: Bool
    private var tier = QoSTier.userInitiated
    /// Which request is the newest: passes of older ones may end after it was made.
    private var request = 0
    private let makePass: (@MainActor () -> any PassObserver)?
    private let pictureEnded: (@MainActor (Painter.Layout, (any Error)?) -> Void)?

    /// Makes a cell that shows nothing yet.
    ///
    /// - Parameters:
    ///   - makePass: called whenever a pass is about to begin, for what observes it.
    ///   - pictureEnded: called when a picture is shown, and, with the error, when it cannot be drawn: once
    ///     for each time that it was requested.
    public init(
        _ setting: Setting, makePass: (@MainActor () -> any PassObserver)? = nil,
        pictureEnded: (@MainActor (Painter.Layout, (any Error)?) -> Void)? = nil
    ) {
        self.makePass = makePass
        self.pictureEnded = pictureEnded
        painter = setting.painter
        placeholder = setting.placeholder
        usesCache = setting.cache != nil
        layer = AsyncLayer(renderer: setting.painter.base, cache: setting.cache)
        layer.contentsScale = setting.scale
        layer.background = .opaque(setting.backgroundColor)
        layer.displaysAsynchronously = setting.displaysAsynchronously
        layer.draft = setting.draft
        layer.delegate = self
    }

    /// The picture that the cell shows; nil while it is empty or shows the placeholder.
    public var picture: Painter.Base.Contents? { layer.showsPlaceholder ? nil : layer.contents }

    /// True while the picture is a draft, at less than the cell's scale.
    public var showsDraft: Bool {
        !layer.showsPlaceholder && layer.contentsGeometry.map { $0.scale < layer.contentsScale } ?? false
    }

    /// Begins to show another row. The picture of the row before is released.
    ///
    /// - Parameter isInView: a cell that is not in view is drawn after all that are.
    public func show(_ layout: Painter.Layout, isInView: Bool = true) {
        if self.layout != nil { recycle() }
        layer.size = layout.size
        tier = isInView ? .userInitiated : .default
        update(layout)
        // Rows that come into view later do not go before it, as newer draws do before those that have waited
        // for long.
        if !isInView { layer.qos = tier }
    }

    /// Shows another state of the same row; the old picture stays until the new one is drawn.
    public func update(_ layout: Painter.Layout) {
        self.layout = layout
        setNeedsDisplay()
    }

    /// Requests another picture, because the one that is shown is out of date.
    public func setNeedsDisplay() {
        request += 1
        hasFailed = false
        isWaiting = true
        layer.setNeedsDisplay()
    }

    /// Makes the picture urgent, because the row has come into view. One that shows a draft is drawn in full
    /// when there is time, as always: other rows may show nothing yet.
    public func comeIntoView() { move(to: .userInitiated) }

    /// Lets cells in view be drawn first, because the row has left it.
    public func leaveView() { move(to: .default) }

    private func move(to tier: QoSTier) {
        guard tier != self.tier else { return }
        self.tier = tier
        if isWaiting, !showsDraft { layer.qos = tier }
    }

    /// Draws the cell for a display with other pixels; the old picture stays until then.
    public func change(scale: Double, placeholder: Painter.Base.Contents?) {
        layer.contentsScale = scale
        self.placeholder = placeholder
        if layout != nil { setNeedsDisplay() }
    }

    /// Stops what is being drawn and releases the picture, which belongs to a row that has left.
    public func recycle() {
        layout = nil
        request += 1
        hasFailed = false
        isWaiting = false
        layer.cancelDisplay()
        // A pass without a task empties the layer.
        layer.display()
    }

    /// Describes a pass of the layer; nil if the cell has nothing to show.
    public func displayTask(for layer: AsyncLayer<Painter.Base>) -> DisplayTask<Painter.Base>? {
        guard let layout else { return nil }
        let pass = makePass?()
        var task = DisplayTask<Painter.Base>(
            qos: tier, placeholder: placeholder, onStart: { pass?.begin() },
            onEnd: { [weak self, request] outcome in
                pass?.end(outcome)
                self?.passEnded(outcome, of: layout, request: request)
            },
            draw: { [painter] context, scope in
                pass?.beginDrawing()
                try painter.draw(layout, in: context) { scope.isCancelled }
            })
        if usesCache { task.key = layout.key }
        return task
    }

    private func passEnded(_ outcome: DisplayOutcome, of layout: Painter.Layout, request: Int) {
        // An older picture may have been drawn in the meantime; the newest is still waited for.
        let isNewest = request == self.request
        switch outcome {
        case .committed(let isInterim):
            // A draft is followed by the picture in full.
            if isNewest, !isInterim { isWaiting = false }
            pictureEnded?(layout, nil)
        case .failed(let error):
            guard isNewest, !hasFailed else { return }
            isWaiting = false
            hasFailed = true
            pictureEnded?(layout, error)
        case .superseded, .cancelled: break  // a newer pass follows, or no picture is wanted
        }
    }
}

/// Is notified of one pass of a cell.
public protocol PassObserver: Sendable {
    /// The pass begins.
    @MainActor func begin()
    /// Its drawing begins, on any thread.
    func beginDrawing()
    /// The pass has ended.
    @MainActor func end(_ outcome: DisplayOutcome)
}
