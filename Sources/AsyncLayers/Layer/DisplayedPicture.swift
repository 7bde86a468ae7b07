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

/// The facts for a cross-fade when a layer shows something else than before: the former picture, and what is
/// known of both. Retain it while the former picture fades out; that is released off the main thread with the
/// last reference. *Main-actor isolated.*
@MainActor
public final class ContentsTransition<Contents: Sendable> {
    /// The picture that was shown before; nil if the layer showed nothing.
    public var former: Contents? { picture?.contents(Contents.self) }

    /// The former picture's size and scale; of no meaning if the layer showed nothing.
    public var formerGeometry: ContentsGeometry { formerFacts.geometry }

    /// When the former picture appeared, by the host's clock.
    package var formerShownAt: Duration { formerFacts.shownAt }

    /// The new picture's size and scale; of no meaning if the layer shows nothing now.
    public var geometry: ContentsGeometry { facts.geometry }

    /// When the new picture appeared, by the host's clock.
    public var shownAt: Duration { facts.shownAt }

    /// True when the new picture is a placeholder.
    package var isPlaceholder: Bool { facts.isPlaceholder }

    /// True when a newer picture is on its way, as the outcome of the pass will say
    /// (``DisplayOutcome/committed(isInterim:)``). Begin no cross-fade then, since a layer that is
    /// invalidated again and again would begin one within the other: show the picture immediately, also in a
    /// fade that runs. False for a placeholder, and in ``AsyncLayer/removeContents()``.
    public var isInterim: Bool { facts.isInterim }

    private let formerFacts: DisplayedPicture.Facts
    private let facts: DisplayedPicture.Facts
    private let picture: Picture?
    private let releases: PictureReleases

    init(
        from picture: Picture?, _ formerFacts: DisplayedPicture.Facts, to facts: DisplayedPicture.Facts,
        releases: PictureReleases
    ) {
        (self.picture, self.formerFacts, self.facts, self.releases) = (picture, formerFacts, facts, releases)
    }

    deinit { if let picture { releases.leave([picture]) } }
}
