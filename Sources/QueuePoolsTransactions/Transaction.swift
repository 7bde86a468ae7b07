/// A request to do something to an object once, at the end of the main loop's turn.
///
///     Transaction(cell, "layout") { $0.layOut() }.commit()
///
/// However often a target and an action are committed within one turn, they run once. That is how many
/// property changes become one redraw. The idea is YYTransaction's (2015); a lock, an order, and a wake-up of
/// the loop are added.
public struct Transaction: Sendable {
    /// What is to be done, by name. Together with the target it identifies a transaction.
    public struct Action: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
        /// The name; only equality matters.
        public let name: String

        /// Makes an action from its name.
        public init(_ name: String) { self.name = name }

        /// Makes an action from a literal name.
        public init(stringLiteral name: String) { self.name = name }

        /// The name.
        public var description: String { name }
    }

    /// Identifies a transaction. The target is alive while its key is in use, so its identity cannot pass to
    /// another object meanwhile.
    struct Key: Hashable, Sendable {
        let target: ObjectIdentifier
        let action: Action
    }

    let key: Key
    private let body: @MainActor @Sendable () -> Void

    /// Describes a transaction; nothing happens before ``commit(to:)``.
    ///
    /// - Parameters:
    ///   - target: the object; kept alive from the commit to the end of its turn.
    ///   - action: the name of what is done.
    ///   - body: what is done, on the main actor. Of several equal transactions in a turn, the first one's
    ///     runs.
    public init<Target: AnyObject & Sendable>(
        _ target: Target, _ action: Action, body: @escaping @MainActor @Sendable (Target) -> Void
    ) {
        key = Key(target: ObjectIdentifier(target), action: action)
        self.body = { body(target) }
    }

    /// The same for a target that may be gone: without a target there is no transaction.
    public init?<Target: AnyObject & Sendable>(
        _ target: Target?, _ action: Action, body: @escaping @MainActor @Sendable (Target) -> Void
    ) {
        guard let target else { return nil }
        self.init(target, action, body: body)
    }

    /// Has the transaction run at the end of this turn of the main loop, after what was committed before it.
    /// Does nothing if an equal one is pending. Committed during a flush, it belongs to the next turn, which
    /// then follows immediately.
    ///
    /// *Thread-safe.* O(1), amortised; from another thread it wakes the main loop.
    public func commit(to queue: TransactionQueue = .main) { queue.commit(self) }

    @MainActor
    func run() { body() }
}
