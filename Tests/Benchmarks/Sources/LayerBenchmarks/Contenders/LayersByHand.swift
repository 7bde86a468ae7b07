import Dispatch

/// What one writes without a library: a global queue, the draw, the main queue, the assignment. Nothing is
/// promised: no order, no cancelling, no bound.
@MainActor
final class LayersByHand: LayerHost {
    func makeLayer(_ source: any DrawSource) -> any ContenderLayer { LayerByHand(source) }
}

@MainActor
final class LayerByHand: ContenderLayer {
    private(set) var picture: Picture?
    private let source: any DrawSource

    init(_ source: any DrawSource) {
        self.source = source
    }

    func invalidate() {
        let draw = source.nextDraw()
        DispatchQueue.global(qos: .userInitiated).async {
            let picture = draw.makePicture { false }
            DispatchQueue.main.async {
                MainActor.assumeIsolated { self.picture = picture }
            }
        }
    }

    func leaveView() {}
}
