import Foundation

/// Everything that a run has to tell, and the files it becomes.
struct Report: Sendable {
    let summary: Summary
    /// The modes with their frames, in the order in which they ran.
    let runs: [ModeRun]
    /// The way that the modes went that scroll.
    let journey: Journey
    /// The screenshot as a PNG file; nil when no mode that draws was run.
    let screenshot: [UInt8]?
    /// The arguments as they were typed, the program's name left out.
    let arguments: [String]

    /// Sums up a run.
    init(
        feed: Feed, options: Options, runs: [ModeRun], journey: Journey, screenshot: [UInt8]?,
        arguments: [String]
    ) {
        summary = Summary(feed: feed, options: options, modes: runs.map(\.result))
        self.runs = runs
        self.journey = journey
        self.screenshot = screenshot
        self.arguments = arguments
    }

    /// Writes `summary.json`, `report.html` and, when there is a screenshot, `feed.png`, each in one step:
    /// what was there before stays until the new file is complete.
    ///
    /// - Throws: ``DemoError`` with the code `.cannotCreate`.
    func write(to folder: OutputFolder) throws {
        try folder.write(summary.json(), as: "summary.json")
        if let screenshot { try folder.write(Data(screenshot), as: "feed.png") }
        try folder.write(Data(HTMLReport.page(self).utf8), as: "report.html")
    }
}
