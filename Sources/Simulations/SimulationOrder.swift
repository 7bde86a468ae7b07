/// Who decides what happens next in a ``Simulation`` where several things may.
public enum SimulationOrder: Sendable {
    /// What became possible first happens first. Draws do not overlap; while one of them spends time, the main
    /// thread goes on.
    case firstInFirstOut

    /// Chance decides, also whether something happens while a draw spends time. Equal seeds make equal choices,
    /// on every platform and in every version that lists this promise.
    case seeded(UInt64)

    /// The closure picks one of the actions that are possible, given in the order in which they became so.
    ///
    /// Nil picks none of them: within ``Simulation/spend(_:)`` and while the main thread waits for a draw, time
    /// then passes until something is planned; ``Simulation/run()`` and ``Simulation/advance(by:)`` end what
    /// they do at this moment. Picking what was not offered is a programming error, and traps.
    case chosen(@MainActor @Sendable (_ possible: [SimulationAction]) -> SimulationAction?)
}
