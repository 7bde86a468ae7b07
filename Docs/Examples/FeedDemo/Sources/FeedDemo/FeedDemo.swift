import Foundation
import QueuePools

/// The program: reads text, makes a feed of it, runs it in the modes and with the
/// renderers that were asked for, writes the report.
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
        let painters = try options.renderers.map { ($0, try $0.painter(options)) }
        let folder = try OutputFolder(path: options.output)
        if feed.isTruncated {
            tellError("FeedDemo: only the first \(feed.items.count) cells are shown; the rest is left out\n")
        }
        print("\(feed.items.count) cells from \(feed.fileCount) \(feed.fileCount == 1 ? "file" : "files")")
        let report = try measure(feed, painters, options, arguments: arguments)
        for table in report.summary.tables { print(TextTable.text(table)) }
        try report.write(to: folder)
        print("Written: \(folder.path(of: "report.html"))")
    }

    /// Runs the modes with each renderer in turn.
    @MainActor
    private static func measure(
        _ feed: Feed, _ painters: [(FeedRenderer, any CellPainter)], _ options: Options, arguments: [String]
    ) throws -> Report {
        var bar = ProgressBar()
        let runner = RendererRunner(feed: feed, options: options) { label, done, total in
            bar.update(label, done: done, of: total, now: ProcessProbe.now)
        }
        let renderers = try painters.map { renderer, painter in try runner.run(renderer, painter) }
        bar.finish()
        return Report(feed: feed, options: options, renderers: renderers, arguments: arguments)
    }
}
