import Dispatch

/// The same as ``LayersByHand``, with the pictures of all layers in a dictionary without a bound.
@MainActor
final class CachedLayersByHand: LayerHost {
    fileprivate var pictures: [Int: Picture] = [:]

    func makeLayer(_ source: any DrawSource) -> any ContenderLayer {
        CachedLayerByHand(source, self)
    }
}

@MainActor
private final class CachedLayerByHand: ContenderLayer {
    private(set) var picture: Picture?
    private let source: any DrawSource
    private let host: CachedLayersByHand

    init(_ source: any DrawSource, _ host: CachedLayersByHand) {
        self.source = source
        self.host = host
    }

    func invalidate() {
        let draw = source.nextDraw()
        if let key = draw.key, let picture = host.pictures[key] {
            self.picture = picture
            return
        }
        DispatchQueue.global(qos: .userInitiated).async {
            let picture = draw.makePicture { false }
            DispatchQueue.main.async {
                MainActor.assumeIsolated {
                    self.picture = picture
                    if let key = draw.key { self.host.pictures[key] = picture }
                }
            }
        }
    }

    func leaveView() {}
}
