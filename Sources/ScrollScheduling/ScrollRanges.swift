/// Which rows around the visible ones to prepare ahead of time, in which order, and whose contents to keep.
///
/// While a list scrolls, the rows that come next should be drawn before they are seen, and those that were
/// just seen should stay for a while, in case the reader turns back. Update the ranges after each frame:
///
///     ranges.update(visible: visible, rowCount: rows.count, velocity: rowsPerSecond)
///     for row in cells.keys where !ranges.keeps(row) { cells[row] = nil }
///     for row in ranges.prefetchRows where cells[row] == nil { cells[row] = makeCell(row) }
///
///                       ┌─ direction of travel: towards the end
///     keptRows      ├────────────────────────────────────────┤
///     prefetchRows       ├───5──┤         ├──1──2──3──4─┤       in this order
///     visible                   ├─────────┤
///
/// **Direction.** More is prepared ahead than behind. The direction turns only when the list has gone back by
/// ``Options/turnDistance``, or immediately when it moves back at ``Options/decisiveSpeed``: a
/// finger that trembles neither throws away what was prepared nor prepares the other side. A list that has
/// not moved yet is expected to go towards its end.
///
/// **No churn.** Rows are kept farther than they are prefetched, so that a row at the border is not dropped
/// and made again with each small movement.
///
/// Row heights may vary; a screenful is as many rows as are visible now. Texture's range controller has the
/// same purpose: it works with screenfuls ahead and behind too, and in its `minimum` mode it prepares less
/// for lists that are not looked at yet (here: ``Options/minimum``).
///
/// A value; O(1) throughout.
public struct ScrollRanges: Equatable, Sendable {
    /// How wide a border around the visible rows is.
    public enum Extent: Equatable, Sendable {
        /// A number of rows. Below zero counts as zero.
        case rows(Int)
        /// A multiple of the number of visible rows, rounded up. NaN and what is below zero count as zero.
        case screenfuls(Double)
    }

    /// The numbers of the ranges.
    public struct Options: Equatable, Sendable {
        /// How far rows are prefetched in the direction of travel. Default: one screenful.
        public var prefetchAhead = Extent.screenfuls(1)

        /// How far rows are prefetched on the other side. Default: a quarter of a screenful.
        public var prefetchBehind = Extent.screenfuls(0.25)

        /// How far contents are kept in the direction of travel; never less than what is prefetched there.
        /// Default: two screenfuls.
        public var keepAhead = Extent.screenfuls(2)

        /// How far contents are kept on the other side; never less than what is prefetched there. Default:
        /// one screenful.
        public var keepBehind = Extent.screenfuls(1)

        /// How far the list must go back before its direction counts as turned; at least one row. Default:
        /// half a screenful.
        public var turnDistance = Extent.screenfuls(0.5)

        /// The speed from which a movement back changes the direction immediately, in screenfuls a second.
        /// NaN and negative count as zero, with which every movement back does, also one of unknown speed.
        /// Infinity: none does. Default: 2.
        public var decisiveSpeed = 2.0

        /// The time that it takes until a prefetched row is drawn: at high speed, the rows that come up
        /// within it are prefetched, too, but none beyond ``keepAhead``. Negative counts as zero, in which no
        /// rows come up at any speed. Default: 250 ms.
        public var preparationTime = Duration.milliseconds(250)

        /// Makes the default options.
        public init() {}

        /// For lists that are not looked at yet, or while memory is short: a quarter of a screenful ahead and
        /// nothing behind, and a quarter of a screenful kept on both sides.
        public static var minimum: Self {
            var minimum = Self()
            minimum.prefetchAhead = .screenfuls(0.25)
            minimum.prefetchBehind = .rows(0)
            minimum.keepAhead = .screenfuls(0.25)
            minimum.keepBehind = .screenfuls(0.25)
            return minimum
        }
    }

    /// The numbers; a change takes effect with the next update.
    public var options: Options
    /// True while the list travels towards its end, false towards its start.
    package private(set) var isForward = true
    /// Whose contents to keep: the visible rows and some on both sides.
    public private(set) var keptRows: Range<Int> = 0..<0
    /// What to prepare, most urgent first: ahead, then behind, each from the nearest row on. Visible rows are
    /// not among them.
    public private(set) var prefetchRows = PrefetchRows()

    /// The farthest place that the list has reached since its direction turned.
    private var farthest: Int?

    /// Makes the ranges of a list that shows nothing yet.
    public init(options: Options = Options()) {
        self.options = options
    }

