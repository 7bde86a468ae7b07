import Sentinels
import Synchronization

/// Whether one draw is to go on, asked by the thread that draws and decided by it or by the main actor.
///
/// At first the draw follows its layer's sentinel: raised, it makes the draw stale. Whoever notices decides,
/// once for both sides: a draw that is overdue (``Freshness``) is *kept*, any other is *stopped*. A draw that
/// another layer shares is kept by the main actor, and stopped when nobody wants it any more.
///
///     following ──► kept ──► stopped
///         └───────────────────►┘
///
/// No transition goes back, so a draw that was told to stop is never told otherwise. The clock never goes
/// backwards and both sides compare it with the same time, so they can disagree only in one way: the draw
/// looks first, early, and stops; the main actor then comes to know that it was too late to keep it.
///
/// Ordering: changes release and loads acquire, so a draw that finds itself stopped sees what was written
/// before, as with `Ticket`.
class DrawLatch: @unchecked Sendable {  // what changes in it is atomic
    private enum State {
        static let following: UInt8 = 0
        static let kept: UInt8 = 1
        static let stopped: UInt8 = 2
    }

    private let state = Atomic<UInt8>(State.following)
    /// Of the layer that the draw was begun for; others may share it.
    let pipeline: DisplayPipeline
    /// The pipeline's. To reach for its parts through the pipeline, a draw would take references.
    let host: DisplayHost
    private let generation: UInt64
    private let overdueTime: Duration

    /// - Parameters:
    ///   - pipeline: of the layer that the draw is begun for.
    ///   - generation: the value of the pipeline's sentinel for which the draw is wanted.
    ///   - overdueTime: when the draw had better be finished, by the host's clock.
    init(of pipeline: DisplayPipeline, generation: UInt64, overdueTime: Duration) {
        self.pipeline = pipeline
        host = pipeline.host
        self.generation = generation
        self.overdueTime = overdueTime
    }

    /// True once the draw should stop.
    final var isStopped: Bool {
        switch state.load(ordering: .acquiring) {
        case State.kept: false
        case State.stopped: true
        default: pipeline.generation != generation && !decide()
        }
    }

    /// Lets the draw go on, whatever its sentinel says; false if it has been stopped.
    @discardableResult
    final func keep() -> Bool { leaveFollowing(for: State.kept) }

    /// Tells the draw to stop.
    final func stop() { state.store(State.stopped, ordering: .releasing) }

    private func decide() -> Bool {
        leaveFollowing(for: host.now >= overdueTime ? State.kept : State.stopped)
    }

    /// - Returns: whether the draw goes on.
    private func leaveFollowing(for next: UInt8) -> Bool {
        let (exchanged, original) = state.compareExchange(
            expected: State.following, desired: next, ordering: .acquiringAndReleasing)
        return (exchanged ? next : original) == State.kept
    }
}
