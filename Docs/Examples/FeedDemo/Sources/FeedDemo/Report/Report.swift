import Foundation

/// Everything that a run has to tell, and the files it becomes.
struct Report: Sendable {
    let summary: Summary
    /// What each renderer's runs have left, in the order in which they ran.
    let renderers: [RendererRun]
    /// The arguments as they were typed, the program's name left out.
    let arguments: [String]

    /// Sums up a run.
    init(feed: Feed, options: Options, renderers: [RendererRun], arguments: [String]) {
        summary = Summary(feed: feed, options: options, renderers: renderers)
        self.renderers = renderers
        self.arguments = arguments
    }

    /// Writes `summary.json`, `report.html` and the screenshots that there are, each in one step: what was
    /// there before stays until the new file is complete.
    ///
    /// - Throws: ``DemoError`` with the code `.cannotCreate`.
    func write(to folder: OutputFolder) throws {
        try folder.write(summary.json(), as: "summary.json")
        for case (let renderer, let screenshot?) in renderers.map({ ($0.renderer, $0.screenshot) }) {
            try folder.write(Data(screenshot), as: renderer.screenshotName)
        }
        try folder.write(Data(HTMLReport.page(self).utf8), as: "report.html")
    }
}
