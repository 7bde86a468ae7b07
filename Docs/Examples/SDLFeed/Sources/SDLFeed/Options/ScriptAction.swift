import FeedKit

/// One thing that `--script` does.
enum ScriptAction: Equatable, Sendable {
    case wheel(Double)
    case drag(Double)
    case flick(Double)
    case key(ScrollKey)
    case click(x: Double, y: Double)
    case rest
    case wait
    case quit

    /// The most notches of a wheel.
    static let notchLimit = 10_000.0
    /// The most points of a drag, and points a second of a flick.
    static let pointLimit = 100_000.0

    /// Nil for what is no action.
    init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        let numbers = parts.dropFirst().map { Double($0) }
        func number(_ limit: Double) -> Double? {
            guard numbers.count == 1, let number = numbers[0], abs(number) <= limit else { return nil }
            return number
        }
        switch parts[0] {
        case "wheel":
            guard let notches = number(Self.notchLimit) else { return nil }
            self = .wheel(notches)
        case "drag":
            guard let distance = number(Self.pointLimit) else { return nil }
            self = .drag(distance)
        case "flick":
            guard let speed = number(Self.pointLimit) else { return nil }
            self = .flick(speed)
        case "key":
            guard parts.count == 2, let key = ScrollKey(rawValue: parts[1]) else { return nil }
            self = .key(key)
        case "click":
            guard numbers.count == 2, let x = numbers[0], let y = numbers[1], x.isFinite, y.isFinite
            else { return nil }
            self = .click(x: x, y: y)
        case "rest" where parts.count == 1: self = .rest
        case "wait" where parts.count == 1: self = .wait
        case "quit" where parts.count == 1: self = .quit
        default: return nil
        }
    }

    /// The actions of a list with commas between them.
    static func list(_ text: String) throws(ProgramError) -> [ScriptAction] {
        var actions: [ScriptAction] = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
            guard let action = ScriptAction(word) else {
                throw ProgramError(.usage, "must be \(expectation(for: word)), not '\(word)'")
            }
            actions.append(action)
        }
        return actions
    }

    /// What a word that is no action should have been.
    private static func expectation(for text: String) -> String {
        func range(_ limit: Double) -> String { "from -\(Int(limit)) to \(Int(limit))" }
        let name = text.prefix { $0 != ":" }
        return switch name {
        case "wheel": "wheel:N with a number \(range(notchLimit))"
        case "drag": "drag:D with a number \(range(pointLimit))"
        case "flick": "flick:V with a number \(range(pointLimit))"
        case "key": "key:NAME with \(ScrollKey.allCases.map(\.rawValue).joined(separator: ", "))"
        case "click": "click:X:Y with two numbers"
        case "rest", "wait", "quit": "\(name) without a value"
        default: "a list of actions as in --help"
        }
    }
}

/// A key that scrolls.
enum ScrollKey: String, Sendable, CaseIterable {
    case up, down, pageup, pagedown, home, end
}
