/// What is pending in one turn: each transaction once, in the order of first commit.
struct PendingTransactions: Sendable {
    enum Entry: Sendable {
        case transaction(Transaction)
        case target(any TurnTarget)

        @MainActor
        func run() {
            switch self {
            case .transaction(let transaction): transaction.run()
            case .target(let target): target.turnEnds()
            }
        }
    }

    private var keys: Set<Transaction.Key> = []
    private var inOrder: [Entry] = []

    var isEmpty: Bool { inOrder.isEmpty }

    /// Adds a transaction, unless its like is there.
    mutating func insert(_ transaction: Transaction) {
        if keys.insert(transaction.key).inserted { inOrder.append(.transaction(transaction)) }
    }

    /// Adds a target, whether or not it is there.
    mutating func append(_ target: any TurnTarget) { inOrder.append(.target(target)) }

    /// Exchanges all entries for an empty array, whose memory serves for the next ones.
    mutating func takeAll(into empty: inout [Entry]) {
        keys = []
        swap(&inOrder, &empty)
    }
}
