extension FeedMode {
    /// Draws each cell that comes into view through an async layer.
    static let layered = FeedMode(
        name: "layered", manner: "through an async layer",
        accent: Accent(onLight: "#1f6fc0", onDark: "#5aa5f0"), cells: LayerCells())

    /// The same in a storm of invalidations.
    static let storm = FeedMode(
        name: "storm", manner: "through async layers",
        scenario: .storm, accent: layered.accent, cells: layered.cells)
}

private struct LayerCells: CellMaking {
    func factory<Painter>(_ setting: CellSetting<Painter>) -> CellFactory<Painter> {
        CellFactory { LayerCell(layout: $0, setting: setting, pass: $1) }
    }
}
