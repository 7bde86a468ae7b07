import AsyncLayers
import CairoRendering
import FeedKit
import ScrollScheduling

/// The cell of a post.
typealias PostCell = LayerCell<CellDrawing>

/// The feed as it scrolls: has a cell for each row in view and for some rows around, and recycles cells.
@MainActor
final class FeedView {
    /// The posts; those that the reader likes change.
    private(set) var layouts: [PostLayout]
    private(set) var setting: PostCell.Setting
    /// Where the feed is. Rows are passed over only where a scroll goes much farther than a flick does, as to
    /// the other end.
    var window: FeedWindow

    private(set) var cells: [Int: PostCell] = [:]
    private var spareCells: [PostCell] = []
    private(set) var counters = PictureCounters()

    private var ranges = ScrollRanges(options: .feed)
    private let prefetches: Bool
    private let reportFailure: @MainActor (Post, any Error) -> Void

    /// Makes a view that has no cells yet.
    ///
    /// - Parameters:
    ///   - prefetches: whether rows are drawn before they come into view.
    ///   - reportFailure: called with posts that cannot be drawn, and why.
    init(
        _ layouts: [PostLayout], _ setting: PostCell.Setting, viewportHeight: Double, prefetches: Bool,
        reportFailure: @escaping @MainActor (Post, any Error) -> Void
    ) {
        self.reportFailure = reportFailure
        self.layouts = layouts
        self.setting = setting
        self.prefetches = prefetches
        window = FeedWindow(
            column: CellColumn(heights: layouts.map(\.size.height)), height: viewportHeight,
            filter: ScrollFilter.Options(skipDistance: 60, rowsBeyond: 2))
    }

    /// Makes a feed as the options request it. Returns when all texts are laid out.
    convenience init(_ options: SDLFeedOptions, scale: Double, viewportHeight: Double) throws {
        let photos = try PhotoStore(folder: options.images)
        let texts = CellTexts()
        var generator = FeedGenerator(seed: options.seed, pictureCount: photos.count)
        var setting = PostCell.Setting(
            painter: CellDrawing(texts: texts, photos: photos), scale: scale,
            backgroundColor: CellStyle.page)
        setting.placeholder = try Skeleton.image(scale: scale)
        // Pictures of posts that have left, in case the reader turns round.
        setting.cache = ContentsCache(byteLimit: 48 << 20)
        setting.displaysAsynchronously = options.mode == .layers
        self.init(
            [PostLayout](generator.posts(options.cells), texts: texts), setting,
            viewportHeight: viewportHeight, prefetches: options.mode == .layers,
            reportFailure: { StandardError.write("SDLFeed: post \($0.number) cannot be drawn: \($1)\n") })
    }

    /// Rows in view that show nothing of their post yet.
    var blankCount: Int { window.visibleRows.count { cells[$0]?.picture == nil } }

    /// Cells, in view or not, whose picture is being drawn or waits for it.
    var waitingCount: Int { cells.values.count(where: \.isWaiting) }

    /// True if every row in view shows its post as it is now, except for those that cannot be drawn: nothing
    /// more is expected.
    var isComplete: Bool {
        window.visibleRows.allSatisfy { row in
            cells[row].map { !$0.isWaiting && ($0.picture != nil || $0.hasFailed) } ?? false
        }
    }

    /// Moves to an offset, in points. Cells that are new request their display, which begins at the end of
    /// this turn.
    ///
    /// - Parameters:
    ///   - speed: in points a second, towards the end.
    ///   - events: what happened on the way.
    func scroll(to offset: Double, speed: Double = 0, after events: [ScrollEvent] = []) {
        window.scroll(to: offset, after: events)
        let (visible, wanted) = (window.visibleRows, window.wantedRows)
        let rowHeight = max(window.height / Double(max(visible.count, 1)), 1)
        ranges.update(visible: visible, rowCount: layouts.count, velocity: speed / rowHeight)

        for (row, cell) in cells where !ranges.keeps(row) && !wanted.contains(row) { recycle(cell, of: row) }
        for row in wanted { show(row, isInView: true) }
        guard prefetches, !window.isSkipping else { return }
        for row in ranges.prefetchRows where cells[row] == nil { show(row, isInView: false) }
    }

    private func show(_ row: Int, isInView: Bool) {
        if let cell = cells[row] {
            if isInView { cell.comeIntoView() }
            return
        }
        let cell = spareCells.popLast() ?? makeCell()
        cells[row] = cell
        cell.show(layouts[row], isInView: isInView)
    }

    private func makeCell() -> PostCell {
        PostCell(
            setting,
            pictureEnded: { [weak self] layout, error in
                if let error {
                    self?.reportFailure(layout.post, error)
                } else {
                    self?.counters.pictureIsFinished(of: layout.number)
                }
            })
    }

    private func recycle(_ cell: PostCell, of row: Int) {
        cells[row] = nil
        counters.cellHasLeft(row)
        cell.recycle()
        spareCells.append(cell)
    }

    /// A frame with what is in view now has been shown.
    func frameWasShown() {
        for row in window.visibleRows {
            guard let cell = cells[row] else { continue }
            counters.frameShowed(row, isBlank: cell.picture == nil)
        }
    }

    /// Draws everything for other pixels.
    func change(scale: Double) throws {
        guard scale != setting.scale else { return }
        setting.scale = scale
        setting.placeholder = try Skeleton.image(scale: scale)
        for cell in cells.values + spareCells { cell.change(scale: scale, placeholder: setting.placeholder) }
    }

    // MARK: Clicks

    /// Likes the post whose heart is at a place of the viewport, in points, or takes that back.
    func click(x: Double, y: Double) {
        // Rows continue beyond the viewport, as behind the title bar.
        guard (0..<window.height).contains(y) else { return }
        let y = window.offset + y
        guard let row = window.column.rows(at: y, viewportHeight: 1).first else { return }
        let heart = layouts[row].heart
        guard heart.contains(Point(x: x, y: y - window.column.top(of: row))) else { return }
        layouts[row].post.isLiked.toggle()
        cells[row]?.update(layouts[row])
    }
}

extension ScrollRanges.Options {
    /// In rows, not in screenfuls: here two to six rows are a screenful, and ranges that change with that
    /// would drop rows that were drawn just before.
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

/// Which rows have had a picture, and which of them a frame has shown.
struct PictureCounters: Sendable {
    private var finished: Set<Int> = []
    private var shown: Set<Int> = []
    /// Rows whose present cell has shown its picture.
    private var showing: Set<Int> = []

    /// How often a row that had shown its picture showed none in the next frame. Must stay zero.
    private(set) var flashCount = 0

    mutating func pictureIsFinished(of row: Int) { finished.insert(row) }

    mutating func frameShowed(_ row: Int, isBlank: Bool) {
        if !isBlank {
            showing.insert(row)
            shown.insert(row)
        } else if showing.contains(row) {
            flashCount += 1
        }
    }

    mutating func cellHasLeft(_ row: Int) { showing.remove(row) }

    var shownCount: Int { shown.count }

    /// Rows that left before a frame showed their finished picture.
    var neverShownCount: Int { finished.subtracting(shown).count }
}
