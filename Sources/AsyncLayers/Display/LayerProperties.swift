/// What a pass reads of its layer, but for the renderer and the delegate.
struct LayerProperties {
    var bounds = Rect.zero
    var contentsScale = 1.0
    var isOpaque = false
    var backgroundColor: Color?
    var fillsBackground = true
    var displaysAsynchronously = true
    var showsPlaceholderOverContents = false
    var oversizePolicy = OversizePolicy.fail
    var maximumContextBytes = 512 << 20
    var displayDeadline = Duration.zero
    /// 0 for none.
    var draft = 0.0
}
