/// What a thread's body in a ``Program`` calls: one method for each kind of access.
///
/// A body is ordinary code. It is called once for each access that its thread makes: again from its
/// beginning, with the results of the accesses before, until it reaches the one that is to be made. So it
/// must depend on these results alone, and on nothing that it changed in an earlier call.
final class ModelThread {
    /// What a thread has done so far: the results of its accesses, or, in the place of those of a
    /// ``loop(_:)`` that has ended, the loop's result.
    struct Step: Hashable {
        let result: Int
        /// How deep the loop was nested that ended with this result; 0 for an access.
        let depth: Int
    }

    /// Ends a call of a body early.
    private struct Pause: Error {}
    private static let pause: any Error = Pause()

    private let program: Program
    var state: ProgramState
    /// What was done, if a reader asks for it.
    var trace: [String]?

    private var index = 0
    private var steps: [Step] = []
    private var position = 0
    private var depth = 0
    private var isMoving = false
    private var isPaused = false

    init(_ program: Program) {
        self.program = program
        state = ProgramState(program)
    }

    /// Lets a thread make its next access, the way that `choice` says; or none, if that is nil. Then
    /// continues with those accesses that need not be interleaved with other threads'.
    ///
    /// - Returns: how many choices there are.
    func run(_ thread: Int, choice: Int?) throws -> Int {
        index = thread
        steps = state.threads[thread].steps
        (position, depth, isMoving, isPaused) = (0, 0, choice != nil, false)
        state.memory.beginStep(choice: choice ?? 0)
        do {
            state.threads[thread].result = try program.threads[thread].body(self)
            state.memory.finish(thread)
            steps = []
        } catch {
            guard isPaused else { throw error }
        }
        state.threads[thread].steps = steps
        state.memory.normalize()
        return state.memory.alternatives
    }

    // MARK: Atomic accesses

    func load(_ location: AtomicLocation, _ ordering: Ordering) throws -> Int {
        try visible("load \(location.name) \(ordering)", reading: location) {
            state.memory.load(location.index, ordering, by: index)
        }
    }

    func store(_ location: AtomicLocation, _ value: Int, _ ordering: Ordering) throws {
        _ = try visible("store \(location.name) \(ordering)") {
            state.memory.store(value, to: location.index, ordering, by: index)
            return value
        }
    }

    /// A store to memory that no other thread has been given yet.
    func initialize(_ location: AtomicLocation, _ value: Int) throws {
        _ = try step("initialize \(location.name)") {
            state.memory.initialize(location.index, value, by: index)
            return value
        }
    }

    func exchange(_ location: AtomicLocation, _ value: Int, _ ordering: Ordering) throws -> Int {
        try update("exchange \(value)", location, ordering) { _ in value }
    }

    func fetchAdd(_ location: AtomicLocation, _ value: Int, _ ordering: Ordering) throws -> Int {
        try update("add \(value)", location, ordering) { $0 + value }
    }

    func fetchOr(_ location: AtomicLocation, _ bits: Int, _ ordering: Ordering) throws -> Int {
        try update("or \(bits)", location, ordering) { $0 | bits }
    }

    func fetchAnd(_ location: AtomicLocation, _ bits: Int, _ ordering: Ordering) throws -> Int {
        try update("and \(bits)", location, ordering) { $0 & bits }
    }

    func compareExchange(
        _ location: AtomicLocation, expected: Int, desired: Int, _ ordering: Ordering,
        failure: Ordering? = nil
    ) throws -> (exchanged: Bool, original: Int) {
        let what = "exchange \(expected) for \(desired)"
        let original = try update(what, location, ordering, failure: failure ?? ordering.ofFailure) {
            $0 == expected ? desired : nil
        }
        return (original == expected, original)
    }

    func fence(_ ordering: Ordering) throws {
        func apply() -> Int {
            state.memory.fence(ordering, by: index)
            return 0
        }
        if ordering == .sequentiallyConsistent {
            _ = try visible("fence \(ordering)", apply)
        } else {
            _ = try step("fence \(ordering)", apply)
        }
    }

    private func update(
        _ what: @autoclosure () -> String, _ location: AtomicLocation, _ ordering: Ordering,
        failure: Ordering = .relaxed, _ change: (Int) -> Int?
    ) throws -> Int {
        try visible("\(what()) in \(location.name) \(ordering)", reading: location) {
            state.memory.update(location.index, ordering, failure: failure, by: index, change)
        }
    }

