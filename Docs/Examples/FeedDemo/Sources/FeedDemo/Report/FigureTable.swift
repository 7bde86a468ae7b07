/// Some figures of some modes, side by side; those of several renderers one below the other.
struct FigureTable: Sendable {
    let figures: [Figure]
    /// The columns.
    let modes: [FeedMode]
    /// For each renderer the results of these modes.
    let results: [RendererResults]

    /// The table of the modes of a scenario; nil when none of them was run.
    init?(of scenario: FeedMode.Scenario, from results: [ModeResult]) {
        self.results = results.filter { $0.scenario == scenario }.byRenderer
        guard let first = self.results.first else { return nil }
        modes = first.modes.map(\.mode)
        figures =
            switch scenario {
            case .scroll: Figure.scroll
            case .storm: Figure.storm
            }
    }
}
