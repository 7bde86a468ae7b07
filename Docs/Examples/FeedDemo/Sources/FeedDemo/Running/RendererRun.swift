/// What one renderer's runs of all modes leave behind.
struct RendererRun: Sendable {
    let renderer: FeedRenderer
    /// The height of all cells together, in points.
    let contentHeight: Double
    /// The way that the modes went that scroll.
    let journey: Journey
    /// The modes with their frames, in the order in which they ran.
    let runs: [ModeRun]
    /// The screenshot as a PNG file; nil when no mode that draws was run.
    let screenshot: [UInt8]?
    /// True when all modes that scroll showed the same in the end, pixel for pixel.
    let lastPicturesAreEqual: Bool

    /// The modes of a scenario.
    func runs(of scenario: FeedMode.Scenario) -> [ModeRun] {
        runs.filter { $0.result.scenario == scenario }
    }
}
