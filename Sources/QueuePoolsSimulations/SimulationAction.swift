public import QueuePools

/// Something that may happen next in a ``Simulation``.
public enum SimulationAction: Hashable, Sendable, CustomStringConvertible {
    /// The main thread's turn ends: what was asked for with `setNeedsDisplay` is displayed.
    case flush

    /// The main queue's oldest work runs, such as bringing finished pictures to their layers.
    case mainQueue

    /// The main thread's oldest timer whose time has come fires, such as a group's time limit.
    case timer

    /// A queue of the pool runs its oldest job; queues count from 0 in their tier. A job that was cancelled
    /// keeps its place and does nothing there.
    case job(QoSTier, queue: Int)

    /// Another thread does what was planned with ``Simulation/schedule(at:_:)``. It happens at its time and
    /// is never a choice; it is in the trace only.
    case event

    /// The action in words: "flush", "main queue", "timer", "job of userInitiated.0", "event".
    public var description: String {
        switch self {
        case .flush: "flush"
        case .mainQueue: "main queue"
        case .timer: "timer"
        case .job(let tier, let queue): "job of \(tier.name).\(queue)"
        case .event: "event"
        }
    }

    /// True for what only the main thread does.
    package var isOnMainThread: Bool {
        switch self {
        case .flush, .mainQueue, .timer: true
        case .job, .event: false
        }
    }
}

/// Decides what happens next in a ``Simulation`` where several things may.
public enum SimulationOrder: Sendable {
    /// What became possible first happens first. Draws do not overlap; while one of them spends time, the
    /// main thread continues.
    case firstInFirstOut

    /// Random, also whether something happens while a draw spends time. Equal seeds make equal choices, on
    /// every platform.
    case seeded(UInt64)

    /// The closure picks one of the actions that are possible, given in the order in which they became so.
    ///
    /// Nil picks none of them: within ``Simulation/spend(_:)`` and while the main thread waits for a draw,
    /// time then passes until something is planned; ``Simulation/run()`` and ``Simulation/advance(by:)`` end
    /// what they do at this moment. Picking what was not offered is a programming error, and traps.
    case chosen(@MainActor @Sendable (_ possible: [SimulationAction]) -> SimulationAction?)
}

/// One thing that has happened in a ``Simulation``; its trace is made of these.
public struct SimulationStep: Hashable, Sendable, CustomStringConvertible {
    /// When it began, in the simulation's time.
    public let time: Duration

    /// What it was.
    public let action: SimulationAction

    /// How many other steps it happened within: 0, unless one of them spent time (``Simulation/spend(_:)``)
    /// or the main thread waited for a draw.
    public let depth: Int

    /// The step in words, indented by its depth: "0.016 s: flush". The time is cut to microseconds.
    public var description: String {
        let (seconds, attoseconds) = time.components
        let microseconds = String(attoseconds / 1_000_000_000_000 + 1_000_000).dropFirst()
        return "\(String(repeating: "    ", count: depth))\(seconds).\(microseconds) s: \(action)"
    }
}

/// Random choices from a seed: SplitMix64 (Steele, Lea and Flood, 2014).
///
/// With its own way to a bounded number, since the standard library's may change between versions, and a seed
/// must keep meaning the same schedule.
struct SeededChoice {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// A number from 0 to below the bound, which must be above 0. Not quite even for bounds near 2⁶⁴; choices
    /// are of a few.
    mutating func next(below bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((z ^ (z >> 31)).multipliedFullWidth(by: UInt64(bound)).high)
    }
}
