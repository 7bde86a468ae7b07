import Foundation

/// The two streams that the program prints to.
enum Terminal {
    /// True when standard error is a terminal.
    static var isStandardErrorTerminal: Bool {
        isatty(FileHandle.standardError.fileDescriptor) == 1
    }

    /// Writes to standard error as it is, at once. What cannot be written is lost.
    static func writeStandardError(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
