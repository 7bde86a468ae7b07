/// How long a display shows a frame, guessed from the times between frames.
///
/// The guess is the lower quartile of the last 16: late frames make times longer, and as long as no more than
/// three of four are late it holds; frames that come in a bunch after a late one make some times too short,
/// and fewer than four of these do not matter either. After a change of the display's rate the guess follows
/// within 13 frames.
struct RefreshIntervalEstimate: Hashable, Sendable {
    private static let memory = 16

    private var gaps: [Duration] = []
    private var next = 0

    /// The guess; nil before the first gap.
    private(set) var interval: Duration?

    /// Takes a time between two frames into account. O(1): at most 16 are compared.
    mutating func add(_ gap: Duration) {
        if gaps.count < Self.memory {
            gaps.append(gap)
        } else {
            gaps[next] = gap
            next = (next + 1) % Self.memory
        }
        interval = gaps.sorted()[(gaps.count - 1) / 4]
    }
}
