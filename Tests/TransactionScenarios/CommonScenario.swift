import Dispatch
import Foundation
import Synchronization
import Transactions

/// What is tried in every kind of host.
package enum CommonScenario: String, CaseIterable, Sendable {
    case mainThread, otherThread, duringFlush, duplicates, order, release, queuedBefore, manyTurns

    /// Runs it; the program ends when it is done.
    package func start(on host: MainLoop) {
        switch self {
        case .mainThread: commitFromMainThread(on: host)
        case .otherThread: commitFromOtherThread(on: host)
        case .duringFlush: commitDuringFlush(on: host)
        case .duplicates: commitDuplicates(on: host)
        case .order: commitInOrder(on: host)
        case .release: releaseTarget(on: host)
        case .queuedBefore: commitBeforeQueuedWork(on: host)
        case .manyTurns: host.perform { commit(turns: 21_000, pages: 0, on: host) }
        }
    }
}

private func commitFromMainThread(on host: MainLoop) {
    host.perform {
        Transaction(Target(), "a") { _ in
            MainActor.preconditionIsolated()
            report("flush")
            finish()
        }.commit(to: host.queue)
        report("turn")
    }
}

/// Reports how long it takes, at best, until a transaction of another thread runs.
private func commitFromOtherThread(on host: MainLoop) {
    Thread.detachNewThread { reportBestLatency(on: host.queue) }
}

func reportBestLatency(on queue: TransactionQueue) -> Never {
    var best = Int64.max
    for _ in 0..<5 {
        // Lets the loop fall asleep; should it be awake still, it would just be quicker.
        Thread.sleep(forTimeInterval: 0.05)
        let ran = DispatchSemaphore(value: 0)
        let microseconds = Atomic<Int64>(0)
        let begin = ContinuousClock.now
        Transaction(Target(), "a") { _ in
            microseconds.store((ContinuousClock.now - begin).microseconds, ordering: .relaxed)
            ran.signal()
        }.commit(to: queue)
        ran.wait()
        best = min(best, microseconds.load(ordering: .relaxed))
    }
    report("\(best)")
    finish()
}

private func commitDuringFlush(on host: MainLoop) {
    let target = Target()
    host.perform {
        Transaction(target, "a") { target in
            report("a")
            host.perform { report("between") }
            Transaction(target, "a") { _ in report("a again") }.commit(to: host.queue)
            Transaction(target, "b") { _ in
                report("b again")
                finish()
            }.commit(to: host.queue)
        }.commit(to: host.queue)
        Transaction(target, "b") { _ in report("b") }.commit(to: host.queue)
    }
}

private func commitDuplicates(on host: MainLoop) {
    let target = Target()
    host.perform {
        for number in 0..<10_000 {
            Transaction(target, "a") { _ in report("body \(number)") }.commit(to: host.queue)
        }
        Transaction(target, "end") { _ in finish() }.commit(to: host.queue)
    }
}

private func commitInOrder(on host: MainLoop) {
    let targets = [Target(), Target()]
    host.perform {
        let names: [Transaction.Action] = ["d", "a", "c", "b"]
        for action in names + names.reversed() {
            for (index, target) in targets.enumerated() {
                Transaction(target, action) { _ in report("\(index)\(action.name)") }.commit(to: host.queue)
            }
        }
        Transaction(targets[0], "end") { _ in finish() }.commit(to: host.queue)
    }
}

/// The target's `deinit` commits too, which would lock up if it happened under the queue's lock.
private func releaseTarget(on host: MainLoop) {
    host.perform {
        let target = Target {
            report("released")
            Transaction(Target(), "a") { _ in
                report("committed by deinit")
                finish()
            }.commit(to: host.queue)
        }
        Transaction(target, "a") { _ in report("run") }.commit(to: host.queue)
        report("turn")
    }
}

/// What the main loop has to do already when the first transaction is committed comes before the flush.
private func commitBeforeQueuedWork(on host: MainLoop) {
    host.perform {
        Transaction(Target(), "a") { _ in
            report("flush")
            finish()
        }.commit(to: host.queue)
        report("turn")
    }
    host.perform { report("queued") }
}

/// Each turn's transaction commits the next one's; at the end nothing may be left of them.
@MainActor
private func commit(turns: Int, pages: Int, on host: MainLoop) {
    guard turns > 0 else {
        let gathered = residentPages() - pages
        report(gathered < 1_500 ? "gathers nothing" : "gathers \(gathered) pages")
        finish()
    }
    let pages = turns == 20_000 ? residentPages() : pages
    Transaction(Target(), "a") { _ in commit(turns: turns - 1, pages: pages, on: host) }.commit(
        to: host.queue)
}
