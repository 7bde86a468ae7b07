import Synchronization

/// Tiles, no two alike, from where the set is intricate. *Thread-safe.*
final class TileSequence: Sendable {
    private let count = Atomic<Int>(0)

    /// The next one, as in a path: of the left half of a square of 4,096 tiles at zoom 20, row by row. (The
    /// script for wrk has the right half.)
    func next() -> String {
        let number = count.wrappingAdd(1, ordering: .relaxed).oldValue
        return "20/\(Self.left + number % 2_048)/\(Self.top + number / 2_048 % 4_096)"
    }

    private static let left = 524_300
    private static let top = 490_000
}
