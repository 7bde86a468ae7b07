/// One thing that has happened in a ``Simulation``; its trace is made of these.
public struct SimulationStep: Hashable, Sendable, CustomStringConvertible {
    /// When it began, in the simulation's time.
    public let time: Duration

    /// What it was.
    public let action: SimulationAction

    /// How many other steps it happened within: 0, unless one of them spent time (``Simulation/spend(_:)``) or
    /// the main thread waited for a draw.
    public let depth: Int

    /// The step in words, indented by its depth: "0.016 s: flush". The time is cut to microseconds.
    public var description: String {
        let (seconds, attoseconds) = time.components
        let microseconds = String(attoseconds / 1_000_000_000_000 + 1_000_000).dropFirst()
        return "\(String(repeating: "    ", count: depth))\(seconds).\(microseconds) s: \(action)"
    }
}
