import AsyncLayers

extension FeedMode {
    /// Draws each cell through an async layer, once: a cell that comes back finds its picture in a cache.
    static let cached = FeedMode(
        name: "cached", manner: "through an async layer with a cache",
        accent: Accent(onLight: "#0b7390", onDark: "#56c4dd"), cells: CachedCells())
}

private struct CachedCells: CellMaking {
    func factory<Painter>(_ setting: CellSetting<Painter>) -> CellFactory<Painter> {
        let cache = ContentsCache<MeteredRenderer<Painter.Base>>(byteLimit: Self.byteLimit)
        return CellFactory(cachedBytes: { cache.byteCount }) {
            LayerCell(layout: $0, setting: setting, cache: cache, pass: $1)
        }
    }

    /// Room for every cell of the way at the default size and scale, which is some 150 MiB.
    private static let byteLimit = 512 << 20
}
