import BitmapRendering

/// A cell that is an ``OriginalLayer``, and the delegate that tells the layer what to draw.
@MainActor
final class OriginalCell: FeedCell, OriginalLayerDelegate {
    private static let queues = OriginalQueues()

    private let layer: OriginalLayer
    private let layout: CellLayout
    private let setting: CellSetting
    private let makePass: @MainActor () -> ObservedPass

    init(layout: CellLayout, setting: CellSetting, pass: @escaping @MainActor () -> ObservedPass) {
        self.layout = layout
        self.setting = setting
        makePass = pass
        layer = OriginalLayer(renderer: setting.renderer, queues: Self.queues)
        layer.size = layout.size
        layer.contentsScale = setting.scale
        layer.isOpaque = true
        layer.backgroundColor = CellLayout.pageColor
        layer.delegate = self
        layer.setNeedsDisplay()
    }

    var picture: Bitmap? { layer.contents }

    func setNeedsDisplay() { layer.setNeedsDisplay() }

    func displayTask(for layer: OriginalLayer) -> OriginalTask? {
        let pass = makePass()
        return OriginalTask(
            willDisplay: { pass.begin() },
            draw: { [layout, setting] context, isCancelled in
                setting.draw(layout, in: context, for: pass, isCancelled: isCancelled)
            },
            didDisplay: { isFinished in if isFinished { pass.end(.committed) } },
            stopped: { stage in
                // Only a pass that had begun to draw tells of its end.
                onMain { pass.end(.superseded(stage), silently: stage == .waiting) }
            })
    }
}
