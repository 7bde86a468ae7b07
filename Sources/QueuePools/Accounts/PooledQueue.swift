import Synchronization

/// A queue of a pool, and what the pool does with it: submit, run steps of tasks, close, and read accounts.
///
/// This class keeps the accounts beside the queue, so it serves every kind of ``SerialQueue``. Queues that
/// keep better accounts themselves have a subclass.
@usableFromInline
class PooledQueue<Queue: SerialQueue>: JobIntake, @unchecked Sendable {  // nothing in it changes
    @usableFromInline final let queue: Queue
    private final let ledger: QueueLedger
    private final let forkCount: UInt32

    /// - Parameter forkCount: that of the pool, which tells in which process the queue works.
    init(queue: Queue, accounts: TierAccounts, forkCount: UInt32 = currentForkCount()) {
        self.queue = queue
        self.forkCount = forkCount
        ledger = QueueLedger(accounts: accounts)
    }

    /// Submits a job that can be cancelled; nil when it is refused.
    @usableFromInline
    func submit(_ body: consuming @escaping @Sendable () -> Void) -> PoolJob? {
        guard forkCount == currentForkCount(), let receipt = ledger.accept() else { return nil }
        let job = CountedJob(receipt: receipt, ledger: ledger, body: body)
        queue.enqueue { job.run() }
        return PoolJob(owner: job)
    }

    /// Submits a step of a task: counted, never refused.
    func submit(_ step: UnownedJob, of executor: PoolTaskExecutor<Queue>) {
        submitStep { step.runSynchronously(on: executor.asUnownedTaskExecutor()) }
    }

    /// Submits a step of an actor: counted, never refused.
    func submit(_ step: UnownedJob, of executor: PoolSerialExecutor<Queue>) {
        submitStep { step.runSynchronously(on: executor.asUnownedSerialExecutor()) }
    }

    private final func submitStep(_ step: @escaping @Sendable () -> Void) {
        let receipt = ledger.acceptAlways()
        queue.enqueue { [ledger] in
            ledger.start(receipt)
            RunFrame.around(ledger, step)
            ledger.finish(receipt)
        }
    }

    /// Whether the caller is a job of the queue.
    var isCurrent: Bool { queue.isCurrent || RunFrame.contains(ledger) }

    /// Closes the intake, once; `body` is called when all that was accepted has ended.
    func close(whenDrained body: @escaping @Sendable () -> Void) {
        ledger.close(whenDrained: body)
    }

    /// Has jobs that have not begun be cancelled when their turn comes.
    func cancelWaiting() { ledger.cancelsWaiting.store(true, ordering: .relaxed) }

    /// Adds this queue's figures to a tier's.
    func add(to statistics: inout TierStatistics) {
        ledger.add(to: &statistics)
    }
}
