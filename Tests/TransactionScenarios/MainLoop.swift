public import Transactions

/// A program's main loop, as a scenario sees it.
public struct MainLoop: Sendable {
    /// Where the scenario commits.
    public let queue: TransactionQueue
    /// Has work done on the main actor, in a turn of the loop; from any thread.
    public let perform: @Sendable (@escaping @MainActor @Sendable () -> Void) -> Void

    public init(
        queue: TransactionQueue,
        perform: @escaping @Sendable (@escaping @MainActor @Sendable () -> Void) -> Void
    ) {
        self.queue = queue
        self.perform = perform
    }
}
