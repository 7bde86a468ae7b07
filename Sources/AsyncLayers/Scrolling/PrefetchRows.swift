/// Rows to prepare, most urgent first: on one side of the visible rows, from the nearest to the farthest, then
/// on the other side.
///
/// The rows are not stored, so that a collection of a million takes no more memory than one of three. O(1)
/// throughout.
public struct PrefetchRows: RandomAccessCollection, Hashable, Sendable {
    /// The rows before the visible ones, to be walked downwards.
    private let before: Range<Int>
    /// The rows after the visible ones, to be walked upwards.
    private let after: Range<Int>
    private let startsAfter: Bool

    /// No rows.
    init() { self.init(before: 0..<0, after: 0..<0, startsAfter: true) }

    init(before: Range<Int>, after: Range<Int>, startsAfter: Bool) {
        self.before = before
        self.after = after
        self.startsAfter = startsAfter
    }

    /// Zero.
    public var startIndex: Int { 0 }

    /// How many rows there are.
    public var endIndex: Int { before.count + after.count }

    /// The row at a position; the position must be in range.
    public subscript(position: Int) -> Int {
        precondition(indices.contains(position), "there is no row at position \(position) of \(count)")
        let first = startsAfter ? after.count : before.count
        let isAfter = (position < first) == startsAfter
        let distance = position < first ? position : position - first
        return isAfter ? after.lowerBound + distance : before.upperBound - 1 - distance
    }
}
