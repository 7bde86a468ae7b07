import FeedKit
import Foundation

/// The way of a reader through the feed, the same in every mode: flings forward, a tap that scrolls to the
/// top, and flings once more over what was seen before.
///
///     offset
///       │            ╭─╮
///       │       ╭────╯ │            ╭──
///       │  ╭────╯      │       ╭────╯
///       │──╯           ╰───────╯
///       └──────────────┼────────────── frames
///         outward      again
struct ReadingJourney: Sendable {
    /// One frame of it.
    struct Step: Equatable, Sendable {
        /// Where the window is, in points.
        var offset: Double
        /// What happened before the window came there, in order.
        var events: [ScrollEvent] = []
    }

    private(set) var steps: [Step] = []
    /// The first frame of the second part: from it on every row in view has been in view before.
    let againFrame: Int

    /// Of each 20 frames the way out takes 11.
    private static let outwardShare = (frames: 11, of: 20)
    /// How long the scroll to the top takes, however far it is, in seconds.
    static let scrollToTopDuration = 0.3
    /// How long the reader rests at the top, in seconds.
    static let restAtTop = 0.25

    /// Plans the way. It ends at rest, wherever it has come by then.
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
        againFrame =
            (frames * ReadingJourney.outwardShare.frames + ReadingJourney.outwardShare.of - 1)
            / ReadingJourney.outwardShare.of
        steps.reserveCapacity(frames)
        flick(
            FlickScroll(contentHeight: contentHeight, viewportHeight: viewportHeight, hz: hz, seed: seed),
            until: againFrame)
        let farthest = steps.lazy.map(\.offset).max() ?? 0
        scrollToTop(hz: hz, until: frames)
        // Content that ends at the farthest row in view: beyond it nothing was seen before.
        flick(
            FlickScroll(
                contentHeight: farthest + viewportHeight, viewportHeight: viewportHeight, hz: hz,
                seed: seed &+ 1),
            until: frames)
        if !steps.isEmpty, steps.last?.events.last != .rested {
            steps[steps.count - 1].events.append(.rested)
        }
    }

    /// A frame that is worth a picture in every mode, two thirds into the scroll to the top: its fastest part
    /// is over then, and has used up what was drawn ahead. Nil if the way does not lead there.
    var pictureFrame: Int? {
        let toTop = steps.indices.filter { $0 >= againFrame }.prefix { steps[$0].events.last != .rested }
        return toTop.isEmpty ? nil : toTop[toTop.count * 2 / 3]
    }

    /// Where the window is at each frame, in points.
    var offsets: [Double] { steps.map(\.offset) }

    private mutating func flick(_ scroll: FlickScroll, until frames: Int) {
        var scroll = scroll
        while steps.count < frames {
            let offset = scroll.next()
            steps.append(Step(offset: offset, events: scroll.events))
        }
    }

    private mutating func scrollToTop(hz: Int, until frames: Int) {
        let start = steps.last?.offset ?? 0
        let duration = ReadingJourney.scrollToTopDuration
        let restFrames = Int(((duration + ReadingJourney.restAtTop) * Double(hz)).rounded())
        let arrival = Int((duration * Double(hz)).rounded(.up))
        for frame in 1...max(restFrames, 1) where steps.count < frames {
            let share = min(Double(frame) / Double(hz) / duration, 1)
            // Slow, fast, slow.
            var step = Step(offset: share < 1 ? start * (1 + cos(share * .pi)) / 2 : 0)
            if frame == 1 { step.events.append(.scrollsToTop) }
            if frame == arrival { step.events.append(.rested) }
            steps.append(step)
        }
    }
}
