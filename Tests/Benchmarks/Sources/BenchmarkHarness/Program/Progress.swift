import Foundation

/// Tells the person who waits how far the run is, on standard error: a bar on a terminal, elsewhere a line
/// for each benchmark when it is done.
final class Progress {
    private let total: Int
    private let isTerminal: Bool
    private let write: (String) -> Void
    private var done = 0
    private var current = ""
    private var shown = 0

    private static let width = 30

    /// - Parameters:
    ///   - total: all of the work, in the unit of ``advance(by:)``.
    ///   - isTerminal: whether a line can be written over.
    ///   - write: puts text on standard error.
    init(
        total: Int, isTerminal: Bool = isatty(STDERR_FILENO) == 1,
        write: @escaping (String) -> Void = { FileHandle.standardError.write(Data($0.utf8)) }
    ) {
        self.total = max(total, 1)
        self.isTerminal = isTerminal
        self.write = write
    }

    /// A benchmark begins.
    func begin(_ name: String) {
        current = name
        refresh()
    }

    /// So much more of the work is done.
    func advance(by work: Int) {
        done += work
        refresh()
    }

    /// A benchmark has ended.
    func end(contenders: Int, seconds: Double) {
        clear()
        guard !isTerminal else { return }
        write("\(current): \(contenders) contenders, \(Figure.text(seconds)) s\n")
    }

    /// Draws the bar again.
    func refresh() {
        guard isTerminal else { return }
        let share = min(Double(done) / Double(total), 1)
        let filled = Int(share * Double(Self.width))
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: Self.width - filled)
        let line = "[\(bar)] \(Int(share * 100)) % \(current)"
        write("\r" + line + String(repeating: " ", count: max(0, shown - line.count)))
        shown = line.count
    }

    /// Takes the bar off the line, so that something else can be written there.
    func clear() {
        guard isTerminal, shown > 0 else { return }
        write("\r" + String(repeating: " ", count: shown) + "\r")
        shown = 0
    }
}
