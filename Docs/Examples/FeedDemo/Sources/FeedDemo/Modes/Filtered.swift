extension FeedMode {
    /// Draws through async layers, but for the rows that a fast scroll only passes.
    static let filtered = FeedMode(
        name: "filtered", manner: "through an async layer if the scroll stops there",
        rows: .filtered, accent: Accent(onLight: "#2f7a3a", onDark: "#7cc487"),
        cells: layered.cells)
}
