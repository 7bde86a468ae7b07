import FeedKit

/// Where a list is, moved by drags, flicks, the wheel and keys. Pure: its input is the time, in seconds.
///
/// Offsets are in points from the top of the content to the top of the viewport. There is no rubber band: at
/// its ends the content stops.
struct Scroller: Sendable {
    private enum Motion: Equatable {
        case resting
        /// `anchor` is the content's place under the finger.
        case dragging(anchor: Double, speed: FingerSpeed)
        case gliding(Glide)
    }

    private(set) var offset = 0.0
    /// In points a second, towards the end of the content.
    private(set) var speed = 0.0
    private(set) var events: [ScrollEvent] = []

    var contentHeight: Double { didSet { clamp() } }
    var viewportHeight: Double { didSet { clamp() } }

    private var motion = Motion.resting

    init(contentHeight: Double, viewportHeight: Double) {
        self.contentHeight = contentHeight
        self.viewportHeight = viewportHeight
    }

    var maximumOffset: Double { max(contentHeight - viewportHeight, 0) }

    /// True while the content moves by itself: each frame shows it somewhere else.
    var isGliding: Bool { if case .gliding = motion { true } else { false } }

    /// True while it neither moves nor is held.
    var isResting: Bool { motion == .resting }

    /// Hands over what happened since the last call, in order.
    mutating func takeEvents() -> [ScrollEvent] {
        defer { events = [] }
        return events
    }

    // MARK: A finger, or a mouse with its button down

    mutating func touch(_ y: Double, at time: Double) {
        step(to: time)
        var speed = FingerSpeed()
        speed.record(y, at: time)
        motion = .dragging(anchor: offset + y, speed: speed)
        self.speed = 0
        events.append(.touched)
    }

    mutating func drag(_ y: Double, at time: Double) {
        guard case .dragging(let anchor, var speed) = motion else { return }
        speed.record(y, at: time)
        offset = inside(anchor - y)
        self.speed = -speed.value(at: time)
        // A finger that has moved beyond an end does not have to move back as far before the content moves.
        motion = .dragging(anchor: offset + y, speed: speed)
    }

    mutating func lift(at time: Double) {
        guard case .dragging(_, let finger) = motion else { return }
        glide(.flick(from: offset, speed: -finger.value(at: time), at: time))
    }

    // MARK: The wheel and the keys

    /// Goes further by a distance; what is still to be gone adds up.
    mutating func scroll(by distance: Double, at time: Double) {
        step(to: time)
        var target = offset
        if case .gliding(let glide) = motion, glide.law == Glide.jumpLaw { target = glide.to }
        scroll(to: target + distance, at: time)
    }

    mutating func scroll(to target: Double, at time: Double) {
        step(to: time)
        glide(.jump(from: offset, to: inside(target), at: time))
    }

    // MARK: Time

    /// Moves on to a time.
    mutating func step(to time: Double) {
        guard case .gliding(let glide) = motion else { return }
        let wanted = glide.position(at: time)
        offset = inside(wanted)
        speed = glide.speed(at: time)
        if glide.isOver(at: time) || offset != wanted { rest() }
    }

    private mutating func glide(_ glide: Glide) {
        motion = .gliding(glide)
        speed = glide.speed(at: glide.start)
        if glide.isOver(at: glide.start) { return rest() }
        events.append(.released(target: inside(glide.to)))
    }

    private mutating func rest() {
        motion = .resting
        speed = 0
        events.append(.rested)
    }

    private func inside(_ offset: Double) -> Double { min(max(offset, 0), maximumOffset) }

    private mutating func clamp() { offset = inside(offset) }
}

/// How fast a finger or a mouse moves, computed from where it was in the last tenth of a second.
struct FingerSpeed: Equatable, Sendable {
    private struct Sample: Equatable {
        let time: Double
        let position: Double
    }

    private var samples: [Sample] = []

    private static let window = 0.1
    /// A finger that has held still for longer does not flick.
    private static let longestHold = 0.05
    /// What is handled in one turn happened during a frame, however close together its stamps are.
    private static let shortestTime = 1.0 / 60

    mutating func record(_ position: Double, at time: Double) {
        samples.removeAll { time - $0.time > Self.window }
        samples.append(Sample(time: time, position: position))
    }

    /// In points a second, at the moment of lifting off.
    func value(at time: Double) -> Double {
        guard let first = samples.first, let last = samples.last, last.time > first.time,
            time - last.time <= Self.longestHold
        else { return 0 }
        return (last.position - first.position) / max(last.time - first.time, Self.shortestTime)
    }
}
