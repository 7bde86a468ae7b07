import AsyncLayers
import FeedKit

/// Runs the modes with a renderer, one after the other: those that scroll over the same cells and the same
/// way.
///
/// Cells differ in height between renderers, so the same flings lead past other cells.
@MainActor
struct RendererRunner {
    let feed: Feed
    let options: FeedDemoOptions
    /// Called with the present task, and with how many of its steps are done.
    let progress: @MainActor (_ label: String, _ done: Int, _ total: Int) -> Void

    func run(_ renderer: FeedRenderer, _ painter: some FeedPainter) throws -> RendererRun {
        let layouts = feed.items.enumerated().map { index, item in
            progress("\(prefix(renderer))laying out", index, feed.items.count)
            return painter.layOut(item, number: index + 1, width: Double(options.width))
        }
        let contentHeight = CellColumn(heights: layouts.map(\.size.height)).contentHeight
        let journey = ReadingJourney(
            frames: options.frames, contentHeight: contentHeight, viewportHeight: Double(options.height),
            hz: options.hz)
        var runs: [ModeRun] = []
        var pictures = LastPictures()
        var midScroll: [MidScrollPicture] = []
        for (index, mode) in options.modes.enumerated() {
            let label = "\(prefix(renderer))\(mode.name), \(index + 1) of \(options.modes.count)"
            let runner = ModeRunner(
                renderer: renderer, painter: painter, layouts: layouts, journey: journey, options: options
            ) { progress(label, $0, options.frames) }
            let outcome = try runner.run(mode)
            runs.append(outcome.run)
            if let picture = outcome.midScroll { midScroll.append(picture) }
            if mode.scenario == .scroll, let picture = outcome.screenshot { pictures.add(picture) }
        }
        return RendererRun(
            renderer: renderer, contentHeight: contentHeight, journey: journey, runs: runs,
            midScroll: midScroll, screenshot: try pictures.last?.png(),
            lastPicturesAreEqual: pictures.areEqual)
    }

    private func prefix(_ renderer: FeedRenderer) -> String {
        options.renderers.count > 1 ? "\(renderer.name): " : ""
    }
}

/// What one renderer's runs of all modes leave behind.
struct RendererRun: Sendable {
    let renderer: FeedRenderer
    /// The height of all cells together, in points.
    let contentHeight: Double
    /// The way that the modes went that scroll.
    let journey: ReadingJourney
    /// The modes with their frames, in the order in which they ran.
    let runs: [ModeRun]
    /// What the modes that are compared by pictures showed during the scroll.
    let midScroll: [MidScrollPicture]
    /// The screenshot as a PNG file; nil when no mode that draws was run.
    let screenshot: [UInt8]?
    /// True when all modes that scroll showed the same in the end, pixel for pixel.
    let lastPicturesAreEqual: Bool

    /// The modes of a scenario.
    func runs(of scenario: FeedMode.Scenario) -> [ModeRun] {
        runs.filter { $0.result.scenario == scenario }
    }
}

/// What the window showed at the end of each mode, compared as they come: two are kept, and not all.
struct LastPictures {
    private(set) var last: Screenshot?
    /// True as long as all have been the same, pixel for pixel.
    private(set) var areEqual = true

    mutating func add(_ picture: Screenshot) {
        if let last, !last.hasSamePixels(as: picture) { areEqual = false }
        last = picture
    }
}
