import AsyncLayers

/// Plays a script as input to the window, frame by frame. Pure: its input is the time, in seconds, and the
/// feed's state.
struct ScriptPlayer {
    private var actions: ArraySlice<ScriptAction>
    /// When the action that takes time has begun.
    private var began: Double?
    private var stepsDone = 0

    private static let dragTime = 0.3
    private static let holdTime = 0.15
    private static let flickTime = 0.1
    /// A mouse tells its place this often.
    private static let step = 0.01
    private static let finger = Point(x: 200, y: 300)

    init(_ actions: [ScriptAction]) { self.actions = actions[...] }

    /// True when there is nothing more to do.
    var isOver: Bool { actions.isEmpty }

    /// What happens up to the frame of a time, and when. A finger moves evenly, however far apart frames are.
    ///
    /// - Parameters:
    ///   - isResting: whether the feed stands still.
    ///   - isComplete: whether it also shows every post in view.
    mutating func events(at time: Double, isResting: Bool, isComplete: Bool) -> [(InputEvent, time: Double)] {
        func all(_ events: InputEvent...) -> [(InputEvent, time: Double)] { events.map { ($0, time) } }
        guard let action = actions.first else { return [] }
        let events: [(InputEvent, time: Double)]
        switch action {
        case .wheel(let notches): events = all(.wheel(notches))
        case .key(let key): events = all(.key(key))
        case .click(let x, let y):
            let point = Point(x: x, y: y)
            events = all(.press(point), .release(point))
        case .rest:
            guard isResting else { return [] }
            events = []
        case .wait:
            guard isComplete else { return [] }
            events = []
        case .quit: events = all(.quit)
        case .drag(let distance):
            return move(distance, in: Self.dragTime, holding: Self.holdTime, until: time)
        case .flick(let speed):
            return move(speed * Self.flickTime, in: Self.flickTime, holding: 0, until: time)
        }
        actions.removeFirst()
        return events
    }

    /// Presses, moves evenly for some time, holds still for some time, and releases.
    private mutating func move(
        _ distance: Double, in duration: Double, holding: Double, until time: Double
    ) -> [(InputEvent, time: Double)] {
        var events: [(InputEvent, time: Double)] = []
        if began == nil { events.append((.press(Self.finger), time)) }
        let start = began ?? time
        let done = stepsDone
        began = start
        func point(_ step: Int) -> Point {
            let share = min(Double(step) * Self.step / duration, 1)
            return Point(x: Self.finger.x, y: Self.finger.y + distance * share)
        }
        let last = Int(((duration + holding) / Self.step).rounded())
        stepsDone = min(Int((time - start) / Self.step), last)
        if done < stepsDone {
            events += (done + 1...stepsDone).map { (.move(point($0)), start + Double($0) * Self.step) }
        }
        if stepsDone == last {
            events.append((.release(point(last)), start + Double(last) * Self.step))
            actions.removeFirst()
            began = nil
            stepsDone = 0
        }
        return events
    }
}
