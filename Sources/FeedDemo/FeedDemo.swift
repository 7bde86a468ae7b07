import Foundation

/// The program: reads text, makes a feed of it, scrolls it in the modes that were asked for, writes the report.
@main struct FeedDemo {
    static func main() {
        exit(status(of: Array(CommandLine.arguments.dropFirst())))
    }

    /// Does what a command line asks for and returns the status to exit with; what went wrong is told first.
    static func status(
        of arguments: [String], tellError: (String) -> Void = Terminal.writeStandardError
    ) -> Int32 {
        do {
            switch try OptionParser.parse(arguments) {
            case .help: print(Options.help, terminator: "")
            case .run(let options): try run(options, tellError: tellError)
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

    private static func run(_ options: Options, tellError: (String) -> Void) throws {
        let feed = try FeedLoader.load(options.inputs)
        if feed.isTruncated {
            tellError("FeedDemo: only the first \(feed.items.count) cells are shown; the rest is left out\n")
        }
        print("\(feed.items.count) cells from \(feed.fileCount) files")
    }
}
