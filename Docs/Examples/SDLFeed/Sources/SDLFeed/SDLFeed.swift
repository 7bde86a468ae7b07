import Foundation
import QueuePools

/// The program: a feed in a window, or a measurement without one.
@main struct SDLFeed {
    @MainActor static func main() {
        #if os(Linux)
            // The main thread's share is as before, only sooner: it does not wait behind threads that draw.
            ThreadScheduling().applyToCurrentThread()
        #endif
        exit(status(of: Array(CommandLine.arguments.dropFirst())))
    }

    /// Does what a command line asks for, and returns the status to exit with.
    @MainActor static func status(of arguments: [String]) -> Int32 {
        do {
            switch try OptionParser.parse(arguments) {
            case .help: print(Options.help, terminator: "")
            case .run(let options):
                if options.measures { return try Measurement(options: options).run() }
                try WindowProgram(options: options).run()
            }
            return EXIT_SUCCESS
        } catch let error as ProgramError {
            StandardError.tell("\(error)\(error.code == .usage ? "; --help tells more" : "")")
            return error.code.rawValue
        } catch {
            StandardError.tell("\(error)")
            return EXIT_FAILURE
        }
    }
}
