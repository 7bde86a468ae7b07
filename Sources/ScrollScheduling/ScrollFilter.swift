/// Which rows of a list to draw while it scrolls: all that are visible, except for those that a fast scroll
/// only passes.
///
/// A flick can take a reader over a hundred rows in a second. Drawing them all keeps the pool busy with
/// pictures that are never looked at, and the rows where the scroll stops wait behind them. So when the
/// finger lifts off and the scroll will stop more than ``Options/skipDistance`` rows away, only the
/// rows that will be visible there are wanted, and a few further on; they can be drawn before they arrive.
///
/// Report events to the filter, and draw the rows that it wants and that have no picture yet:
///
///     func scroll(_ event: ScrollFilter.Event) {
///         filter.handle(event)
///         for row in filter.wantedRows where !cell(row).isDisplayed { cell(row).layer.setNeedsDisplay() }
///     }
///
/// Asking after every event is what makes rows that were skipped come back: a row that is visible when the
/// scroll settles, or when a finger stops it, is wanted from that event on. The filter says only which
/// drawing to begin; pictures that are there stay.
///
/// Rows are numbers from 0 to ``rowCount``, of any heights. What lies outside is cut off, and a target beyond
/// the last row means the last rows.
///
/// The numbers are those of VVeboTableView (2015), whose ways to leave rows blank are fixed: a deceleration
/// that ends elsewhere than predicted, a scroll to the top that a touch stops, a jump without animation, and
/// rows that are inserted or removed meanwhile.
///
/// A value; O(1) throughout.
public struct ScrollFilter: Equatable, Sendable {
    /// The filter's numbers.
    public struct Options: Equatable, Sendable {
        /// Rows are skipped when the first row visible where the scroll will stop is more than this many rows
        /// from the first one visible at lift-off. Default: 8. `Int.max` never skips.
        public let skipDistance: Int

        /// How many rows after the target are wanted, in the direction of travel: a scroll that rolls on a
        /// little finds them drawn. Default: 3.
        public let rowsBeyond: Int

        /// How many rows before the target are wanted: the last ones to be passed, at the lowest speed.
        /// Default: 0.
        public let rowsBefore: Int

        /// Makes options; negative numbers count as zero.
        public init(skipDistance: Int = 8, rowsBeyond: Int = 3, rowsBefore: Int = 0) {
            self.skipDistance = max(skipDistance, 0)
            self.rowsBeyond = max(rowsBeyond, 0)
            self.rowsBefore = max(rowsBefore, 0)
        }
    }

    /// What happens to the list.
    public enum Event: Equatable, Sendable {
        /// A finger is on the content, whether it drags or only stops it.
        case dragBegan
        /// The finger is off; the scroll will stop with these rows visible. An empty range: it is not known
        /// where.
        case liftedOff(target: Range<Int>)
        /// These rows are visible now, at least in part.
        case moved(visible: Range<Int>)
        /// The scroll rests at the visible rows.
        case settled
        /// The list begins to scroll to its top without a finger; these rows will be visible there.
        case scrollToTopBegan(target: Range<Int>)
        /// The list has another number of rows, or other rows. A scroll's target no longer counts.
        case rowsChanged(count: Int)
    }

    private enum Phase: Hashable, Sendable {
        /// At rest, under the finger, or on a way that skips nothing: all visible rows are wanted.
        case following
        /// On the way to these rows, which are all that is wanted.
        case skipping(to: Range<Int>, isForward: Bool)
    }

    /// The filter's numbers.
    public let options: Options
    /// How many rows there are.
    public private(set) var rowCount: Int
    /// The visible rows, by the last event.
    public private(set) var visibleRows: Range<Int> = 0..<0
    private var phase = Phase.following

    /// Makes the filter of a list at rest that shows nothing yet; a negative number of rows counts as zero.
    public init(rowCount: Int, options: Options = Options()) {
        self.rowCount = max(rowCount, 0)
        self.options = options
    }

    /// The rows whose drawing may begin now: the visible ones, or, while rows are skipped, those around the
    /// target. Never more than those visible there and ``Options/rowsBefore`` and
    /// ``Options/rowsBeyond`` together.
    public var wantedRows: Range<Int> {
        switch phase {
        case .following: visibleRows
        case .skipping(let rows, _): rows
        }
    }

    /// Whether the drawing of a row may begin now.
    public func wants(_ row: Int) -> Bool { wantedRows.contains(row) }

    /// Whether visible rows are being skipped: a time at which nothing else should be prefetched either.
    public var isSkipping: Bool { phase != .following }

    /// Updates the filter with an event.
    public mutating func handle(_ event: Event) {
        switch event {
        case .dragBegan, .settled:
            phase = .following
        case .liftedOff(let target):
            phase = phase(toward: inside(target), skippingBeyond: options.skipDistance)
        case .scrollToTopBegan(let target):
            phase = phase(toward: inside(target), skippingBeyond: 0)
        case .moved(let visible):
            move(to: visible.clamped(to: 0..<rowCount))
        case .rowsChanged(let count):
            rowCount = max(count, 0)
            visibleRows = visibleRows.clamped(to: 0..<rowCount)
            phase = .following
        }
    }

    private func phase(toward target: Range<Int>, skippingBeyond distance: Int) -> Phase {
        let isForward = target.lowerBound > visibleRows.lowerBound
        guard !target.isEmpty, !visibleRows.isEmpty,
            abs(target.lowerBound - visibleRows.lowerBound) > distance
        else { return .following }
        let (below, above) =
            isForward
            ? (options.rowsBefore, options.rowsBeyond)
            : (options.rowsBeyond, options.rowsBefore)
        let first = target.lowerBound - min(below, target.lowerBound)
        let end = target.upperBound + min(above, rowCount - target.upperBound)
        return .skipping(to: first..<end, isForward: isForward)
    }

    /// Where the scroll goes somewhere else than was said, its target counts no longer: better to draw too
    /// much than to show nothing.
    private mutating func move(to visible: Range<Int>) {
        if case .skipping(let rows, let isForward) = phase {
            let (turnedBack, passed) =
                isForward
                ? (visible.lowerBound < visibleRows.lowerBound, visible.lowerBound >= rows.upperBound)
                : (visible.lowerBound > visibleRows.lowerBound, visible.upperBound <= rows.lowerBound)
            if turnedBack || passed { phase = .following }
        }
        visibleRows = visible
    }

    /// The same number of rows as near to the target as the list has them.
    private func inside(_ target: Range<Int>) -> Range<Int> {
        let (length, overflow) = target.upperBound.subtractingReportingOverflow(target.lowerBound)
        let count = overflow ? rowCount : min(length, rowCount)
        let first = min(max(target.lowerBound, 0), rowCount - count)
        return first..<first + count
    }
}
