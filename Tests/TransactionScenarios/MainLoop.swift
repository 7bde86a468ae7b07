package import QueuePoolsTransactions

/// A program's main loop, as a scenario sees it.
package struct MainLoop: Sendable {
    /// Where the scenario commits.
    package let queue: TransactionQueue
    /// Has work done on the main actor, in a turn of the loop; from any thread.
    package let perform: @Sendable (@escaping @MainActor @Sendable () -> Void) -> Void

    /// Describes a main loop.
    package init(
        queue: TransactionQueue,
        perform: @escaping @Sendable (@escaping @MainActor @Sendable () -> Void) -> Void
    ) {
        self.queue = queue
        self.perform = perform
    }
}
