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
            guard let notches = number(10_000) else { return nil }
            self = .wheel(notches)
        case "drag":
            guard let distance = number(100_000) else { return nil }
            self = .drag(distance)
        case "flick":
            guard let speed = number(100_000) else { return nil }
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
}

/// A key that scrolls.
enum ScrollKey: String, Sendable, CaseIterable {
    case up, down, pageup, pagedown, home, end
}
