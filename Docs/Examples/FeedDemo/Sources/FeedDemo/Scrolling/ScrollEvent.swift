/// What a scroll view tells of a reader's fingers.
enum ScrollEvent: Equatable, Sendable {
    /// A finger touches the content, which stops if it moved.
    case touched
    /// The finger lets go, and the content glides; left alone it would stop at this offset, in points.
    case lifted(target: Double)
    /// The content begins to scroll to its top by itself.
    case scrollsToTop
    /// The content has come to rest.
    case rested
}
