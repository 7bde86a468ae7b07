import Dispatch

/// The posts and where they lie: all that a feed is but its pictures.
struct FeedContent: Sendable {
    var posts: [Post]
    let layouts: [CellLayout]
    let column: CellColumn

    /// Lays all texts out, on all cores: how high a cell is depends on how many lines its text has. Returns when that is
    /// done, after some 0.3 ms a post.
    init(posts: [Post], texts: CellTexts) {
        self.posts = posts
        layouts = Self.concurrentMap(posts) { CellLayout($0, bodyHeight: texts.body(of: $0).size.height) }
        column = CellColumn(heights: layouts.map(\.size.height))
    }

    private static func concurrentMap<Value: Sendable, Result: Sendable>(
        _ values: [Value], _ transform: @Sendable (Value) -> Result
    ) -> [Result] {
        [Result](unsafeUninitializedCapacity: values.count) { buffer, count in
            // Each iteration writes an element of its own.
            nonisolated(unsafe) let start = buffer.baseAddress!
            DispatchQueue.concurrentPerform(iterations: values.count) { index in
                (start + index).initialize(to: transform(values[index]))
            }
            count = values.count
        }
    }
}
