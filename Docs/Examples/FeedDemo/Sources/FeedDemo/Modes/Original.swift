extension FeedMode {
    /// Draws each cell that comes into view by the algorithm that the original libraries publish.
    static let original = FeedMode(
        name: "original", manner: "as the original libraries of 2015 do",
        accent: Accent(onLight: "#9a3fa5", onDark: "#cf8ad8"), cells: OriginalCells())

    /// The same in a storm of invalidations.
    static let stormOriginal = FeedMode(
        name: "storm-original", manner: "as the original libraries of 2015 do",
        scenario: .storm, accent: original.accent, cells: original.cells)
}

private struct OriginalCells: CellMaking {
    func factory<Painter>(_ setting: CellSetting<Painter>) -> CellFactory<Painter> {
        CellFactory { OriginalCell(layout: $0, setting: setting, pass: $1) }
    }
}
