import AsyncLayers
import QueuePoolsSimulations
import TestSupport

/// A layer in a simulation, whose pictures say which pass drew them.
@MainActor
final class Sketch: AsyncLayerDelegate {
    let layer: AsyncLayer<RecordingRenderer>
    private(set) var outcomes: [String] = []
    private(set) var passCount = 0

    /// What a pass does before it draws its number.
    var beforeDrawing: @Sendable (_ pass: Int, DrawScope) throws -> Void = { _, _ in }
    var whenDisplayed: @MainActor () -> Void = {}
    var key: Int?

    init(_ simulation: Simulation) {
        layer = AsyncLayer(renderer: RecordingRenderer(), host: simulation.host)
        layer.size = Size(width: 8, height: 8)
        layer.delegate = self
    }

    func displayTask(for layer: AsyncLayer<RecordingRenderer>) -> DisplayTask<RecordingRenderer>? {
        passCount += 1
        return DisplayTask(
            onEnd: {
                self.outcomes.append($0.description)
                self.whenDisplayed()
            },
            draw: { [passCount, beforeDrawing] context, scope in
                try beforeDrawing(passCount, scope)
                context.commands.append("\(passCount)")
            })
    }

    var shown: String? { layer.contents?.commands.last }
}
