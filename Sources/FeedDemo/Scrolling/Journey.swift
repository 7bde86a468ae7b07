import Foundation

/// The way of a reader through the feed, the same in every mode: flicks forth, a tap that scrolls back to the
/// top, and flicks once more over what was seen before.
///
///     offset
///       │            ╭─╮
///       │       ╭────╯ │            ╭──
///       │  ╭────╯      │       ╭────╯
///       │──╯           ╰───────╯
///       └──────────────┼────────────── frames
///         outward      again
struct Journey: Sendable {
    /// Where the window is at each frame, in points.
    let offsets: [Double]
    /// The first frame of the second part: from it on every row in view has been in view before.
    let againFrame: Int

    /// The share of the frames that the way out takes.
    static let outwardShare = 0.55
    /// How long the scroll to the top takes, however far it is, in seconds.
    static let scrollToTopDuration = 0.3
    /// How long the reader rests at the top, in seconds.
    static let restAtTop = 0.25

    /// Plans the way.
    ///
    /// - Parameters:
    ///   - contentHeight: in points; what is not a positive number counts as 0.
    ///   - viewportHeight: in points.
    ///   - hz: frames a second. 60 and 120 are two samplings of one movement, for the same duration.
    init(
        frames: Int, contentHeight: Double, viewportHeight: Double, hz: Int, seed: UInt64 = 20_150_911
    ) {
        let frames = max(frames, 0)
        let hz = max(hz, 1)
        againFrame = Int((Double(frames) * Journey.outwardShare).rounded(.up))
        var offsets = FlickScroll.offsets(
            frames: againFrame, contentHeight: contentHeight, viewportHeight: viewportHeight, hz: hz,
            seed: seed)
        // The last frame's place, not the farthest: the feed may have turned round at its end by then.
        let start = offsets.last ?? 0
        let farthest = offsets.max() ?? 0
        let restFrames = Int(((Journey.scrollToTopDuration + Journey.restAtTop) * Double(hz)).rounded())
        for frame in 1...max(restFrames, 1) where offsets.count < frames {
            let time = Double(frame) / Double(hz)
            offsets.append(start * Journey.remainder(of: min(time / Journey.scrollToTopDuration, 1)))
        }
        offsets += FlickScroll.offsets(
            frames: frames - offsets.count, contentHeight: farthest + viewportHeight,
            viewportHeight: viewportHeight, hz: hz, seed: seed &+ 1)
        self.offsets = offsets
    }

    /// How much of the way to the top is left after a share of the time: slow, fast, slow.
    private static func remainder(of share: Double) -> Double {
        share >= 1 ? 0 : (1 + cos(share * .pi)) / 2
    }
}
