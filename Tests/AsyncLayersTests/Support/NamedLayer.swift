import TestSupport

@testable import AsyncLayers

/// A layer that draws its name, and what it was asked and told.
@MainActor
final class NamedLayer: AsyncLayerDelegate {
    let name: String
    let layer: AsyncLayer<RecordingRenderer>
    private(set) var requests = 0
    private let told = Recorder<String>()
    /// These are called once and released, so that they may retain the object itself.
    var whenAsked: (@MainActor () -> Void)?
    var whenTold: (@MainActor () -> Void)?
    var whileDrawn: (@MainActor @Sendable () -> Void)?
    /// Whether its next draws throw.
    var fails = false
    /// How often it was drawn, and into which contexts.
    let draws = Counter()
    let contexts = Recorder<ContextDescription>()

    init(_ name: String, on bench: LayerBench) {
        self.name = name
        layer = AsyncLayer(renderer: RecordingRenderer(), host: bench.host)
        layer.size = Size(width: 10, height: 20)
        layer.delegate = self
    }

    func displayTask(for layer: AsyncLayer<RecordingRenderer>) -> DisplayTask<RecordingRenderer>? {
        requests += 1
        whenAsked.take()?()
        return DisplayTask(
            onEnd: { [weak self, told] outcome in
                told.append("\(outcome)")
                self?.whenTold.take()?()
            },
            // Manual queues draw on the test's thread.
            draw: { [name, whileDrawn = whileDrawn.take(), fails, draws, contexts] context, _ in
                context.commands.append(name)
                draws.increment()
                contexts.append(context.description)
                if fails { throw CancellationError() }
                MainActor.assumeIsolated { whileDrawn?() }
            })
    }

    var outcomes: [String] { told.elements }

    /// What the layer shows: the names of all that were drawn.
    var names: [String]? { layer.contents?.commands }
}
