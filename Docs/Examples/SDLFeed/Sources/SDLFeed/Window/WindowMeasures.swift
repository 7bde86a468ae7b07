import AsyncLayers

/// How large the parts of the window are, in points.
enum WindowMeasures {
    static let titleHeight = 44.0
    /// The feed's part of the window, when it opens.
    static let feed = Size(width: CellStyle.width, height: 720)
    static let window = Size(width: feed.width, height: titleHeight + feed.height)

    /// How far the feed, which is in the middle, is from the window's left edge.
    static func feedLeft(windowWidth: Double) -> Double {
        max(((windowWidth - feed.width) / 2).rounded(.down), 0)
    }
}
