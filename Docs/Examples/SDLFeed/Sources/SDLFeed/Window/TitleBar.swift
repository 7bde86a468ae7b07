import AsyncLayers
import ScrollScheduling
import CairoRendering

/// The bar over the feed, with the frame meter: a layer like the cells, drawn off the main thread like them.
@MainActor
final class TitleBar: AsyncLayerDelegate {
    let layer: AsyncLayer<CairoRenderer>
    private(set) var isWaiting = false

    private var text = ""
    private var waitingCount = 0
    private var lastUpdate = Duration.zero

    private static let interval = Duration.milliseconds(250)
    private nonisolated static let size = Size(width: CellStyle.width, height: WindowMeasures.titleHeight)

    init(scale: Double, displaysAsynchronously: Bool) {
        // A host of its own counts the bar's passes: the figures are those of cells.
        layer = AsyncLayer(renderer: CairoRenderer(), host: DisplayHost(metrics: DisplayMetrics()))
        layer.size = Self.size
        layer.contentsScale = scale
        layer.background = .opaque(CellStyle.page)
        layer.displaysAsynchronously = displaysAsynchronously
        layer.delegate = self
        setNeedsDisplay()
    }

    /// Shows how smooth the last second in motion was, and how many cells wait for their picture.
    ///
    /// Four times a second; and at once when the last cell has its picture, since there may be no next frame
    /// then.
    func update(_ frames: FrameRateStatistics, waitingCount: Int, at time: Duration) {
        let isLast = waitingCount == 0 && self.waitingCount > 0
        guard isLast || time - lastUpdate >= Self.interval else { return }
        lastUpdate = time
        self.waitingCount = waitingCount
        let rate = frames.frames > 0 ? "\(Int(frames.framesPerSecond.rounded())) fps" : "– fps"
        let hitches = (frames.hitchMillisecondsPerSecond * 10).rounded() / 10
        let newText = "\(rate)   \(hitches) ms/s late   \(waitingCount) waiting"
        guard newText != text else { return }
        text = newText
        setNeedsDisplay()
    }

    func change(scale: Double) {
        guard scale != layer.contentsScale else { return }
        layer.contentsScale = scale
        setNeedsDisplay()
    }

    private func setNeedsDisplay() {
        isWaiting = true
        layer.setNeedsDisplay()
    }

    func displayTask(for layer: AsyncLayer<CairoRenderer>) -> DisplayTask<CairoRenderer>? {
        DisplayTask(
            onEnd: { [weak self] outcome in
                if case .superseded = outcome { return }
                self?.isWaiting = false
            },
            draw: { [text] context, _ in
                let title = try TextLayout(
                    RichText("Feed", style: TextStyle(size: 18, weight: .bold, color: CellStyle.ink)))
                let meter = try TextLayout(RichText(text, style: CellStyle.counts))
                context.draw(
                    title, at: Point(x: CellStyle.inset, y: (Self.size.height - title.size.height) / 2))
                context.draw(
                    meter,
                    at: Point(
                        x: Self.size.width - CellStyle.inset - meter.size.width,
                        y: (Self.size.height - meter.size.height) / 2))
                let line = Rect(x: 0, y: Self.size.height - 1, width: Self.size.width, height: 1)
                context.fill(line, with: CellStyle.hairline)
            })
    }
}
