/// Some figures of some modes, side by side.
struct FigureTable: Sendable {
    let figures: [Figure]
    let modes: [ModeResult]

    /// The table of the modes of a scenario; nil when none of them was run.
    init?(of scenario: FeedMode.Scenario, from results: [ModeResult]) {
        modes = results.filter { $0.scenario == scenario }
        figures =
            switch scenario {
            case .scroll: Figure.scroll
            case .storm: Figure.storm
            }
        if modes.isEmpty { return nil }
    }
}
