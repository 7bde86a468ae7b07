/// How a worker thread waits in a call of `sync`, with the orderings of the accesses: the code of `SyncCall`
/// and `SyncWaiters`, line by line.
///
/// No other thread of the group is free, so the caller has to run the queue itself when that becomes ready;
/// or the queue's holder grants it. Deadlines do not pass.
struct SyncCallOrderings {
    /// Every access that is stronger than relaxed, but the claim of the ready queue; see
    /// ``ParkingOrderings``.
    enum Site: OrderingSite {
        case makeReady, lookAtReady
        case addWaiter, lookForWaiters
        case requestLook
        case grant, lookAtGrant

        var ordering: Ordering {
            switch self {
            case .makeReady, .lookAtReady, .addWaiter, .lookForWaiters: .sequentiallyConsistent
            case .lookAtGrant: .acquiring
            case .requestLook, .grant: .releasing
            }
        }
    }

    /// What another thread does.
    enum Action {
        /// Gives the queue up.
        case makeReady
        /// Hands the queue over to the caller.
        case grant
        /// Has the caller look at what its queue's holder waits for, which has changed.
        case requestLook
    }

    private enum State: Int { case waiting, asleep, look, granted }

    private(set) var program = Program()
    private let orderings: Orderings<Site>
    private let state, ready, count, isLocked: AtomicLocation
    /// Whether the call is listed, under the lock; what belongs to the queue's holder.
    private let isListed, queue: PlainLocation

    init(_ others: [Action], _ orderings: Orderings<Site>) {
        self.orderings = orderings
        (state, ready) = (program.atomic("state"), program.atomic("ready"))
        (count, isLocked) = (program.atomic("count"), program.atomic("isLocked"))
        (isListed, queue) = (program.plain("isListed"), program.plain("queue"))
        program.thread("caller") { [self] t in try wait(t) }
        for action in others {
            program.thread("\(action)") { [self] t in
                try perform(action, t)
                return []
            }
        }
    }

    // MARK: The caller

    private func wait(_ t: ModelThread) throws -> [Int] {
        try withLock(t) { try t.write(isListed, 1) }
        _ = try t.fetchAdd(count, 1, orderings[.addWaiter])
        _ = try t.loop {
            if try t.load(state, orderings[.lookAtGrant]) == State.granted.rawValue { return 1 }
            if try t.load(ready, orderings[.lookAtReady]) == 1,
                try t.fetchAnd(ready, 0, .acquiring) == 1
            {
                return 1
            }
            try sleep(t)
            return nil
        }
        try t.write(queue, t.read(queue) + 1)
        try withLock(t) { try t.write(isListed, 0) }
        _ = try t.fetchAdd(count, -1, .relaxed)
        return []
    }

    private func sleep(_ t: ModelThread) throws {
        if try change(.waiting, to: .asleep, .relaxed, t) { try t.wait(state, while: State.asleep.rawValue) }
        for state in [State.asleep, .look] { _ = try change(state, to: .waiting, .relaxed, t) }
    }

    private func change(_ old: State, to new: State, _ ordering: Ordering, _ t: ModelThread) throws -> Bool {
        try t.compareExchange(state, expected: old.rawValue, desired: new.rawValue, ordering).exchanged
    }

    // MARK: Others

    private func perform(_ action: Action, _ t: ModelThread) throws {
        switch action {
        case .makeReady:
            try t.write(queue, 1)
            _ = try t.fetchOr(ready, 1, orderings[.makeReady])
            try requestLook(t)
        case .grant:
            try t.write(queue, 1)
            if try t.exchange(state, State.granted.rawValue, orderings[.grant]) == State.asleep.rawValue {
                try t.wake(state)
            }
        case .requestLook: try requestLook(t)
        }
    }

    private func requestLook(_ t: ModelThread) throws {
        guard try t.load(count, orderings[.lookForWaiters]) != 0 else { return }
        try withLock(t) {
            guard try t.read(isListed) == 1 else { return }
            var before = try t.load(state, .relaxed)
            while before != State.granted.rawValue {
                let change = try t.compareExchange(
                    state, expected: before, desired: State.look.rawValue, orderings[.requestLook])
                if change.exchanged {
                    if before == State.asleep.rawValue { try t.wake(state) }
                    return
                }
                before = change.original
            }
        }
    }

    private func withLock(_ t: ModelThread, _ body: () throws -> Void) throws {
        _ = try t.loop {
            try t.compareExchange(isLocked, expected: 0, desired: 1, .acquiring).exchanged ? 1 : nil
        }
        try body()
        try t.store(isLocked, 0, .releasing)
    }
}
