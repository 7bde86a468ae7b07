import Dispatch
import QueuePoolsLocks
import QueuePoolsTransactions

/// A main loop that knows neither run loops nor the main queue, like a game's: it sleeps until there is
/// work, does it, and flushes.
final class OwnLoop: Sendable {
    let queue: TransactionQueue
    private let endTurn: @MainActor @Sendable () -> Void
    private let work = Lock<[@MainActor @Sendable () -> Void]>([])
    private let wakeUps: DispatchSemaphore

    /// A loop that flushes a queue of its own.
    init() {
        let wakeUps = DispatchSemaphore(value: 0)
        self.wakeUps = wakeUps
        let queue = TransactionQueue(driver: ManualTurnDriver { wakeUps.signal() })
        self.queue = queue
        endTurn = { queue.flush() }
    }

    /// A loop that ends the turns of the whole program.
    init?(endingTurnsOf queue: TransactionQueue) {
        let wakeUps = DispatchSemaphore(value: 0)
        guard let turns = ManualTurns(wake: { wakeUps.signal() }) else { return nil }
        self.wakeUps = wakeUps
        self.queue = queue
        endTurn = { turns.endTurn() }
    }

    @Sendable
    func perform(_ job: @escaping @MainActor @Sendable () -> Void) {
        work.withLock { $0.append(job) }
        wakeUps.signal()
    }

    @MainActor
    func run() -> Never {
        while true {
            wakeUps.wait()
            while let job = work.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { job() }
            endTurn()
        }
    }
}
