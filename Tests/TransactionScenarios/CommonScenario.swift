import Dispatch
import Foundation
import Synchronization
import QueuePoolsTransactions

/// What is tried in every kind of main loop.
package enum CommonScenario: String, CaseIterable, Sendable {
    case mainThread, otherThread, duringFlush, duplicates, order, release, queuedBefore, manyTurns

    /// Runs it; the program ends when it is done.
    package func start(on loop: MainLoop) {
        switch self {
        case .mainThread: commitFromMainThread(on: loop)
        case .otherThread: commitFromOtherThread(on: loop)
        case .duringFlush: commitDuringFlush(on: loop)
        case .duplicates: commitDuplicates(on: loop)
        case .order: commitInOrder(on: loop)
        case .release: releaseTarget(on: loop)
        case .queuedBefore: commitBeforeQueuedWork(on: loop)
        case .manyTurns: loop.perform { commit(turns: 21_000, pages: 0, on: loop) }
        }
    }
}

private func commitFromMainThread(on loop: MainLoop) {
    loop.perform {
        Transaction(Target(), "a") { _ in
            MainActor.preconditionIsolated()
            report("flush")
            finish()
        }.commit(to: loop.queue)
        report("turn")
    }
}

/// Reports how long it takes, at best, until a transaction of another thread runs.
private func commitFromOtherThread(on loop: MainLoop) {
    Thread.detachNewThread { reportBestLatency(on: loop.queue) }
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

private func commitDuringFlush(on loop: MainLoop) {
    let target = Target()
    loop.perform {
        Transaction(target, "a") { target in
            report("a")
            loop.perform { report("between") }
            Transaction(target, "a") { _ in report("a again") }.commit(to: loop.queue)
            Transaction(target, "b") { _ in
                report("b again")
                finish()
            }.commit(to: loop.queue)
        }.commit(to: loop.queue)
        Transaction(target, "b") { _ in report("b") }.commit(to: loop.queue)
    }
}

private func commitDuplicates(on loop: MainLoop) {
    let target = Target()
    loop.perform {
        for number in 0..<10_000 {
            Transaction(target, "a") { _ in report("body \(number)") }.commit(to: loop.queue)
        }
        Transaction(target, "end") { _ in finish() }.commit(to: loop.queue)
    }
}

private func commitInOrder(on loop: MainLoop) {
    let targets = [Target(), Target()]
    loop.perform {
        let names: [Transaction.Action] = ["d", "a", "c", "b"]
        for action in names + names.reversed() {
            for (index, target) in targets.enumerated() {
                Transaction(target, action) { _ in report("\(index)\(action.name)") }.commit(to: loop.queue)
            }
        }
        Transaction(targets[0], "end") { _ in finish() }.commit(to: loop.queue)
    }
}

/// The target's `deinit` commits too, which would lock up if it happened under the queue's lock.
private func releaseTarget(on loop: MainLoop) {
    loop.perform {
        let target = Target {
            report("released")
            Transaction(Target(), "a") { _ in
                report("committed by deinit")
                finish()
            }.commit(to: loop.queue)
        }
        Transaction(target, "a") { _ in report("run") }.commit(to: loop.queue)
        report("turn")
    }
}

/// What the main loop has to do already when the first transaction is committed comes before the flush.
private func commitBeforeQueuedWork(on loop: MainLoop) {
    loop.perform {
        Transaction(Target(), "a") { _ in
            report("flush")
            finish()
        }.commit(to: loop.queue)
        report("turn")
    }
    loop.perform { report("queued") }
}

/// Each turn's transaction commits the next one's; at the end nothing may be left of them.
@MainActor
private func commit(turns: Int, pages: Int, on loop: MainLoop) {
    guard turns > 0 else {
        let gathered = residentPages() - pages
        report(gathered < 1_500 ? "gathers nothing" : "gathers \(gathered) pages")
        finish()
    }
    let pages = turns == 20_000 ? residentPages() : pages
    Transaction(Target(), "a") { _ in commit(turns: turns - 1, pages: pages, on: loop) }.commit(
        to: loop.queue)
}
