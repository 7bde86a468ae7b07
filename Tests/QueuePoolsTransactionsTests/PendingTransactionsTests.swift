import Testing

@testable import QueuePoolsTransactions

@MainActor
@Suite("Pending transactions")
struct PendingTransactionsTests {
    private let log = Log()

    private func logging(_ target: Log, _ action: Transaction.Action, _ text: String) -> Transaction {
        Transaction(target, action) { [log] _ in log.append(text) }
    }

    @Test("are empty at first, and empty again when taken")
    func emptiness() {
        var pending = PendingTransactions()
        #expect(pending.isEmpty)
        pending.insert(logging(log, "a", "1"))
        #expect(!pending.isEmpty)
        #expect(pending.takeAll().count == 1)
        #expect(pending.isEmpty)
        #expect(pending.takeAll().isEmpty)
    }

    @Test("keep the first of those with equal target and action, in the order of insertion")
    func firstOfEquals() {
        var pending = PendingTransactions()
        let other = Log()
        pending.insert(logging(log, "b", "log b"))
        pending.insert(logging(other, "b", "other b"))
        pending.insert(logging(log, "a", "log a"))
        pending.insert(logging(log, "b", "log b again"))
        pending.insert(logging(other, "b", "other b again"))
        pending.insert(logging(other, "a", "other a"))
        for transaction in pending.takeAll() { transaction.run() }
        #expect(log.lines == ["log b", "other b", "log a", "other a"])
    }

    @Test("accept after being taken what they had before")
    func insertAgain() {
        var pending = PendingTransactions()
        pending.insert(logging(log, "a", "1"))
        _ = pending.takeAll()
        pending.insert(logging(log, "a", "2"))
        for transaction in pending.takeAll() { transaction.run() }
        #expect(log.lines == ["2"])
    }

    @Test("tell targets apart by identity and not by equality")
    func identity() {
        var pending = PendingTransactions()
        let targets = [AlwaysEqual(), AlwaysEqual()]
        for target in targets { pending.insert(Transaction(target, "a") { _ in }) }
        #expect(pending.takeAll().count == 2)
    }

    @Test("compare actions as strings are compared, however long, empty or composed")
    func actionNames() {
        var pending = PendingTransactions()
        let long = String(repeating: "long", count: 1_000)
        for name in ["", "a", String(["a"]), "é", "e\u{301}", long, long] {
            pending.insert(logging(log, Transaction.Action(name), name))
        }
        pending.insert(logging(log, "a", "literal"))
        #expect(pending.takeAll().count == 4)
    }
}

private final class AlwaysEqual: Hashable, Sendable {
    static func == (left: AlwaysEqual, right: AlwaysEqual) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
}

extension PendingTransactions {
    fileprivate mutating func takeAll() -> [Entry] {
        var entries: [Entry] = []
        takeAll(into: &entries)
        return entries
    }
}
