/// What a pass reads of its layer, but for the renderer and the delegate.
struct LayerProperties {
    var bounds = Rect.zero
    var contentsScale = 1.0
    var isOpaque = false
    var displaysAsynchronously = true
    private var ownOptions: Box?

    /// What most layers leave as it is, so that they need no memory for it.
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
