import AsyncLayers

/// A cell that is an ``AsyncLayer``, and the delegate that tells the layer what to draw.
@MainActor
final class LayerCell<Painter: CellPainter>: FeedCell, AsyncLayerDelegate {
    private let layer: AsyncLayer<MeteredRenderer<Painter.Base>>
    private let layout: Painter.Layout
    private let setting: CellSetting<Painter>
    private let makePass: @MainActor () -> ObservedPass
    private let isCached: Bool

    /// - Parameter cache: where its picture is kept and found; nil draws it always.
    init(
        layout: Painter.Layout, setting: CellSetting<Painter>, asynchronously: Bool = true,
        cache: ContentsCache<MeteredRenderer<Painter.Base>>? = nil,
        pass: @escaping @MainActor () -> ObservedPass
    ) {
        self.layout = layout
        self.setting = setting
        makePass = pass
        isCached = cache != nil
        layer = AsyncLayer(renderer: setting.renderer, cache: cache)
        layer.bounds = Rect(size: layout.size)
        layer.contentsScale = setting.scale
        layer.isOpaque = true
        layer.backgroundColor = CellGeometry.pageColor
        layer.displaysAsynchronously = asynchronously
        layer.delegate = self
        layer.setNeedsDisplay()
    }

    var picture: Painter.Base.Contents? { layer.contents }

    func setNeedsDisplay() { layer.setNeedsDisplay() }

    func displayTask(
        for layer: AsyncLayer<MeteredRenderer<Painter.Base>>
    ) -> DisplayTask<MeteredRenderer<Painter.Base>>? {
        let pass = makePass()
        var task = DisplayTask<MeteredRenderer<Painter.Base>>(
            willDisplay: { pass.begin() },
            didDisplay: { pass.end(PassEnding($0)) },
            draw: { [layout, setting] context, scope in
                setting.draw(layout, in: context.base, for: pass) { scope.isCancelled }
            })
        // No two cells of a feed have the same number, and what a number stands for never changes.
        if isCached { task.key = ContentKey(layout.number) }
        return task
    }
}

extension PassEnding {
    fileprivate init(_ outcome: DisplayOutcome) {
        self =
            switch outcome {
            case .committed: .committed
            case .superseded(let stage): .superseded(PassStage(stage))
            case .cancelled(let stage): .cancelled(PassStage(stage))
            case .failed: .failed
            }
    }
}

extension PassStage {
    fileprivate init(_ stage: DisplayStage) {
        switch stage {
        case .waiting: self = .waiting
        case .drawing: self = .drawing
        case .committing: self = .committing
        }
    }
}
