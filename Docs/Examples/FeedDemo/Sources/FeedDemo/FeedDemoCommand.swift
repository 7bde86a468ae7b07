import ArgumentParser
import FeedKit
import QueuePools

/// The program: reads text, makes a feed of it, runs it in the modes and with the renderers that were
/// requested, and writes the report.
@main struct FeedDemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "FeedDemo",
        abstract: """
            Makes a feed of cells from text, runs it in several modes, and writes what each of them cost the main \
            thread and what it showed.
            """,
        usage: "FeedDemo [options]",
        discussion: """
            Modes:
            \(lines(FeedMode.allCases.map { ($0.name, $0.explanation) }))

            Renderers:
            \(lines(FeedRenderer.allCases.map { ($0.name, $0.explanation) }))
            \(FeedRenderer.builtIn == FeedRenderer.allCases
                ? "All of them are built in."
                : "cairo is built in by: \(FeedRenderer.command(FeedRenderer.allCases))")

            The modes that scroll all take the same way: flings forward, a tap that scrolls to the top, and flings over \
            what was seen before. In the modes that storm the feed stands still, and every cell is invalidated in every frame; \
            it has one cell per core, so that each could be drawn all the time.

            Exit status: 0 done, 64 wrong usage, 65 input of no use, 66 input missing, 73 output not made.
            """)

    @OptionGroup var options: FeedDemoOptions

    /// Prints the help if it is requested, with any other arguments.
    static func main() {
        main(HelpRequest.alone(in: Array(CommandLine.arguments.dropFirst())))
    }

    func run() throws {
        do {
            // The entry point runs on the main thread.
            try MainActor.assumeIsolated { try runModes() }
        } catch let error as ProgramError {
            StandardError.write("FeedDemo: \(error)\n")
            throw ExitCode(error.code.rawValue)
        }
    }

    @MainActor
    private func runModes() throws {
        #if os(Linux)
            ThreadScheduling().applyToCurrentThread()  // the main thread's share is as before, only sooner
        #endif
        let feed = try FeedLoader.load(options.inputs)
        let painters = try options.renderers.map { ($0, try $0.painter(options)) }
        let folder = try OutputFolder(path: options.output)
        if feed.isTruncated {
            StandardError.write(
                "FeedDemo: only the first \(feed.items.count) cells are shown; the rest is left out\n")
        }
        print("\(feed.items.count) cells from \(feed.fileCount) \(feed.fileCount == 1 ? "file" : "files")")
        let report = Report(
            feed: feed, options: options, renderers: try measure(feed, painters),
            arguments: Array(CommandLine.arguments.dropFirst()))
        for table in report.summary.tables { print(TextTable.text(table)) }
        try report.write(to: folder)
        print("Written: \(folder.path(of: "report.html"))")
    }

    /// Runs the modes with each renderer in turn.
    @MainActor
    private func measure(_ feed: Feed, _ painters: [(FeedRenderer, any FeedPainter)]) throws -> [RendererRun]
    {
        var bar = ProgressBar()
        defer { bar.finish() }
        let runner = RendererRunner(feed: feed, options: options) { label, done, total in
            bar.update(label, done: done, of: total, now: ProcessProbe.now)
        }
        return try painters.map { renderer, painter in try runner.run(renderer, painter) }
    }

    /// A line for each name, with its explanation.
    private static func lines(_ list: [(name: String, explanation: String)]) -> String {
        list.map { name, explanation in
            "  " + name + String(repeating: " ", count: max(1, 16 - name.count)) + explanation
        }.joined(separator: "\n")
    }
}
