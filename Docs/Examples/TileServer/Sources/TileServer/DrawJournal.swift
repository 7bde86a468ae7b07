import Foundation
import TileServing

/// A file with a line for each draw: when it began, by the monotonic clock in nanoseconds, and which tile's
/// it is. Clients on the same machine can tell by it what was drawn after they had left. *Thread-safe.*
final class DrawJournal: @unchecked Sendable {  // the C library locks the stream for each call
    private let file: UnsafeMutablePointer<FILE>

    /// Appends to the file, or makes it.
    init(path: String) throws {
        guard let file = fopen(path, "a") else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path])
        }
        self.file = file
    }

    deinit { fclose(file) }

    func note(_ tile: TileAddress) {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        fputs("\(time.tv_sec * 1_000_000_000 + time.tv_nsec) \(tile)\n", file)
        fflush(file)
    }
}
