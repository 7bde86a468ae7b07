import Dispatch
import Locks
import Transactions

/// A main loop that knows neither run loops nor the main queue, like a game's: it sleeps until somebody has
/// work, does it, and flushes.
final class OwnLoop: Sendable {
    let queue: TransactionQueue
    private let work = Lock<[@MainActor @Sendable () -> Void]>([])
    private let wakeUps: DispatchSemaphore

    init() {
        let wakeUps = DispatchSemaphore(value: 0)
        self.wakeUps = wakeUps
        queue = TransactionQueue(driver: ManualTurnDriver { wakeUps.signal() })
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
            queue.flush()
        }
    }
}