    /// Whether a row's contents are to be kept.
    public func keeps(_ row: Int) -> Bool { keptRows.contains(row) }

    /// Updates the ranges.
    ///
    /// - Parameters:
    ///   - visible: the rows that are visible, at least in part. With none, nothing is prefetched, and of
    ///     what is kept only rows that no longer exist are dropped.
    ///   - rowCount: how many rows there are; below zero counts as zero. Rows outside are cut off.
    ///   - velocity: the speed in rows a second, negative towards the start; zero if it is unknown. NaN
    ///     counts as zero. Default: zero.
    public mutating func update(visible: Range<Int>, rowCount: Int, velocity: Double = 0) {
        let all = 0..<max(rowCount, 0)
        let visible = visible.clamped(to: all)
        guard !visible.isEmpty else {
            keptRows = keptRows.clamped(to: all)
            prefetchRows = PrefetchRows()
            return
        }
        let screenful = visible.count
        // Comparisons with NaN are false, also with the lowest decisive speed.
        let velocity = velocity.isNaN ? 0 : velocity
        updateDirection(position: visible.lowerBound, screenful: screenful, velocity: velocity)

        let widths = Widths(options, screenful: screenful, speed: isForward ? velocity : -velocity)
        let (before, after) = isForward ? (widths.behind, widths.ahead) : (widths.ahead, widths.behind)
        let prefetched = visible.widened(before: before.prefetch, after: after.prefetch, within: all)
        keptRows = visible.widened(before: before.keep, after: after.keep, within: all)
        prefetchRows = PrefetchRows(
            before: prefetched.lowerBound..<visible.lowerBound,
            after: visible.upperBound..<prefetched.upperBound, startsAfter: isForward)
    }

    private mutating func updateDirection(position: Int, screenful: Int, velocity: Double) {
        guard let reached = farthest else {
            farthest = position
            return
        }
        let back = isForward ? reached - position : position - reached
        // Not greater than zero: zero, negative or not a number.
        let decisive = options.decisiveSpeed > 0 ? options.decisiveSpeed : 0
        let isDecisive =
            decisive.isFinite && (isForward ? -velocity : velocity) >= decisive * Double(screenful)
        if back > 0, isDecisive || back >= max(options.turnDistance.rows(ofScreenful: screenful), 1) {
            isForward.toggle()
            farthest = position
        } else if back <= 0 {
            farthest = position
        }
    }
}

extension ScrollRanges {
    /// How many rows to prefetch and to keep on each side.
    private struct Widths {
        let ahead: (prefetch: Int, keep: Int)
        let behind: (prefetch: Int, keep: Int)

        /// - Parameter speed: rows a second in the direction of travel.
        init(_ options: Options, screenful: Int, speed: Double) {
            let wanted = options.prefetchAhead.rows(ofScreenful: screenful)
            let keepAhead = max(options.keepAhead.rows(ofScreenful: screenful), wanted)
            // An infinite speed and no time multiply to NaN, which counts as no rows.
            let coming = Extent.screenfuls(speed * (max(options.preparationTime, .zero) / .seconds(1)))
            ahead = (max(wanted, min(coming.rows(ofScreenful: 1), keepAhead)), keepAhead)
            let prefetchBehind = options.prefetchBehind.rows(ofScreenful: screenful)
            behind = (
                prefetchBehind, max(options.keepBehind.rows(ofScreenful: screenful), prefetchBehind)
            )
        }
    }
}

extension ScrollRanges.Extent {
    /// The extent in rows; 0…`Int.max`.
    fileprivate func rows(ofScreenful screenful: Int) -> Int {
        switch self {
        case .rows(let rows): max(rows, 0)
        case .screenfuls(let factor):
            // Not greater than zero: zero, negative or not a number.
            factor > 0 ? Int(exactly: (factor * Double(screenful)).rounded(.up)) ?? .max : 0
        }
    }
}

extension Range<Int> {
    /// The range with more on both sides, as far as there is any. Nothing overflows.
    fileprivate func widened(before: Int, after: Int, within all: Self) -> Self {
        lowerBound - Swift.min(before, lowerBound - all.lowerBound)..<upperBound
            + Swift.min(after, all.upperBound - upperBound)
    }
}

/// Rows to prepare, most urgent first: on one side of the visible rows, from the nearest to the farthest,
/// then on the other side.
///
/// The rows are not stored, so that a collection of a million takes no more memory than one of three. O(1)
/// throughout.
public struct PrefetchRows: RandomAccessCollection, Equatable, Sendable {
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
