/// Why a program ends without doing what was requested: a message for people, and an exit status for scripts.
public struct ProgramError: Error, Equatable, CustomStringConvertible {
    /// The exit statuses, numbered as in BSD's `sysexits.h` so that scripts can tell them apart.
    public enum Code: Int32, Sendable {
        /// The command line makes no sense.
        case usage = 64
        /// The input was read and is of no use: binary, empty, too large.
        case badData = 65
        /// The input is missing or cannot be read.
        case noInput = 66
        /// There is no display.
        case unavailable = 69
        /// The output cannot be made or written.
        case cannotCreate = 73
    }

    /// What kind of failure it is.
    public let code: Code
    /// One line without the program's name and without a full stop.
    public let message: String

    /// Makes an error of a kind, with its message.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }
}

/// Looks for a request for help on the command line.
public enum HelpRequest {
    /// The arguments that a program parses: the flag for help alone if it is among them, else all.
    ///
    /// A parser of arguments may refuse the value of an option before it looks for the flag. Arguments behind
    /// `--` are no flags.
    public static func alone(in arguments: [String]) -> [String] {
        let flag = arguments.prefix { $0 != "--" }.first { ["-h", "--help"].contains($0) }
        return flag.map { [$0] } ?? arguments
    }
}

/// Reads the values of options. What they throw has the code `.usage` and says what the value must be.
public enum OptionValue {
    /// A whole number within limits.
    public static func wholeNumber(_ text: String, in range: ClosedRange<Int>) throws(ProgramError) -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw ProgramError(
                .usage, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A number within limits.
    public static func number(_ text: String, in range: ClosedRange<Double>) throws(ProgramError) -> Double {
        // A NaN is in no range, so it is refused here too.
        guard let number = Double(text), range.contains(number) else {
            func limit(_ value: Double) -> String {
                value == value.rounded() ? "\(Int(value))" : "\(value)"
            }
            throw ProgramError(
                .usage, "must be a number from \(limit(range.lowerBound)) to \(limit(range.upperBound))")
        }
        return number
    }

    /// How the help of an option says to write a path that begins with a dash: behind a space, the parser
    /// takes it for another option.
    public static func dashNote(_ option: String) -> String {
        "A name that begins with a dash is written --\(option)=-name."
    }

    /// A path or another text that is not empty.
    public static func path(_ text: String) throws(ProgramError) -> String {
        guard !text.isEmpty else { throw ProgramError(.usage, "must not be empty") }
        return text
    }
}
