import ArgumentParser
import FeedKit
import QueuePools

/// The program: a feed in a window, or a measurement without one.
@main struct SDLFeedCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "SDLFeed",
        abstract: "A feed in an SDL window, drawn with Cairo and Pango off the main thread.",
        usage: "SDLFeed [options]",
        discussion: """
            Actions of --script:
              wheel:N    N notches of the wheel, negative is down the feed; -10000 to 10000
              drag:D     drag by D points and hold still, negative is down the feed; -100000 to 100000
              flick:V    flick at V points a second, negative is down the feed; -100000 to 100000
              key:NAME   \(ScrollKey.allCases.map(\.rawValue).joined(separator: ", "))
              click:X:Y  click at a place of the window, in points
              rest       wait until the feed has come to rest
              wait       wait until it rests and shows every post in view
              quit       end the program

            Keys: arrows, page up and page down, home and end; q or escape quits. A click on a heart likes the post.

            Exit status: 0 done, 1 over the bar, 64 wrong usage, 66 no pictures, 69 no display, 73 a file cannot be \
            written.
            """)

    @OptionGroup var options: SDLFeedOptions

    /// Prints the help if it is requested, with any other arguments.
    static func main() {
        main(HelpRequest.alone(in: Array(CommandLine.arguments.dropFirst())))
    }

    func run() throws {
        do {
            // The entry point runs on the main thread.
            try MainActor.assumeIsolated { try runFeed() }
        } catch let error as ProgramError {
            StandardError.write("SDLFeed: \(error)\n")
            throw ExitCode(error.code.rawValue)
        }
    }

    @MainActor
    private func runFeed() throws {
        #if os(Linux)
            // The main thread's share is as before, only sooner: it does not wait behind threads that draw.
            ThreadScheduling().applyToCurrentThread()
        #endif
        guard options.measures else { return try WindowProgram(options: options).run() }
        guard try Measurement(options: options).run() else { throw ExitCode.failure }
    }
}
