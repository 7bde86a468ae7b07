/// Accepts jobs until it is closed.
///
/// # When a shutdown is drained
///
/// `QueuePool.close` closes all intakes and counts them; the last that reports ends the shutdown. An intake
/// reports when all jobs have ended that it accepted before it was closed:
///
/// | intake | is closed by | reports when |
/// |---|---|---|
/// | `MailboxQueue`, `MadeQueue` | a mark and a last message in its mailbox | its holder comes to that |
/// | `UnorderedLane` | the same | as many jobs have ended as had begun before that message |
/// | `MadeQueues` | closing each queue | each has reported |
/// | `CountedIntake`, of other queues | a mark in its count | as many jobs have ended as it counts |
///
/// A tier that is first used after the shutdown is closed when it is made.
protocol JobIntake {
    /// Closes the intake, once. `body` is called when all accepted jobs have ended.
    func close(whenDrained body: @escaping @Sendable () -> Void)

    /// Cancels the jobs that have not begun, each when its turn comes.
    func cancelWaiting()
}
