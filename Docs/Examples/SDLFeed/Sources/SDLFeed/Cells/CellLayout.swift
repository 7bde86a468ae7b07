import AsyncLayers

/// Where the parts of a cell are, in points from its top left.
struct CellLayout: Hashable, Sendable {
    let size: Size
    let avatar: Rect
    let header: Point
    let body: Point
    /// Nil for a post without one.
    let photo: Rect?
    let counts: Point
    /// What likes the post when it is clicked.
    let heart: Rect
    /// The line between this cell and the next.
    let hairline: Rect

    /// - Parameter bodyHeight: of the post's text, laid out in ``CellStyle/textWidth``.
    init(_ post: Post, bodyHeight: Double) {
        let left = CellStyle.textLeft
        avatar = Rect(
            x: CellStyle.inset, y: 14, width: CellStyle.avatarExtent, height: CellStyle.avatarExtent)
        header = Point(x: left, y: 14)
        body = Point(x: left, y: 38)
        // Whole points: a cell begins where the one above it ends, also in pixels.
        var bottom = max(body.y + bodyHeight.rounded(.up), avatar.maxY)
        if let photo = post.photo {
            self.photo = Rect(
                x: left, y: bottom + CellStyle.spacing, width: CellStyle.textWidth, height: photo.height)
            bottom += CellStyle.spacing + photo.height
        } else {
            photo = nil
        }
        counts = Point(x: left, y: bottom + CellStyle.spacing)
        heart = Rect(x: left + 90, y: counts.y - 8, width: 110, height: 32)
        let height = counts.y + 30
        hairline = Rect(x: 0, y: height - 1, width: CellStyle.width, height: 1)
        size = Size(width: CellStyle.width, height: height)
    }
}
