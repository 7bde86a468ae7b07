extension FeedMode {
    /// Draws each cell that comes into view on the main thread, within the frame.
    static let synchronous = FeedMode(
        name: "synchronous", manner: "on the main thread",
        accent: Accent(onLight: "#c2701c", onDark: "#e39a4a"), cells: SynchronousCells())
}

private struct SynchronousCells: CellMaking {
    func factory<Painter>(_ setting: CellSetting<Painter>) -> CellFactory<Painter> {
        CellFactory { LayerCell(layout: $0, setting: setting, asynchronously: false, pass: $1) }
    }
}
