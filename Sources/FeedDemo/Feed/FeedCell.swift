import AsyncLayers

/// A cell on screen: a layer, and the delegate that tells it what to draw.
@MainActor
final class FeedCell: AsyncLayerDelegate {
    let layer: AsyncLayer<MeteredRenderer>
    private let layout: CellLayout
    private let report: @MainActor @Sendable (PassEvent) -> Void

    /// What a cell reports of its passes.
    enum PassEvent: Sendable {
        case began
        case ended(DisplayOutcome)
    }

    init(
        layout: CellLayout, renderer: MeteredRenderer, scale: Double, asynchronously: Bool,
        report: @escaping @MainActor @Sendable (PassEvent) -> Void
    ) {
        self.layout = layout
        self.report = report
        layer = AsyncLayer(renderer: renderer)
        layer.bounds = Rect(size: layout.size)
        layer.contentsScale = scale
        layer.isOpaque = true
        layer.backgroundColor = CellLayout.pageColor
        layer.displaysAsynchronously = asynchronously
        layer.delegate = self
        layer.setNeedsDisplay()
    }

    func displayTask(for layer: AsyncLayer<MeteredRenderer>) -> DisplayTask<MeteredRenderer>? {
        DisplayTask(
            willDisplay: { [report] in report(.began) },
            didDisplay: { [report] in report(.ended($0)) },
            draw: { [layout] context, scope in layout.draw(in: context.bitmap) { scope.isCancelled } })
    }
}
