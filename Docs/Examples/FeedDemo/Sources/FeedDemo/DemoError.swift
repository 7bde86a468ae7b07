/// Why the program ends early: a message for people, and an exit status for scripts.
struct DemoError: Error, Equatable, CustomStringConvertible {
    /// The exit statuses, numbered as in BSD's `sysexits.h` so that scripts can tell them apart.
    enum Code: Int32 {
        /// The command line makes no sense.
        case usage = 64
        /// The input was read and is of no use: binary, empty, too large.
        case badData = 65
        /// The input is missing or cannot be read.
        case noInput = 66
        /// The output cannot be made or written.
        case cannotCreate = 73
    }

    /// What kind of failure it is.
    let code: Code
    /// One line without the program's name and without a full stop.
    let message: String

    /// Makes an error of a kind, with its message.
    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The line that is printed to standard error.
    var description: String {
        code == .usage ? "FeedDemo: \(message); see --help" : "FeedDemo: \(message)"
    }
}
