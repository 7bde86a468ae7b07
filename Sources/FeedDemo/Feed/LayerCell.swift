import AsyncLayers
import BitmapRendering

/// A cell that is an ``AsyncLayer``, and the delegate that tells the layer what to draw.
@MainActor
final class LayerCell: FeedCell, AsyncLayerDelegate {
    private let layer: AsyncLayer<MeteredRenderer>
    private let layout: CellLayout
    private let setting: CellSetting
    private let makePass: @MainActor () -> ObservedPass

    init(
        layout: CellLayout, setting: CellSetting, asynchronously: Bool,
        pass: @escaping @MainActor () -> ObservedPass
    ) {
        self.layout = layout
        self.setting = setting
        makePass = pass
        layer = AsyncLayer(renderer: setting.renderer)
        layer.bounds = Rect(size: layout.size)
        layer.contentsScale = setting.scale
        layer.isOpaque = true
        layer.backgroundColor = CellLayout.pageColor
        layer.displaysAsynchronously = asynchronously
        layer.delegate = self
        layer.setNeedsDisplay()
    }

    var picture: Bitmap? { layer.contents }

    func setNeedsDisplay() { layer.setNeedsDisplay() }

    func displayTask(for layer: AsyncLayer<MeteredRenderer>) -> DisplayTask<MeteredRenderer>? {
        let pass = makePass()
        return DisplayTask(
            willDisplay: { pass.begin() },
            didDisplay: { pass.end(PassEnding($0)) },
            draw: { [layout, setting] context, scope in
                setting.draw(layout, in: context, for: pass) { scope.isCancelled }
            })
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
