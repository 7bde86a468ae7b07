import AsyncLayers

/// Plays a script as input, frame by frame. Pure: it is told the time, in seconds, and the feed's state.
struct ScriptPlayer {
    private var actions: ArraySlice<ScriptAction>
    /// When the action that takes time has begun.
    private var began: Double?

    private static let dragTime = 0.3
    private static let holdTime = 0.15
    private static let flickTime = 0.1
    private static let finger = Point(x: 200, y: 300)

    init(_ actions: [ScriptAction]) { self.actions = actions[...] }

    /// True when there is nothing more to do.
    var isOver: Bool { actions.isEmpty }

    /// What happens in the frame of a time.
    ///
    /// - Parameters:
    ///   - isResting: whether the feed stands still.
    ///   - isComplete: whether it also shows every post in view.
    mutating func events(at time: Double, isResting: Bool, isComplete: Bool) -> [InputEvent] {
        guard let action = actions.first else { return [] }
        switch action {
        case .wheel(let notches): return done([.wheel(notches)])
        case .key(let key): return done([.key(key)])
        case .click(let x, let y):
            let point = Point(x: x, y: y - WindowMeasures.titleHeight)
            return done([.press(point), .release(point)])
        case .rest: return isResting ? done() : []
        case .wait: return isComplete ? done() : []
        case .quit: return done([.quit])
        case .drag(let distance):
            return move(distance, in: Self.dragTime, holding: Self.holdTime, at: time)
        case .flick(let speed):
            return move(speed * Self.flickTime, in: Self.flickTime, holding: 0, at: time)
        }
    }

    /// Presses, moves evenly for some time, holds still for some time, and releases.
    private mutating func move(
        _ distance: Double, in duration: Double, holding: Double, at time: Double
    ) -> [InputEvent] {
        guard let began else {
            self.began = time
            return [.press(Self.finger)]
        }
        let share = min((time - began) / duration, 1)
        let point = Point(x: Self.finger.x, y: Self.finger.y + distance * share)
        guard time - began >= duration + holding else { return [.move(point)] }
        return done([.move(point), .release(point)])
    }

    private mutating func done(_ events: [InputEvent] = []) -> [InputEvent] {
        actions.removeFirst()
        began = nil
        return events
    }
}
