/// What a layer shows.
@MainActor
struct DisplayedPicture {
    /// What is known of a picture beside its pixels.
    struct Facts {
        var geometry = ContentsGeometry(size: .zero, scale: 1)
        var shownAt = Duration.zero
        var isPlaceholder = false
        var isInterim = false
    }

    var picture: Picture?
    /// The task's key, if it had one.
    var key: PictureKey?
    var facts = Facts()

    var isEmpty: Bool { picture == nil }
}

/// What a cross-fade needs when a layer shows something else than before.
@MainActor
public struct ContentsTransition<Contents: Sendable> {
    /// What was shown before. Retain it while it fades out; its memory is released off the main thread with
    /// the last reference.
    public let former: FormerContents<Contents>

    let facts: DisplayedPicture.Facts

    /// The new picture's size and scale; of no meaning if the layer shows nothing now.
    public var geometry: ContentsGeometry { facts.geometry }

    /// When the new picture appeared, by the host's clock.
    public var shownAt: Duration { facts.shownAt }

    /// True when the new picture is a placeholder.
    public var isPlaceholder: Bool { facts.isPlaceholder }

    /// True when a newer picture is on its way, as the outcome of the pass will say
    /// (``DisplayOutcome/committed(isInterim:)``). Begin no cross-fade then, since a layer that is
    /// invalidated again and again would begin one within the other: show the picture immediately, also in a
    /// fade that runs. False for a placeholder, and in ``AsyncLayer/clear()``.
    public var isInterim: Bool { facts.isInterim }
}

/// A picture that a layer no longer shows. *Main-actor isolated.*
@MainActor
public final class FormerContents<Contents: Sendable> {
    /// The picture; nil if the layer showed nothing.
    public var contents: Contents? { picture?.contents(Contents.self) }

    /// Its size and scale; of no meaning if the layer showed nothing.
    public var geometry: ContentsGeometry { facts.geometry }

    /// When it appeared, by the host's clock.
    public var shownAt: Duration { facts.shownAt }

    /// True when it was a placeholder.
    public var isPlaceholder: Bool { facts.isPlaceholder }

    private let facts: DisplayedPicture.Facts

    private let picture: Picture?
    private let releases: PictureReleases

    init(_ picture: Picture?, _ facts: DisplayedPicture.Facts, releases: PictureReleases) {
        (self.picture, self.facts, self.releases) = (picture, facts, releases)
    }

    deinit { if let picture { releases.leave([picture]) } }
}
