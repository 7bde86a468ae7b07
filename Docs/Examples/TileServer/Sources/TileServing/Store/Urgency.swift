import QueuePools

/// How soon a tile is wanted.
public enum Urgency: Comparable, Sendable {
    /// It may come into view.
    case prefetched
    /// Its place is in view.
    case interactive

    /// Where its draw waits and runs. Threads of the lower tier get what time those of the upper one leave.
    public var tier: QoSTier { self == .interactive ? .userInitiated : .utility }
}
