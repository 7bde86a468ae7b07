import AsyncLayers
import BitmapRendering
import Foundation
import QueuePools

/// The program: reads text, makes a feed of it, runs it in the modes that were asked for, writes the report.
@main struct FeedDemo {
    @MainActor static func main() {
        #if os(Linux)
            ThreadScheduling().applyToCurrentThread()  // the main thread's share is as before, only sooner
        #endif
        exit(status(of: Array(CommandLine.arguments.dropFirst())))
    }

    /// Does what a command line asks for and returns the status to exit with; what went wrong is told first.
    @MainActor static func status(
        of arguments: [String], tellError: (String) -> Void = Terminal.writeStandardError
    ) -> Int32 {
        do {
            switch try OptionParser.parse(arguments) {
            case .help: print(Options.help, terminator: "")
            case .run(let options): try run(options, arguments: arguments, tellError: tellError)
            }
            return EXIT_SUCCESS
        } catch let error as DemoError {
            tellError("\(error)\n")
            return error.code.rawValue
        } catch {
            tellError("FeedDemo: \(error)\n")
            return EXIT_FAILURE
        }
    }

    @MainActor
    private static func run(
        _ options: Options, arguments: [String], tellError: (String) -> Void
    ) throws {
        let feed = try FeedLoader.load(options.inputs)
        let folder = try OutputFolder(path: options.output)
        if feed.isTruncated {
            tellError("FeedDemo: only the first \(feed.items.count) cells are shown; the rest is left out\n")
        }
        print("\(feed.items.count) cells from \(feed.fileCount) \(feed.fileCount == 1 ? "file" : "files")")
        let report = try measure(feed, options, arguments: arguments)
        for table in report.summary.tables { print(TextTable.text(table)) }
        try report.write(to: folder)
        print("Written: \(folder.path(of: "report.html"))")
    }

    /// Runs the modes, one after the other: those that scroll over the same cells and the same way.
    @MainActor
    private static func measure(_ feed: Feed, _ options: Options, arguments: [String]) throws -> Report {
        let layouts = feed.items.enumerated().map { index, item in
            CellLayout(item: item, number: index + 1, width: Double(options.width))
        }
        let journey = Journey(
            frames: options.frames,
            contentHeight: CellColumn(heights: layouts.map(\.size.height)).contentHeight,
            viewportHeight: Double(options.height), hz: options.hz)
        var bar = ProgressBar()
        var runs: [ModeRun] = []
        var screenshot: [UInt8]?
        for (index, mode) in options.modes.enumerated() {
            let label = "\(mode.name), \(index + 1) of \(options.modes.count)"
            let runner = ModeRunner(layouts: layouts, journey: journey, options: options) { done in
                bar.update(label, done: done, of: options.frames, now: ProcessProbe.now)
            }
            let outcome = try runner.run(mode)
            runs.append(outcome.run)
            if mode.scenario == .scroll, let picture = outcome.screenshot {
                screenshot = try PNG.encode(picture)
            }
        }
        bar.finish()
        return Report(
            feed: feed, options: options, runs: runs, journey: journey, screenshot: screenshot,
            arguments: arguments)
    }
}

extension PNG {
    /// The PNG file of a bitmap without transparent pixels, where premultiplied and straight alpha are the
    /// same.
    fileprivate static func encode(_ bitmap: Bitmap) throws -> [UInt8] {
        try encode(
            width: bitmap.pixelWidth, height: bitmap.pixelHeight, rgba: bitmap.withUnsafeBytes { Array($0) })
    }
}
