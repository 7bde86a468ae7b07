/// The actions that a ``DisplayStateMachine`` returns, in order: nearly always one or none, so one takes no
/// memory.
struct DisplayActions<Pass: DisplayPass>: Sequence, IteratorProtocol, ExpressibleByArrayLiteral {
    typealias Action = DisplayStateMachine<Pass>.Action

    private(set) var first: Action?
    private var others: [Action]?

    init(_ action: Action? = nil) { first = action }

    init(arrayLiteral actions: Action...) {
        for action in actions { append(action) }
    }

    mutating func append(_ action: Action) {
        if first == nil { first = action } else { others = (others ?? []) + [action] }
    }

    mutating func next() -> Action? {
        defer {
            first = others?.removeFirst()
            if others?.isEmpty == true { others = nil }
        }
        return first
    }
}
