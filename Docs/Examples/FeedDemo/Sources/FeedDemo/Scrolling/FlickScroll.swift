import FeedKit

/// A reader who flicks through a feed: three flicks in a row, a look at what came up, the next three, and
/// back again from the end.
///
/// The offset is a function of the frame's number and of nothing else, so that every mode shows the same
/// frames and ends at the same place however long it took. Times and speeds come from a seeded generator once
/// a flick, not once a frame, so that 60 and 120 Hz are two samplings of one movement.
struct FlickScroll: Sendable {
    /// Flicks between two pauses.
    static let flicksPerBurst = 3
    /// How fast the content is released, in points a second.
    static let speeds = 3_500.0...8_000.0
    /// How long the finger moves, in seconds.
    static let dragDurations = 0.06...0.12
    /// How long the content glides before the next flick of a burst catches it, in seconds.
    static let shortGlides = 0.2...0.5
    /// How long the content glides after the last flick of a burst, in seconds.
    static let longGlides = 0.8...1.3
    /// How long the reader rests after a burst or at an edge, in seconds.
    static let pauses = 0.15...0.4

    /// The largest offset, in points; 0 when the content is not higher than the viewport.
    let maximumOffset: Double

    private let hz: Int
    private var random: SeededGenerator
    private var frame = 0
    private var flick: Flick
    private var flickStart = 0.0
    private var flickEnd = 0.0
    private var flicksDone = 0
    private var phase = Phase.resting

    private enum Phase { case dragging, gliding, resting }

    /// What happened up to the last frame and after the one before, in order.
    private(set) var events: [ScrollEvent] = []

    /// Starts at offset 0 with a finger on the content.
    ///
    /// - Parameters:
    ///   - contentHeight: in points; what is not a positive number counts as 0.
    ///   - viewportHeight: in points.
    ///   - hz: frames a second.
    ///   - seed: decides every time and speed.
    init(contentHeight: Double, viewportHeight: Double, hz: Int, seed: UInt64 = 20_150_911) {
        let room = contentHeight - viewportHeight
        maximumOffset = room.isFinite ? max(room, 0) : 0
        self.hz = max(hz, 1)
        random = SeededGenerator(seed: seed)
        flick = Flick(origin: 0, direction: -1, room: 0, dragDuration: 1, speed: 1, glideDuration: 0)
    }

    /// The offset of the next frame, in points, from 0 to ``maximumOffset``; the first is 0.
    mutating func next() -> Double {
        let time = Double(frame) / Double(hz)
        frame += 1
        events = []
        guard maximumOffset > 0 else { return 0 }
        // Every flick and its pause last a while, so this ends.
        while time >= flickEnd {
            advance(to: flickEnd)
            startFlick()
        }
        advance(to: time)
        return min(max(flick.offset(at: time - flickStart), 0), maximumOffset)
    }

    /// Reports the release and the end of the glide, once each, when their time has come.
    private mutating func advance(to time: Double) {
        if phase == .dragging, time >= flickStart + min(flick.dragDuration, flick.duration) {
            phase = .gliding
            events.append(.released(target: min(max(flick.target, 0), maximumOffset)))
        }
        // Content that is caught while it glides does not rest.
        if phase == .gliding, time >= flickStart + flick.duration, flickStart + flick.duration < flickEnd {
            phase = .resting
            events.append(.rested)
        }
    }

    private mutating func startFlick() {
        let origin = min(max(flick.offset(at: flick.duration), 0), maximumOffset)
        let direction = flick.endsAtEdge ? -flick.direction : flick.direction
        let isLastOfBurst = flicksDone % FlickScroll.flicksPerBurst == FlickScroll.flicksPerBurst - 1
        flick = Flick(
            origin: origin, direction: direction, room: direction > 0 ? maximumOffset - origin : origin,
            dragDuration: random.number(in: FlickScroll.dragDurations),
            speed: random.number(in: FlickScroll.speeds),
            glideDuration: random.number(in: isLastOfBurst ? FlickScroll.longGlides : FlickScroll.shortGlides)
        )
        let pause = random.number(in: FlickScroll.pauses)
        flickStart = flickEnd
        flickEnd += flick.duration + (isLastOfBurst || flick.endsAtEdge ? pause : 0)
        flicksDone += 1
        phase = .dragging
        events.append(.touched)
    }
}
