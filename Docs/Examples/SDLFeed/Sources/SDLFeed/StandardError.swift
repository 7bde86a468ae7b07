import Foundation

/// Where the program says what went wrong.
enum StandardError {
    /// Writes a line.
    static func tell(_ text: String) {
        FileHandle.standardError.write(Data("SDLFeed: \(text)\n".utf8))
    }
}