    // MARK: Plain accesses

    func read(_ location: PlainLocation) throws -> Int {
        try step("read \(location.name)") {
            try state.memory.read(plain: location.index, by: index) ?? race(on: location)
        }
    }

    func write(_ location: PlainLocation, _ value: Int) throws {
        _ = try step("write \(location.name)") {
            try state.memory.write(value, toPlain: location.index, by: index) ? value : race(on: location)
        }
    }

    /// See ``WeakMemory/peek(_:by:)``.
    func peek(_ location: PlainLocation) throws -> Int {
        try step("peek \(location.name)") { state.memory.peek(location.index, by: index) }
    }

    /// Ends what ``peek(_:)`` began.
    func settle(_ location: PlainLocation, isUsed: Bool) throws {
        _ = try step("settle \(location.name) \(isUsed)") {
            try state.memory.settle(location.index, isUsed: isUsed, by: index) ? 0 : race(on: location)
        }
    }

    private func race(on location: PlainLocation) throws -> Int {
        throw Violation("\(program.threads[index].name) has a data race on \(location.name)")
    }

    // MARK: Sleeping

    /// Sleeps until the location is woken, if it may still hold this value. Like a futex it may return
    /// without a reason, in each thread once: so a thread that announces its sleep each time does not do so
    /// forever.
    ///
    /// The kernel reads the location like a relaxed load that meets at least what its wakers have stored
    /// there.
    func wait(_ location: AtomicLocation, while value: Int) throws {
        _ = try visible("wait while \(location.name) is \(value)") {
            let (mayBe, mayDiffer) = state.memory.sleeperMayFind(value, at: location.index, by: index)
            guard mayBe else { return 0 }
            let returns = mayDiffer || state.threads[index].returnsWithoutReason > 0
            guard returns, state.memory.choose(2) == 1 else {
                state.threads[index].sleepsOn = location.index
                return 1
            }
            if !mayDiffer { state.threads[index].returnsWithoutReason -= 1 }
            return 0
        }
        if state.threads[index].sleepsOn != nil { throw pause() }
    }

    /// Wakes one thread that sleeps on the location, if there is any.
    func wake(_ location: AtomicLocation) throws {
        _ = try visible("wake \(location.name)") {
            state.memory.wake(location.index, by: index)
            let sleepers = state.threads.indices.filter { state.threads[$0].sleepsOn == location.index }
            if sleepers.isEmpty { return 0 }
            state.threads[sleepers[state.memory.choose(sleepers.count)]].sleepsOn = nil
            return 1
        }
    }

    // MARK: Loops

    /// Calls the closure until it returns a value.
    ///
    /// Only that value is remembered, so a loop that spins comes back to the same state, and two ways through
    /// a loop to one value are one state. The closure must not change what is declared outside.
    func loop(_ body: () throws -> Int?) throws -> Int {
        depth += 1
        defer { depth -= 1 }
        let start = position
        if start < steps.count, steps[start].depth == depth {
            position += 1
            return steps[start].result
        }
        while true {
            let result = try body()
            steps.removeSubrange(start...)
            position = start
            guard let result else { continue }
            steps.append(Step(result: result, depth: depth))
            position += 1
            return result
        }
    }

    // MARK: Steps

    /// An access that other threads may notice, so that all orders are tried: one in each call of the body.
    private func visible(
        _ what: @autoclosure () -> String, reading location: AtomicLocation? = nil, _ access: () throws -> Int
    ) throws -> Int {
        if position == steps.count {
            guard isMoving else { throw pause() }
            isMoving = false
        }
        let result = try step(what(), access)
        if result == AtomicLocation.uninitialized, let location {
            throw Violation("\(program.threads[index].name) reads \(location.name) before it is initialized")
        }
        return result
    }

    private func step(_ what: @autoclosure () -> String, _ access: () throws -> Int) throws -> Int {
        defer { position += 1 }
        if position < steps.count { return steps[position].result }
        trace?.append("\(program.threads[index].name): \(what())")
        let result = try access()
        steps.append(Step(result: result, depth: 0))
        return result
    }

    private func pause() -> any Error {
        isPaused = true
        return Self.pause
    }
}
