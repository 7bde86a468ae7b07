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

    /// Another thread does what was planned with ``Simulation/schedule(at:_:)``. It happens at its time and is
    /// never a choice; it is in the trace only.
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
    public var isOnMainThread: Bool {
        switch self {
        case .flush, .mainQueue, .timer: true
        case .job, .event: false
        }
    }
}
