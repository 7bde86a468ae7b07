#if os(Linux)
    import Dispatch
    import Foundation
    import TransactionScenarios
    import QueuePoolsTransactions

    /// What is tried where the loop runs within one of its own turns, as for a modal dialog.
    enum NestedScenario: String {
        case nestedInEvent, nestedAfterWakeUp, nestedInBlock, nestedInTransaction, pendingInBlock, twoQueues
        case behind, behindAsleep

        /// Runs it; the program ends when it is done.
        @MainActor
        func start(on loop: ProbeLoop) {
            switch self {
            case .nestedInEvent: loop.post { nest(in: loop, servesMainQueue: true) }
            case .nestedAfterWakeUp: loop.post { nestAfterWakeUp(in: loop) }
            case .nestedInBlock: DispatchQueue.main.async { nest(in: loop, servesMainQueue: false) }
            case .nestedInTransaction:
                Transaction(Target(), "nest") { _ in nest(in: loop, servesMainQueue: true) }.commit()
            case .pendingInBlock: nestWithPending(in: loop)
            case .twoQueues: nestInOneOfTwoQueues(loop)
            case .behind: nestBeforeOthers(in: loop, sleepsFirst: false)
            case .behindAsleep: nestBeforeOthers(in: loop, sleepsFirst: true)
            }
        }
    }

    /// Ends the nested loop.
    @MainActor private var isDone = false

    /// Whatever wakes the nested loop from another thread gets done there, one after the other, each when the
    /// loop sleeps; only blocks have to wait while another block of the main queue runs.
    @MainActor
    private func nest(in loop: ProbeLoop, servesMainQueue: Bool) {
        let send = { @Sendable (_ isLast: Bool) in
            let ran = DispatchSemaphore(value: 0)
            DispatchQueue.main.async {
                report("block")
                ran.signal()
                if isLast { finish() }
            }
            return ran
        }
        Thread.detachNewThread {
            let handled = DispatchSemaphore(value: 0)
            loop.post {
                report("event")
                handled.signal()
            }
            handled.wait()
            let block = send(false)
            if servesMainQueue { block.wait() }
            Transaction(Target(), "a") { _ in
                report("flush")
                isDone = true
            }.commit()
        }
        report("enter")
        loop.run { isDone }
        report("leave")
        _ = send(true)
    }

    /// What has woken the loop has not been done when the turn that it woke runs the nested loop.
    @MainActor
    private func nestAfterWakeUp(in loop: ProbeLoop) {
        DispatchQueue.main.async {
            report("block")
            isDone = true
        }
        loop.wait()
        report("enter")
        loop.run { isDone }
        report("leave")
        finish()
    }

    /// What was committed before the block that runs the nested loop is flushed in there.
    @MainActor
    private func nestWithPending(in loop: ProbeLoop) {
        Transaction(Target(), "a") { _ in
            report("flush")
            isDone = true
        }.commit()
        DispatchQueue.main.async {
            report("enter")
            loop.run { isDone }
            report("leave")
            finish()
        }
    }

    /// What is behind a transaction in its turn runs in the loop that this one runs.
    @MainActor
    private func nestBeforeOthers(in loop: ProbeLoop, sleepsFirst: Bool) {
        Transaction(Target(), "a") { _ in
            report("enter")
            if sleepsFirst { loop.wait() }
            loop.run { isDone }
            report("leave")
            finish()
        }.commit()
        Transaction(Target(), "b") { _ in
            report("behind")
            isDone = true
        }.commit()
    }

    /// What waits in one queue is flushed in the loop that a transaction of another queue runs.
    @MainActor
    private func nestInOneOfTwoQueues(_ loop: ProbeLoop) {
        let other = TransactionQueue(driver: MainLoopTurnDriver())
        Transaction(Target(), "a") { _ in
            report("enter")
            loop.run { isDone }
            report("leave")
            finish()
        }.commit()
        Transaction(Target(), "b") { _ in
            report("other queue")
            isDone = true
        }.commit(to: other)
    }
#endif
