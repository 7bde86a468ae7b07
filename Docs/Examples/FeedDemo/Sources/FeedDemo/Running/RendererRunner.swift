import AsyncLayers

/// Runs the modes with a renderer, one after the other: those that scroll over the same cells and the same way.
///
/// Cells differ in height between renderers, so the same flicks lead past other cells.
@MainActor
struct RendererRunner {
    let feed: Feed
    let options: Options
    /// Told what is going on, and how many of its steps are done.
    let progress: @MainActor (_ label: String, _ done: Int, _ total: Int) -> Void

    func run(_ renderer: FeedRenderer, _ painter: some CellPainter) throws -> RendererRun {
        let layouts = feed.items.enumerated().map { index, item in
            progress("\(prefix(renderer))laying out", index, feed.items.count)
            return painter.layOut(item, number: index + 1, width: Double(options.width))
        }
        let contentHeight = CellColumn(heights: layouts.map(\.size.height)).contentHeight
        let journey = Journey(
            frames: options.frames, contentHeight: contentHeight, viewportHeight: Double(options.height),
            hz: options.hz)
        var runs: [ModeRun] = []
        var pictures = LastPictures()
        for (index, mode) in options.modes.enumerated() {
            let label = "\(prefix(renderer))\(mode.name), \(index + 1) of \(options.modes.count)"
            let runner = ModeRunner(
                renderer: renderer, painter: painter, layouts: layouts, journey: journey, options: options
            ) { progress(label, $0, options.frames) }
            let outcome = try runner.run(mode)
            runs.append(outcome.run)
            if mode.scenario == .scroll, let picture = outcome.screenshot { pictures.add(picture) }
        }
        return RendererRun(
            renderer: renderer, contentHeight: contentHeight, journey: journey, runs: runs,
            screenshot: try pictures.last?.png(), lastPicturesAreEqual: pictures.areEqual)
    }

    private func prefix(_ renderer: FeedRenderer) -> String {
        options.renderers.count > 1 ? "\(renderer.name): " : ""
    }
}
