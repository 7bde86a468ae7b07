/// Why the program ends without doing what it was asked for.
struct ProgramError: Error, Equatable, CustomStringConvertible {
    /// What the process exits with: the numbers of `sysexits.h`.
    enum Code: Int32 {
        /// The command line makes no sense.
        case usage = 64
        /// There are no pictures to be shown.
        case noInput = 66
        /// There is no display.
        case unavailable = 69
        /// A file cannot be written.
        case cannotCreate = 73
    }

    let code: Code
    let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
