import AsyncLayers
import FeedKit

/// A cell on screen, of any kind. It requests its first display when it is made.
@MainActor
protocol FeedCell<Picture>: AnyObject {
    associatedtype Picture

    /// What it shows; nil while it is empty.
    var picture: Picture? { get }

    /// True while the picture is a draft.
    var showsDraft: Bool { get }

    /// True until it shows its picture in full.
    var isWaiting: Bool { get }

    /// Requests another picture, because the one that is shown is out of date.
    func setNeedsDisplay()

    /// The row comes into view: it is drawn before those that are not.
    func comeIntoView()

    /// The row leaves the view, and is kept.
    func leaveView()
}

extension LayerCell: FeedCell {}

/// The kind of cells that a mode shows.
enum FeedCells: Sendable {
    /// `AsyncLayer`s.
    case layers
    /// The same, drawn on the main thread.
    case synchronousLayers
    /// The same, whose pictures are kept for when they come back.
    case cachedLayers
    /// The layers of YYAsyncLayer (2015).
    case yyAsyncLayers
}

/// Makes the cells of one run, and has what they share.
@MainActor
struct CellFactory<Painter: FeedPainter> {
    private let setting: LayerCell<MeteredPainter<Painter>>.Setting
    private let kind: FeedCells

    /// - Parameter draft: the fraction of the scale at which a cell is drawn first where cells come faster
    ///   than they can be drawn; 0 for none.
    init(_ kind: FeedCells, painter: MeteredPainter<Painter>, scale: Double, draft: Double = 0) {
        var setting = LayerCell<MeteredPainter<Painter>>.Setting(
            painter: painter, scale: scale, backgroundColor: CellGeometry.pageColor)
        setting.displaysAsynchronously = kind != .synchronousLayers
        setting.draft = draft
        if kind == .cachedLayers { setting.cache = ContentsCache(byteLimit: Self.cacheLimit) }
        self.setting = setting
        self.kind = kind
    }

    /// Room for every cell of the journey at the default size and scale, which is some 150 MiB.
    private static var cacheLimit: Int { 512 << 20 }

    /// The bytes of the pictures that are kept for cells which come back; nil where none are.
    var cachedBytes: Int? { setting.cache?.statistics.bytes }

    /// Makes a cell. It calls `makePass` whenever it is about to begin a pass, and reports with the result.
    func make(
        _ layout: Painter.Layout, isInView: Bool, _ makePass: @escaping @MainActor () -> ObservedPass
    ) -> any FeedCell<Painter.Base.Contents> {
        if kind == .yyAsyncLayers { return YYCell(layout, setting, makePass) }
        let cell = LayerCell(setting, makePass: makePass)
        cell.show(layout, isInView: isInView)
        return cell
    }
}

/// A cell that is a `YYAsyncLayer`, and the delegate that tells the layer what to draw.
@MainActor
private final class YYCell<Painter: CellPainter>: FeedCell, YYAsyncLayerDelegate {
    private let layer: YYAsyncLayer<Painter.Base>
    private let layout: Painter.Layout
    private let painter: Painter
    private let makePass: @MainActor () -> ObservedPass

    init(
        _ layout: Painter.Layout, _ setting: LayerCell<Painter>.Setting,
        _ makePass: @escaping @MainActor () -> ObservedPass
    ) {
        self.layout = layout
        self.makePass = makePass
        painter = setting.painter
        layer = YYAsyncLayer(renderer: setting.painter.base)
        layer.size = layout.size
        layer.contentsScale = setting.scale
        layer.isOpaque = true
        layer.backgroundColor = setting.backgroundColor
        layer.delegate = self
        layer.setNeedsDisplay()
    }

    var picture: Painter.Base.Contents? { layer.contents }
    var showsDraft: Bool { false }
    var isWaiting: Bool { picture == nil }

    func setNeedsDisplay() { layer.setNeedsDisplay() }

    // YYAsyncLayer knows one tier.
    func comeIntoView() {}
    func leaveView() {}

    func displayTask(for layer: YYAsyncLayer<Painter.Base>) -> YYAsyncLayerTask<Painter.Base>? {
        let pass = makePass()
        return YYAsyncLayerTask(
            willDisplay: { pass.begin() },
            draw: { [layout, painter] context, isCancelled in
                pass.beginDrawing()
                // An error leaves what was drawn so far: YYAsyncLayer knows none.
                try? painter.draw(layout, in: context, isCancelled: isCancelled)
            },
            didDisplay: { isFinished in if isFinished { pass.end(.committed(isInterim: false)) } },
            // Only a pass that had begun to draw reports its end.
            stopped: { pass.end(.superseded($0), silently: $0 == .waiting) })
    }
}
