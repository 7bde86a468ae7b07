/// The ways in which the same scroll over the same feed is measured, in the order in which they run.
enum FeedMode: String, CaseIterable, Codable, Comparable, Sendable {
    /// Scrolls and draws nothing: what remains is the noise of the machine and of the run loop.
    case baseline
    /// Draws each cell that comes into view on the main thread, within the frame.
    case synchronous
    /// Draws each cell that comes into view through an async layer.
    case layered

    static func < (left: FeedMode, right: FeedMode) -> Bool {
        left.position < right.position
    }

    private var position: Int { FeedMode.allCases.firstIndex(of: self)! }
}
