/// Counts cells in view that showed nothing of their post yet.
struct BlankCounter: Equatable, Sendable {
    /// In the first frame at rest after each scroll, added up.
    private(set) var atRest = 0

    private var visible = 0
    private var blank = 0

    /// Of all cells in view, over all frames.
    var share: Double { Double(blank) / Double(max(visible, 1)) }

    /// A frame was shown.
    ///
    /// - Parameter hasJustRested: true for the first frame at rest after a scroll.
    mutating func count(visible: Int, blank: Int, hasJustRested: Bool) {
        self.visible += visible
        self.blank += blank
        if hasJustRested { atRest += blank }
    }
}
