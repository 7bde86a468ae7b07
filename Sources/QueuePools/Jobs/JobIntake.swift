/// Accepts jobs until it is closed.
///
/// # When a shutdown is drained
///
/// `QueuePool.close` closes all intakes and counts them; the last that reports ends the shutdown. An intake
/// reports when all jobs have ended that it accepted before it was closed:
///
/// | intake | refuses jobs from when | reports when |
/// |---|---|---|
/// | `WorkerQueue` | its mailbox is marked as closed | the holder comes to the last message, which it sent then |
/// | `UnorderedLane` | the same | as many jobs have ended as had begun at its last message |
/// | `CountedIntake`, of other queues | its count has the mark of closing | the count of jobs falls to zero |
///
/// A tier that is first used after the shutdown is closed when it is made.
protocol JobIntake {
    /// Closes the intake, once. `body` is called when all that was accepted has ended.
    func close(whenDrained body: @escaping @Sendable () -> Void)

    /// Has jobs that have not begun cancelled when their turn comes.
    func cancelWaiting()
}
