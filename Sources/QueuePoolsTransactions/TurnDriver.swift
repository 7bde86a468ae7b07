/// Knows when a turn of the main loop ends, which depends on the kind of loop.
public protocol TurnDriver: Sendable {
    /// Something is pending in this queue: ensures that `queue.flush()` runs once, on the main actor, at the
    /// end of the turn.
    ///
    /// Called by the first commit after each flush, and by others that come before that call has returned; on
    /// the committing thread, with no lock held. It must not flush before it returns.
    func flushAtEndOfTurn(_ queue: TransactionQueue)
}

/// For programs with a loop of their own (SDL, GTK, a game engine) that call ``TransactionQueue/flush()``
/// themselves, at the end of each frame. A transaction that calls `setNeedsDisplay` on a layer commits to the
/// next flush; a program that wants both in one frame flushes twice.
///
/// Such a loop must also serve the main queue, or nothing comes back to the main actor from other threads.
/// `MainLoopBridges` does both, for ``TransactionQueue/main`` too.
public struct ManualTurnDriver: TurnDriver {
    private let wake: (@Sendable () -> Void)?

    /// Makes a driver.
    ///
    /// - Parameter wake: called on the committing thread when something becomes pending, to wake a loop that
    ///   sleeps between frames. Default: nothing.
    public init(wake: (@Sendable () -> Void)? = nil) { self.wake = wake }

    /// Calls `wake`.
    public func flushAtEndOfTurn(_ queue: TransactionQueue) { wake?() }
}
