import AsyncLayers
import CairoRendering

/// The feed as it scrolls: has a cell for each row in view and for some rows around, and uses cells again.
@MainActor
final class FeedView {
    private(set) var content: FeedContent
    private(set) var setting: CellSetting
    private(set) var offset = 0.0
    var viewportHeight: Double

    private(set) var cells: [Int: FeedCell] = [:]
    private var spareCells: [FeedCell] = []
    private(set) var ledger = PictureLedger()

    private var ranges = ScrollRanges(configuration: .feed)
    /// Passes over rows only where a scroll goes much farther than a flick does, as to the other end.
    private var filter: ScrollFilter
    private let prefetches: Bool
    /// Told of posts that cannot be drawn, and why.
    private let reportFailure: @MainActor (Post, any Error) -> Void

    /// Makes a view that has no cells yet.
    ///
    /// - Parameters:
    ///   - prefetches: whether rows are drawn before they come into view.
    ///   - reportFailure: told of posts that cannot be drawn, and why.
    init(
        _ content: FeedContent, _ setting: CellSetting, viewportHeight: Double, prefetches: Bool,
        reportFailure: @escaping @MainActor (Post, any Error) -> Void
    ) {
        self.reportFailure = reportFailure
        self.content = content
        self.setting = setting
        self.viewportHeight = viewportHeight
        self.prefetches = prefetches
        filter = ScrollFilter(
            rowCount: content.posts.count,
            configuration: ScrollFilter.Configuration(skipDistance: 60, rowsBeyond: 2))
    }

    var visibleRows: Range<Int> { content.column.rows(at: offset, viewportHeight: viewportHeight) }

    /// Rows in view that show nothing of their post yet.
    var blankCount: Int { visibleRows.count { cells[$0]?.isBlank ?? true } }

    /// Cells, in view or not, whose picture is being drawn or waits for it.
    var waitingCount: Int { cells.values.count(where: \.isWaiting) }

    /// True if every row in view shows its post as it is now, but for those that cannot be drawn: nothing more will come.
    var isComplete: Bool {
        visibleRows.allSatisfy { row in
            cells[row].map { !$0.isWaiting && (!$0.isBlank || $0.hasFailed) } ?? false
        }
    }

    /// Moves to an offset, in points. Cells that are new ask for their display, which begins at the end of this turn.
    ///
    /// - Parameters:
    ///   - speed: in points a second, towards the end.
    ///   - events: what happened on the way.
    func scroll(to offset: Double, speed: Double = 0, after events: [ScrollEvent] = []) {
        self.offset = offset
        let visible = visibleRows
        for event in events { filter.handle(filterEvent(event)) }
        filter.handle(.moved(visible: visible))
        let rowHeight = max(viewportHeight / Double(max(visible.count, 1)), 1)
        ranges.update(visible: visible, rowCount: content.posts.count, velocity: speed / rowHeight)

        for (row, cell) in cells where !ranges.keeps(row) && !filter.wants(row) { recycle(cell, of: row) }
        for row in filter.wantedRows { show(row, isInView: true) }
        guard prefetches, !filter.isSkipping else { return }
        for row in ranges.prefetchRows where cells[row] == nil { show(row, isInView: false) }
    }

    private func filterEvent(_ event: ScrollEvent) -> ScrollFilter.Event {
        switch event {
        case .touched: .dragBegan
        case .released(let target):
            .liftedOff(target: content.column.rows(at: target, viewportHeight: viewportHeight))
        case .rested: .settled
        }
    }

    private func show(_ row: Int, isInView: Bool) {
        if let cell = cells[row] {
            if isInView { cell.comeIntoView() }
            return
        }
        let cell = spareCells.popLast() ?? makeCell()
        cells[row] = cell
        cell.show(content.posts[row], content.layouts[row], isInView: isInView)
    }

    private func makeCell() -> FeedCell {
        FeedCell(
            setting, pictureIsFinished: { [weak self] in self?.ledger.pictureIsFinished(of: $0.number) },
            pictureHasFailed: { [weak self] in self?.reportFailure($0, $1) })
    }

    private func recycle(_ cell: FeedCell, of row: Int) {
        cells[row] = nil
        cell.recycle()
        spareCells.append(cell)
    }

    /// A frame with what is in view now has been shown.
    func frameWasShown() {
        for row in visibleRows {
            guard let cell = cells[row] else { continue }
            if cell.isBlank {
                if cell.wasSeen { ledger.flashCount += 1 }
            } else if !cell.wasSeen {
                cell.wasSeen = true
                ledger.pictureWasShown(of: row)
            }
        }
    }

    /// Draws everything for other pixels.
    func change(scale: Double) throws {
        guard scale != setting.scale else { return }
        setting.scale = scale
        setting.skeleton = try Skeleton.image(scale: scale)
        for cell in cells.values + spareCells { cell.change(scale: scale, skeleton: setting.skeleton) }
    }

    // MARK: Clicks

    /// Likes the post whose heart is at a place of the viewport, in points, or takes that back.
    func click(x: Double, y: Double) {
        // Rows go on beyond the viewport, as behind the title bar.
        guard (0..<viewportHeight).contains(y) else { return }
        let y = offset + y
        guard let row = content.column.rows(at: y, viewportHeight: 1).first else { return }
        let heart = content.layouts[row].heart
        let inside = y - content.column.top(of: row)
        guard (heart.minX..<heart.maxX).contains(x), (heart.minY..<heart.maxY).contains(inside) else {
            return
        }
        content.posts[row].isLiked.toggle()
        cells[row]?.update(content.posts[row])
    }
}

extension ScrollRanges.Configuration {
    /// In rows, not in screenfuls: here two to six rows are a screenful, and ranges that breathe with that would give up
    /// rows that they have just had drawn.
    fileprivate static var feed: Self {
        var feed = Self()
        feed.prefetchAhead = .rows(6)
        feed.prefetchBehind = .rows(1)
        feed.keepAhead = .rows(12)
        feed.keepBehind = .rows(5)
        feed.turnDistance = .rows(2)
        return feed
    }
}
