import AsyncLayers
import BitmapRendering

/// Runs one mode: the whole scroll, then the time it takes for the last pictures to arrive.
@MainActor
struct ModeRunner {
    let layouts: [CellLayout]
    /// Where the window is at each frame, in points.
    let offsets: [Double]
    let options: Options
    /// Told how many frames are done.
    let progress: @MainActor (Int) -> Void

    /// What a mode leaves behind.
    struct Outcome {
        let run: ModeRun
        /// What the window shows at the end; nil for ``FeedMode/baseline``, which shows nothing.
        let screenshot: Bitmap?
    }

    func run(_ mode: FeedMode) throws -> Outcome {
        let viewport = Size(width: Double(options.width), height: Double(options.height))
        let view = FeedView(layouts: layouts, viewport: viewport, scale: options.scale, mode: mode)
        var peakThreads = ProcessProbe.threadCount
        let loop = FrameLoop(
            hz: options.hz, frameCount: offsets.count,
            frame: { view.scroll(to: offsets[$0]) },
            count: { (view.visibleCells.count, mode == .baseline ? 0 : view.emptyCellCount) },
            afterFrame: { index in
                if let now = ProcessProbe.threadCount { peakThreads = max(peakThreads ?? 0, now) }
                progress(index + 1)
            })
        loop.run(until: { view.passes.unfinished == 0 })
        let run = ModeRun(
            mode: mode, recorder: loop.recorder, passes: view.passes, peakThreads: peakThreads,
            peakBytesInFlight: view.bytesInFlight.peak, finalOffset: view.offset)
        return Outcome(run: run, screenshot: mode == .baseline ? nil : try view.screenshot())
    }
}
