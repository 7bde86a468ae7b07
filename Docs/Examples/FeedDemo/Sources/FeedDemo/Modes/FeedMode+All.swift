extension FeedMode: CaseIterable {
    /// All modes, in the order in which they run and are shown.
    static let allCases: [FeedMode] = [
        .baseline, .synchronous, .yyAsyncLayer, .layered, .filtered, .cached, .stormYYAsyncLayer, .storm,
    ]

    /// Scrolls and draws nothing: what remains is the noise of the machine and of the run loop.
    static let baseline = FeedMode(
        name: "baseline", manner: nil,
        accent: Accent(onLight: "#7c8798", onDark: "#8d99aa"), cells: nil)

    /// Draws each cell that comes into view on the main thread, within the frame.
    static let synchronous = FeedMode(
        name: "synchronous", manner: "on the main thread",
        accent: Accent(onLight: "#c2701c", onDark: "#e39a4a"), cells: .synchronousLayers)

    /// Draws each cell that comes into view by the algorithm of YYAsyncLayer.
    static let yyAsyncLayer = FeedMode(
        name: "yyasynclayer", manner: "as YYAsyncLayer (2015) does",
        accent: Accent(onLight: "#9a3fa5", onDark: "#cf8ad8"), cells: .yyAsyncLayers)

    /// Draws each cell through an async layer, before it comes into view, and as a draft first where cells
    /// come faster than they can be drawn.
    static let layered = FeedMode(
        name: "layered", manner: "through an async layer, ahead",
        rows: .prefetched, accent: Accent(onLight: "#1f6fc0", onDark: "#5aa5f0"), cells: .layers)

    /// Draws through async layers, except for the rows that a fast scroll passes over.
    static let filtered = FeedMode(
        name: "filtered", manner: "through an async layer if the scroll stops there",
        rows: .filtered, accent: Accent(onLight: "#2f7a3a", onDark: "#7cc487"), cells: .layers)

    /// What ``layered`` does, but draws each cell once: a cell that comes back finds its picture in a cache.
    static let cached = FeedMode(
        name: "cached", manner: "through an async layer, ahead, with a cache",
        rows: .prefetched, accent: Accent(onLight: "#0b7390", onDark: "#56c4dd"), cells: .cachedLayers)

    /// What ``yyAsyncLayer`` does, in a storm of invalidations.
    static let stormYYAsyncLayer = FeedMode(
        name: "storm-yyasynclayer", manner: "as YYAsyncLayer (2015) does",
        scenario: .storm, accent: yyAsyncLayer.accent, cells: .yyAsyncLayers)

    /// What ``layered`` does, in a storm of invalidations.
    static let storm = FeedMode(
        name: "storm", manner: "through async layers",
        scenario: .storm, accent: layered.accent, cells: .layers)
}
