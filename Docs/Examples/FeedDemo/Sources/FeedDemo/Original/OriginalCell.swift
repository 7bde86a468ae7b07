/// A cell that is an ``OriginalLayer``, and the delegate that tells the layer what to draw.
@MainActor
final class OriginalCell<Painter: CellPainter>: FeedCell, OriginalLayerDelegate {
    private let layer: OriginalLayer<MeteredRenderer<Painter.Base>>
    private let layout: Painter.Layout
    private let setting: CellSetting<Painter>
    private let makePass: @MainActor () -> ObservedPass

    init(
        layout: Painter.Layout, setting: CellSetting<Painter>, pass: @escaping @MainActor () -> ObservedPass
    ) {
        self.layout = layout
        self.setting = setting
        makePass = pass
        layer = OriginalLayer(renderer: setting.renderer, queues: .shared)
        layer.size = layout.size
        layer.contentsScale = setting.scale
        layer.isOpaque = true
        layer.backgroundColor = CellGeometry.pageColor
        layer.delegate = self
        layer.setNeedsDisplay()
    }

    var picture: Painter.Base.Contents? { layer.contents }

    func setNeedsDisplay() { layer.setNeedsDisplay() }

    func displayTask(
        for layer: OriginalLayer<MeteredRenderer<Painter.Base>>
    ) -> OriginalTask<MeteredRenderer<Painter.Base>>? {
        let pass = makePass()
        return OriginalTask(
            willDisplay: { pass.begin() },
            draw: { [layout, setting] context, isCancelled in
                setting.draw(layout, in: context.base, for: pass, isCancelled: isCancelled)
            },
            didDisplay: { isFinished in if isFinished { pass.end(.committed) } },
            stopped: { stage in
                // Only a pass that had begun to draw tells of its end.
                onMain { pass.end(.superseded(stage), silently: stage == .waiting) }
            })
    }
}
