import Foundation

/// A bar on one line of a terminal. Updates come once a frame, so what is not due is dropped at once: the
/// line is written at most ten times a second, and never when standard error is no terminal.
public struct ProgressBar {
    private let isActive: Bool
    private let write: (String) -> Void
    private var lastUpdate: UInt64?
    private var lineLength = 0

    /// The least time between two updates, in nanoseconds.
    public static let interval: UInt64 = 100_000_000
    private static let width = 28

    /// Makes a bar.
    ///
    /// - Parameters:
    ///   - isActive: false makes every call do nothing.
    ///   - write: puts text on the terminal.
    public init(
        isActive: Bool = StandardError.isTerminal,
        write: @escaping (String) -> Void = StandardError.write
    ) {
        self.isActive = isActive
        self.write = write
    }

    /// Shows how far a step is.
    ///
    /// - Parameters:
    ///   - label: what is being done.
    ///   - done: how many of the steps are done; `total` and more fill the bar.
    ///   - now: in nanoseconds, of any clock.
    public mutating func update(_ label: String, done: Int, of total: Int, now: UInt64) {
        guard isActive else { return }
        if let lastUpdate, now < lastUpdate &+ ProgressBar.interval { return }
        lastUpdate = now
        let share = total > 0 ? min(max(Double(done) / Double(total), 0), 1) : 1
        let filled = Int(share * Double(ProgressBar.width))
        let bar =
            String(repeating: "#", count: filled) + String(repeating: ".", count: ProgressBar.width - filled)
        let line = "\(label) [\(bar)] \(Int(share * 100)) %"
        write("\r" + line + String(repeating: " ", count: max(0, lineLength - line.count)))
        lineLength = line.count
    }

    /// Clears the line, so that what is printed next starts on an empty one.
    public mutating func finish() {
        guard isActive, lineLength > 0 else { return }
        write("\r" + String(repeating: " ", count: lineLength) + "\r")
        lineLength = 0
        lastUpdate = nil
    }
}

/// The stream that programs print errors and progress to.
public enum StandardError {
    /// True if it is a terminal.
    public static var isTerminal: Bool { isatty(FileHandle.standardError.fileDescriptor) == 1 }

    /// Writes text as it is, at once. What cannot be written is lost.
    public static func write(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
