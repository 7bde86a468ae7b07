import AsyncLayers
import FeedKit
import QueuePools

/// A post, and where the parts of its cell are, in points from the cell's top left.
struct PostLayout: CellLayout {
    var post: Post
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
        self.post = post
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

    var number: Int { post.number }

    /// What the picture depends on: nothing else of a post ever changes.
    private struct Key: Hashable, Sendable {
        let number: Int
        let isLiked: Bool
    }

    var key: ContentKey { ContentKey(Key(number: post.number, isLiked: post.isLiked)) }
}

extension [PostLayout] {
    /// Lays posts out on all cores: the height of a cell depends on the number of lines of its text. Returns
    /// when all are laid out, after about 0.3 ms a post.
    init(_ posts: [Post], texts: CellTexts) {
        self.init(unsafeUninitializedCapacity: posts.count) { buffer, count in
            // Each iteration writes an element of its own.
            nonisolated(unsafe) let start = buffer.baseAddress!
            DefaultQueuePool.shared.forEach(posts.indices, qos: .userInteractive) { index in
                let post = posts[index]
                (start + index).initialize(
                    to: PostLayout(post, bodyHeight: texts.body(of: post).size.height))
            }
            count = posts.count
        }
    }
}
