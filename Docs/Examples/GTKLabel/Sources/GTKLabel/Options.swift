/// What the command line asks for.
struct Options: Hashable, Sendable {
    /// Where to save a picture of the window, once the text is shown; the program ends then.
    var screenshot: String?
    /// How long the program runs, in seconds; nil for as long as its window is open.
    var quitAfter: Double?
    /// Whether to change the text and its size in every frame from the start.
    var storms = false
    /// Whether to print what happens.
    var logs = false
    /// Whether to print the usage and do nothing else.
    var help = false

    static let usage = """
        usage: GTKLabel [options]

        Opens a window with a text that is laid out and drawn off the main thread, and whose links can be clicked.

          --screenshot FILE      save the window as PNG when the text is shown, then quit
          --quit-after SECONDS   quit after this time
          --storm                change the text and its size in every frame, from the start
          --log                  print what happens: pictures, links and where they are, clicks
          --help                 print this
        """

    /// Why a command line makes no sense.
    struct UsageError: Error, CustomStringConvertible {
        let description: String
    }

    /// Reads a command line, without the program's name.
    init(_ arguments: some Sequence<String>) throws(UsageError) {
        var rest = arguments.makeIterator()
        while let argument = rest.next() {
            switch argument {
            case "--screenshot": screenshot = try Self.value(of: argument, rest.next())
            case "--quit-after":
                let text = try Self.value(of: argument, rest.next())
                guard let seconds = Double(text), seconds > 0, seconds <= 86_400 else {
                    throw UsageError(description: "--quit-after wants seconds, above 0, not '\(text)'")
                }
                quitAfter = seconds
            case "--storm": storms = true
            case "--log": logs = true
            case "--help", "-h": help = true
            default: throw UsageError(description: "unknown argument '\(argument)'")
            }
        }
    }

    private static func value(of option: String, _ value: String?) throws(UsageError) -> String {
        guard let value, !value.isEmpty else { throw UsageError(description: "\(option) wants a value") }
        return value
    }
}
