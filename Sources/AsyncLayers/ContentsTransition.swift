import QueuePools

/// A layer shows something else than before: what there is to know for a cross-fade.
@MainActor
public struct ContentsTransition<Contents: Sendable> {
    /// What was shown before. Keep it for as long as it fades out; its memory is given back off the main
    /// thread when the last reference is gone.
    public let former: FormerContents<Contents>

    /// When the new picture appeared, by the host's clock.
    public let shownAt: Duration

    /// True when the new picture is a placeholder.
    public let isPlaceholder: Bool

    init(from former: FormerContents<Contents>, to display: DisplayedPicture) {
        self.former = former
        shownAt = display.shownAt
        isPlaceholder = display.isPlaceholder
    }
}

/// A picture that a layer has ceased to show. *Main-actor isolated.*
@MainActor
public final class FormerContents<Contents: Sendable> {
    /// The picture; nil if the layer showed nothing, or tiles.
    public var contents: Contents? { parcel.peek()?.whole(Contents.self) }

    /// The picture in tiles; empty if the layer showed nothing, or one whole.
    public var tiles: [ContentsTile<Contents>] { parcel.peek()?.tiles(Contents.self) ?? [] }

    /// When it had appeared, by the host's clock.
    public let shownAt: Duration

    /// True when it was a placeholder.
    public let isPlaceholder: Bool

    private let parcel: Parcel<Picture>
    private let pool: any JobSubmitting

    init(_ parcel: Parcel<Picture>, shownAt: Duration, isPlaceholder: Bool, pool: any JobSubmitting) {
        self.parcel = parcel
        self.shownAt = shownAt
        self.isPlaceholder = isPlaceholder
        self.pool = pool
    }

    deinit { pool.release([parcel]) }
}
