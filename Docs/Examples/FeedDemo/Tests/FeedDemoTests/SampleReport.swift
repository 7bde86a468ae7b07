import ArgumentParser
import AsyncLayers
import FeedKit

@testable import FeedDemo

/// A report of made-up figures.
enum SampleReport {
    static func report(
        frames: Int = 900, hz: Int = 120, modes: [FeedMode] = FeedMode.allCases,
        renderers: [FeedRenderer] = [.bitmap], screenshot: [UInt8]? = nil,
        lastPicturesAreEqual: Bool = true, arguments: [String] = ["--hz", "120"]
    ) -> Report {
        let feed = Feed(
            items: (0..<600).map { index in
                FeedItem(
                    author: "Author \(index % 7)", source: "File", kind: .paragraph, text: "Text \(index).")
            }, fileCount: 9, isTruncated: false)
        var options = FeedDemoOptions.defaults
        options.hz = hz
        options.frames = frames
        options.modes = modes
        options.renderers = renderers
        let runs = renderers.map { renderer in
            let contentHeight = renderer == .bitmap ? 90_000.0 : 120_000
            let journey = ReadingJourney(
                frames: frames, contentHeight: contentHeight, viewportHeight: Double(options.height), hz: hz)
            return RendererRun(
                renderer: renderer, contentHeight: contentHeight, journey: journey,
                runs: modes.map { run($0, renderer, offsets: journey.offsets, hz: hz) },
                midScroll: modes.filter { $0.isPictured && screenshot != nil }.map {
                    MidScrollPicture(
                        mode: $0, cells: CellCounts(visible: 7, empty: 6, drafts: 1), png: screenshot ?? [])
                },
                screenshot: screenshot,
                lastPicturesAreEqual: lastPicturesAreEqual)
        }
        return Report(feed: feed, options: options, renderers: runs, arguments: arguments)
    }

    private static func run(
        _ mode: FeedMode, _ renderer: FeedRenderer, offsets: [Double], hz: Int
    ) -> ModeRun {
        var random = SeededGenerator(seed: renderer == .bitmap ? 5 : 6)
        var recorder = FrameRecorder(grid: FrameGrid(hz: hz, origin: 1_000), frameCount: offsets.count)
        var passes = PassCounts()
        for (frame, offset) in offsets.enumerated() {
            let moved = frame > 0 ? abs(offset - offsets[frame - 1]) : 0
            let begin = recorder.nextFrameTime + UInt64(random.number(in: 20_000...180_000))
            var work = random.number(in: 5_000...60_000)
            if random.next() % 300 == 0 { work += 3_000_000 }
            let reveals = random.number(in: 0...140) < moved
            if mode.showsCells, reveals || frame == 0 {
                passes.begin()
                if mode != .synchronous, random.next() % 9 == 0 {
                    let hasDrawn = random.next() % 2 == 0
                    passes.end(.superseded(hasDrawn ? .drawing : .waiting), hasDrawn: hasDrawn)
                } else {
                    passes.end(.committed(isInterim: false), hasDrawn: true, inSameTurn: mode == .synchronous)
                }
                work += mode == .synchronous ? random.number(in: 3_000_000...19_000_000) : 140_000
            }
            recorder.record(
                begin: begin, end: begin + UInt64(work),
                cells: CellCounts(
                    visible: 7, empty: mode == .yyAsyncLayer && reveals && frame % 3 == 0 ? 1 : 0,
                    drafts: mode == .layered && reveals && frame % 3 == 0 ? 1 : 0))
        }
        let shown = mode == .storm ? Array(stride(from: 11, to: offsets.count, by: 11)) : []
        return ModeRun(
            renderer: renderer, mode: mode, recorder: recorder, passes: passes,
            framesWithNewPicture: [shown, shown],
            drawMilliseconds: Distribution(mode.showsCells ? [1, 2, 4] : []),
            peakThreads: mode == .layered ? 7 : 3,
            peakBytesInFlight: mode == .baseline ? 0 : mode == .layered ? 6_400_000 : 1_200_000,
            finalOffset: offsets.last ?? 0)
    }
}

extension FeedDemoOptions {
    /// What an empty command line means.
    static var defaults: FeedDemoOptions { try! parse([]) }
}
