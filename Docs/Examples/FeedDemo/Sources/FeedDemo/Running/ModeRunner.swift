import AsyncLayers
import FeedKit
import QueuePoolsTopology

/// Runs one mode: all its frames, then the time it takes for the last pictures to arrive.
@MainActor
struct ModeRunner<Painter: FeedPainter> {
    let renderer: FeedRenderer
    let painter: Painter
    let layouts: [Painter.Layout]
    let journey: ReadingJourney
    let options: FeedDemoOptions
    /// Called with how many frames are done.
    let progress: @MainActor (Int) -> Void

    /// What a mode leaves behind.
    struct Outcome {
        let run: ModeRun
        /// What the window shows at the end; nil where it shows nothing.
        let screenshot: Screenshot?
        /// What it showed during the scroll; nil for modes that are not compared by pictures.
        let midScroll: MidScrollPicture?
    }

    func run(_ mode: FeedMode) throws -> Outcome {
        painter.beginRun()
        let view = makeView(mode)
        var peakThreads = ProcessProbe.threadCount
        let pictureFrame = mode.isPictured ? journey.pictureFrame : nil
        var midScroll: MeasuredFeed<Painter>.Shot?
        let loop = RunLoopFrames(
            hz: options.hz, frameCount: journey.steps.count,
            frame: { index in
                switch mode.scenario {
                case .scroll:
                    let step = journey.steps[index]
                    let moved = step.offset - view.window.offset
                    view.scroll(to: step.offset, speed: moved * Double(options.hz), after: step.events)
                case .storm:
                    view.scroll(to: 0)
                    view.invalidate()
                }
            },
            count: { view.cellsInView },
            afterFrame: { index in
                view.frameEnded()
                // Drawn when the run is over.
                if index == pictureFrame { midScroll = view.shot }
                if let now = ProcessProbe.threadCount { peakThreads = max(peakThreads ?? 0, now) }
                progress(index + 1)
            })
        loop.run(until: { view.isAtRest })
        let duringFrames = view.counters.framesWithNewPicture
        // The last pictures came when there was no frame left to show them.
        view.frameEnded()
        view.close()
        let run = ModeRun(
            renderer: renderer, mode: mode, recorder: loop.recorder, passes: view.counters.total,
            again: view.counters.again, framesWithNewPicture: duringFrames,
            drawMilliseconds: view.painter.drawTimes.milliseconds,
            peakThreads: peakThreads, peakBytesInFlight: view.painter.base.bytesInFlight.peak,
            cachedBytes: view.cachedBytes, finalOffset: view.window.offset)
        var picture: MidScrollPicture?
        if let pictureFrame, let midScroll {
            picture = MidScrollPicture(
                mode: mode, cells: run.frames[pictureFrame].cells,
                png: try view.screenshot(of: midScroll).png())
        }
        return Outcome(
            run: run, screenshot: mode.showsCells ? try view.screenshot(of: view.shot) : nil,
            midScroll: picture)
    }

    private func makeView(_ mode: FeedMode) -> MeasuredFeed<Painter> {
        let isStorm = mode.scenario == .storm
        return MeasuredFeed(
            painter: painter, layouts: isStorm ? Storm.layouts(from: layouts) : layouts,
            viewport: Size(width: Double(options.width), height: Double(options.height)),
            scale: options.scale, mode: mode,
            drawCost: isStorm ? options.stormDrawCost : options.drawCost)
    }
}

/// What the window showed during the scroll: see ``ReadingJourney/pictureFrame``.
struct MidScrollPicture: Sendable {
    let mode: FeedMode
    /// What the cells in view showed.
    let cells: CellCounts
    /// A PNG file.
    let png: [UInt8]
}

/// The feed that a storm of invalidations is let loose on: as many cells as the machine has cores, so that
/// each could be drawn all the time. More would only share the cores, in any mode.
enum Storm {
    /// The first cells of a feed, one per active core, at least one.
    static func layouts<Layout: CellLayout>(
        from layouts: [Layout], cores: Int = CPUTopology.current().activeProcessorCount
    ) -> [Layout] {
        Array(layouts.prefix(max(cores, 1)))
    }
}
