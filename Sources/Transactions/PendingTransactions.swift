/// The transactions of one turn: each once, in the order of first commit.
struct PendingTransactions: Sendable {
    private var keys: Set<Transaction.Key> = []
    private var inOrder: [Transaction] = []

    var isEmpty: Bool { inOrder.isEmpty }

    /// Adds a transaction, unless its like is there.
    mutating func insert(_ transaction: Transaction) {
        if keys.insert(transaction.key).inserted { inOrder.append(transaction) }
    }

    /// Takes out everything; keeps no target.
    mutating func takeAll() -> [Transaction] {
        defer { self = PendingTransactions() }
        return inOrder
    }
}
