import Foundation
import TestSupport
import Testing
import QueuePoolsTransactions

@MainActor
@Suite("A transaction queue that is flushed by hand", .timeLimit(.minutes(15)))
struct TransactionQueueTests {
    private let log = Log()
    private let wakeUps: Counter
    private let queue: TransactionQueue

    init() {
        let wakeUps = Counter()
        self.wakeUps = wakeUps
        queue = TransactionQueue(driver: ManualTurnDriver { wakeUps.increment() })
    }

    private func commit(_ action: Transaction.Action, _ line: String) {
        Transaction(log, action) { $0.append(line) }.commit(to: queue)
    }

    @Test("runs nothing before its flush, and everything in it, in the order of first commit")
    func order() {
        for name in ["c", "a", "b", "a", "c"] { commit(Transaction.Action(name), name) }
        #expect(log.lines == [])
        queue.flush()
        #expect(log.lines == ["c", "a", "b"])
        queue.flush()
        #expect(log.lines == ["c", "a", "b"])
    }

    @Test("runs ten thousand equal transactions once, with the first one's body")
    func duplicates() {
        for number in 0..<10_000 { commit("a", "\(number)") }
        queue.flush()
        #expect(log.lines == ["0"])
    }

    @Test("wakes its loop once for each period in which something is pending")
    func wakeOncePerPeriod() {
        #expect(wakeUps.value == 0)
        for period in 1...3 {
            for name in ["a", "b", "a"] { commit(Transaction.Action(name), name) }
            #expect(wakeUps.value == period)
            queue.flush()
            #expect(wakeUps.value == period)
        }
        queue.flush()
        #expect(wakeUps.value == 3)
    }

    @Test(
        "calls its driver again while another thread's call is delayed, which counts for no later turn"
    )
    func heldUpDriver() async {
        // another thread                 | main actor
        // -------------------------------|-----------------------------------------
        // commits a, calls the driver …  |
        //                                | commits b: nothing is sure to be scheduled
        //                                | yet, so the driver is called again
        //                                | flushes both
        // … comes back                   |
        //                                | commits c: a new turn, so the driver is called
        let gate = Gate()
        let calls = Counter()
        let queue = TransactionQueue(driver: ManualTurnDriver { if calls.increment() == 1 { gate.pass() } })
        let ends = Counter()
        Thread.detachNewThread { [log] in
            Transaction(log, "a") { $0.append("a") }.commit(to: queue)
            ends.increment()
        }
        await waitWhile(calls.value == 0)
        Transaction(log, "b") { $0.append("b") }.commit(to: queue)
        #expect(calls.value == 2)
        queue.flush()
        #expect(log.lines == ["a", "b"])
        gate.open()
        await waitWhile(ends.value == 0)
        Transaction(log, "c") { $0.append("c") }.commit(to: queue)
        #expect(calls.value == 3)
    }

    @Test(
        "releases each target when its transaction has run, also in a nested flush", arguments: [false, true])
    func releasesOneByOne(isNested: Bool) {
        let released = Counter()
        let seen = Recorder<Int>()
        let commitAll: @MainActor @Sendable () -> Void = { [queue] in
            for _ in 0..<3 {
                let probe = LifetimeProbe { released.increment() }
                Transaction(probe, "look") { _ in seen.append(released.value) }.commit(to: queue)
            }
        }
        if isNested {
            Transaction(log, "outer") { [queue] _ in
                commitAll()
                queue.flush()
            }.commit(to: queue)
            commit("behind", "behind")
        } else {
            commitAll()
        }
        queue.flush()
        #expect(seen.elements == [0, 1, 2])
        #expect(released.value == 3)
    }

    @Test("needs no wake function")
    func noWake() {
        let queue = TransactionQueue(driver: ManualTurnDriver())
        Transaction(log, "a") { $0.append("a") }.commit(to: queue)
        queue.flush()
        #expect(log.lines == ["a"])
    }

    @Test("leaves what its transactions commit to the next flush, duplicates of the running ones included")
    func commitDuringFlush() {
        Transaction(log, "a") { [queue] log in
            log.append("a")
            for action in ["a", "b", "c"] as [Transaction.Action] {
                Transaction(log, action) { $0.append("\(action.name) again") }.commit(to: queue)
            }
        }.commit(to: queue)
        commit("b", "b")
        queue.flush()
        #expect(log.lines == ["a", "b"])
        #expect(wakeUps.value == 2)
        queue.flush()
        #expect(log.lines == ["a", "b", "a again", "b again", "c again"])
    }

    @Test(
        "may be flushed within a transaction, which runs those behind it, then what was committed since"
    )
    func flushWithinTransaction() {
        Transaction(log, "a") { [queue] log in
            log.append("enter")
            Transaction(log, "a") { $0.append("nested") }.commit(to: queue)
            queue.flush()
            log.append("leave")
        }.commit(to: queue)
        commit("b", "b")
        queue.flush()
        #expect(log.lines == ["enter", "b", "nested", "leave"])
        queue.flush()
        #expect(log.lines.count == 4)
    }

    @Test("retains a target until its flush, and releases it then")
    func release() {
        commitProbe(named: "target") { [log] in log.append("released") }
        #expect(log.lines == [])
        queue.flush()
        #expect(log.lines == ["target", "released"])
    }

    @Test("lets a target commit while it is released, outside of any lock")
    func commitInDeinit() {
        commitProbe(named: "target") { [log, queue] in
            Transaction(log, "a") { $0.append("committed by deinit") }.commit(to: queue)
        }
        queue.flush()
        #expect(log.lines == ["target"])
        #expect(wakeUps.value == 2)
        queue.flush()
        #expect(log.lines == ["target", "committed by deinit"])
    }

    @Test("does not hold what a duplicate's body captured")
    func releaseDuplicate() {
        commit("a", "a")
        do {
            let probe = LifetimeProbe { [log] in log.append("released") }
            Transaction(log, "a") { _ in probe.touch() }.commit(to: queue)
        }
        #expect(log.lines == ["released"])
    }

    @Test("gets nothing to do from a target that is gone")
    func missingTarget() {
        let target: Log? = nil
        let transaction = Transaction(target, "a") { $0.append("a") }
        #expect(transaction == nil)
        let present: Log? = log
        Transaction(present, "a") { $0.append("a") }?.commit(to: queue)
        queue.flush()
        #expect(log.lines == ["a"])
    }

    @Test("runs a transaction as often as it is committed in different turns")
    func commitAgain() {
        let transaction = Transaction(log, "a") { $0.append("a") }
        for _ in 0..<3 {
            transaction.commit(to: queue)
            queue.flush()
        }
        #expect(log.lines == ["a", "a", "a"])
    }

    private func commitProbe(named name: String, onRelease: @escaping @Sendable () -> Void) {
        let target = LifetimeProbe(onRelease: onRelease)
        Transaction(target, "a") { [log] _ in log.append(name) }.commit(to: queue)
    }
}
