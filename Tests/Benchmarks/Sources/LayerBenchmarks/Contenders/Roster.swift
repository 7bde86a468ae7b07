/// All contenders, by name.
enum Roster {
    /// What all others are compared with: this package's layer, used as its documentation says.
    static let ours = LayerKind("AsyncLayer", threads: .own) { try AsyncLayerHost(workers: $0) }

    /// The same in a program with a loop of its own.
    static let flushed = LayerKind("AsyncLayer, flushed by its host", threads: .own) {
        try AsyncLayerHost(workers: $0, request: .setNeedsDisplayAndFlush)
    }

    static let displayed = LayerKind("AsyncLayer.display()", threads: .own) {
        try AsyncLayerHost(workers: $0, request: .display)
    }

    /// With rows drawn at a quarter of their scale first, where more are asked for than can be drawn.
    static let drafting = LayerKind("AsyncLayer with drafts", threads: .own) {
        try AsyncLayerHost(workers: $0, draft: 0.25)
    }

    /// The same, with rows drawn before they come into view.
    static let prefetching = LayerKind(
        "AsyncLayer with drafts, ahead", threads: .own, makeHost: drafting.makeHost)

    /// With rows drawn before they come into view, and no drafts.
    static let ahead = LayerKind("AsyncLayer, ahead", threads: .own, makeHost: ours.makeHost)

    /// With a ``ScrollFilter`` that says which rows of a list to draw.
    static let filtered = LayerKind("AsyncLayer, filtered", threads: .own, makeHost: ours.makeHost)

    /// With a cache that its layers share.
    static let cached = LayerKind("AsyncLayer with a cache", threads: .own) {
        try AsyncLayerHost(workers: $0, hasCache: true)
    }

    /// What layers are there to avoid.
    static let onMainThread = LayerKind("on the main thread", threads: .own) {
        try AsyncLayerHost(workers: $0, isAsynchronous: false)
    }

    static let yyAsyncLayer = LayerKind("YYAsyncLayer (2015)", threads: .dispatchSerial) {
        YYAsyncLayerHost(workers: $0)
    }

    static let byHand = LayerKind("by hand", threads: .dispatchConcurrent) { _ in LayersByHand() }

    static let cachedByHand = LayerKind("a dictionary by hand", threads: .dispatchConcurrent) { _ in
        CachedLayersByHand()
    }
}
