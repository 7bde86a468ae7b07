public import ScrollScheduling

/// What a scroll view reports of a reader's fingers.
public enum ScrollEvent: Equatable, Sendable {
    /// A finger touches the content, which stops if it moved.
    case touched
    /// The content moves on by itself, and will stop at this offset, in points, unless it is touched.
    case released(target: Double)
    /// The content begins to scroll to its top by itself.
    case scrollsToTop
    /// The content has come to rest.
    case rested
}

/// The part of a feed that a window shows, and the rows of it that are to be drawn.
///
/// Offsets and heights are in points.
public struct FeedWindow: Sendable {
    /// Where the rows are.
    public let column: CellColumn
    /// The height of the window.
    public var height: Double
    /// Where the window is, from the top of the feed.
    public private(set) var offset = 0.0

    private var filter: ScrollFilter?

    /// Makes a window at the top of a feed.
    ///
    /// - Parameter filter: which rows a fast scroll passes over; nil passes over none.
    public init(column: CellColumn, height: Double, filter: ScrollFilter.Options? = nil) {
        self.column = column
        self.height = height
        self.filter = filter.map { ScrollFilter(rowCount: column.count, options: $0) }
    }

    /// The rows of which a part is in view. O(log n).
    public var visibleRows: Range<Int> { rows(at: offset) }

    /// The rows that are to be drawn: those in view, or those around the place where a fast scroll will stop.
    public var wantedRows: Range<Int> { filter?.wantedRows ?? visibleRows }

    /// True while rows in view are passed over.
    public var isSkipping: Bool { filter?.isSkipping ?? false }

    /// Moves the window.
    ///
    /// - Parameter events: what happened before it came to this offset, in order.
    public mutating func scroll(to offset: Double, after events: [ScrollEvent] = []) {
        self.offset = offset
        for event in events.map(filterEvent) + [.moved(visible: visibleRows)] { filter?.handle(event) }
    }

    private func filterEvent(_ event: ScrollEvent) -> ScrollFilter.Event {
        switch event {
        case .touched: .dragBegan
        case .released(let target): .liftedOff(target: rows(at: target))
        case .scrollsToTop: .scrollToTopBegan(target: rows(at: 0))
        case .rested: .settled
        }
    }

    private func rows(at offset: Double) -> Range<Int> {
        column.rows(at: offset, viewportHeight: height)
    }
}
