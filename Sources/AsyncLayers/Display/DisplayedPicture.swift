/// What a layer shows.
@MainActor
struct DisplayedPicture {
    /// What is known of a picture beside its pixels.
    struct Facts {
        var geometry = ContentsGeometry(size: .zero, scale: 1)
        var shownAt = Duration.zero
        var isPlaceholder = false
    }

    private(set) var picture: Picture?
    private var byteCount = 0
    /// The task's key, if it had one.
    private(set) var key: PictureKey?
    private(set) var facts = Facts()

    nonisolated init() {}

    var isEmpty: Bool { picture == nil }

    /// Swaps a picture in, and the former one into its box.
    mutating func show(_ box: DeferredRelease<Picture>, key: PictureKey?, _ facts: Facts) {
        box.exchange(with: &picture)
        swap(&box.byteCount, &byteCount)
        self.key = key
        self.facts = facts
    }

    /// A box with the same picture.
    func copy() -> DeferredRelease<Picture> { DeferredRelease(picture, byteCount: byteCount) }
}

/// What a pass reads of its layer, but for the renderer and the delegate.
struct LayerProperties {
    var bounds = Rect.zero
    var contentsScale = 1.0
    var isOpaque = false
    var displaysAsynchronously = true
    private var ownOptions: Box?

    /// What most layers leave at its default, which takes no memory.
    struct Options: Hashable {
        var backgroundColor: Color?
        var fillsBackground = true
        var showsPlaceholderOverContents = false
        var oversizePolicy = OversizePolicy.fail
        var maximumContextBytes = 512 << 20
        var displayDeadline = Duration.zero
        /// 0 for none.
        var draft = 0.0
    }

    private final class Box {
        let options: Options

        init(_ options: Options) { self.options = options }
    }

    var options: Options {
        get { ownOptions?.options ?? Options() }
        set { ownOptions = newValue == Options() ? nil : Box(newValue) }
    }
}
