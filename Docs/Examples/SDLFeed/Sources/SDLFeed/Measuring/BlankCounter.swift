/// Counts cells in view that showed nothing of their post yet.
struct BlankCounter: Equatable, Sendable {
    /// In those frames that had come to rest, added up.
    private(set) var atRest = 0

    private var visible = 0
    private var blank = 0

    /// Of all cells in view, over all frames.
    var share: Double { Double(blank) / Double(max(visible, 1)) }

    /// A frame was shown.
    ///
    /// - Parameter isAtRest: true for a frame after a scroll in which everything ought to be there.
    mutating func count(visible: Int, blank: Int, isAtRest: Bool) {
        self.visible += visible
        self.blank += blank
        if isAtRest { atRest += blank }
    }
}
