/// What a frame shows. One that shows what the last one did need not be shown.
struct ShownFrame: Equatable {
    let offset: Double
    /// When each layer in view came to show what it shows.
    let pictures: [Duration?]
    /// There is a scroll bar while the feed moves or is held.
    let hasScrollBar: Bool

    @MainActor
    init(_ feed: InteractiveFeed) {
        offset = feed.view.window.offset
        pictures =
            [feed.title.layer.shownAt]
            + feed.view.window.visibleRows.map { feed.view.cells[$0]?.layer.shownAt }
        hasScrollBar = !feed.scroller.isResting
    }
}
