/// An atomic location of a ``Program``.
struct AtomicLocation {
    let index: Int
    let name: String
    /// What memory holds before it is initialized. Reading it is a violation.
    static let uninitialized = Int.min
}

/// A location of a ``Program`` that is read and written without atomics.
struct PlainLocation {
    let index: Int
    let name: String
}

/// What should never happen, and how it came to it.
struct Violation: Error, CustomStringConvertible {
    let reason: String
    var trace: [String] = []

    init(_ reason: String) { self.reason = reason }

    var description: String { (["\(reason), after"] + trace).joined(separator: "\n    ") }
}

/// Threads and the memory that they share, to be explored.
///
///     var program = Program()
///     let (data, flag) = (program.plain("data"), program.atomic("flag"))
///     program.thread("writer") { t in
///         try t.write(data, 1)
///         try t.store(flag, 1, .releasing)
///         return []
///     }
///     program.thread("reader") { t in
///         try t.load(flag, .acquiring) == 1 ? [t.read(data)] : []
///     }
///     let outcomes = try program.explore().outcomes
///
/// A body returns what its thread found out. It throws a ``Violation`` if that is wrong; `check` does so for
/// all threads together.
struct Program {
    struct Thread {
        let name: String
        let maySleepForever: Bool
        let body: (ModelThread) throws -> [Int]
    }

    /// How an execution ended.
    struct End {
        /// By thread; empty for one that sleeps.
        let results: [[Int]]
        let memory: WeakMemory

        subscript(location: AtomicLocation) -> Int { memory.newest(location.index) }
        subscript(location: PlainLocation) -> Int { memory.plain.values[location.index] }
    }

    private(set) var atomics: [Int] = []
    private(set) var plains: [Int] = []
    private(set) var threads: [Thread] = []
    /// How often each thread's ``ModelThread/wait(_:while:)`` may return although nothing happened.
    var returnsWithoutReason = 0
    var check: (End) throws -> Void = { _ in }

    mutating func atomic(_ name: String, _ value: Int = 0) -> AtomicLocation {
        atomics.append(value)
        return AtomicLocation(index: atomics.count - 1, name: name)
    }

    mutating func plain(_ name: String, _ value: Int = 0) -> PlainLocation {
        plains.append(value)
        return PlainLocation(index: plains.count - 1, name: name)
    }

    /// - Parameter maySleepForever: Whether it is right that the thread sleeps when all others have ended.
    mutating func thread(
        _ name: String, maySleepForever: Bool = false, _ body: @escaping (ModelThread) throws -> [Int]
    ) {
        threads.append(Thread(name: name, maySleepForever: maySleepForever, body: body))
    }

    /// Tries all executions.
    func explore() throws -> Exploration {
        let exploration = Exploration(self)
        try exploration.run()
        return exploration
    }
}
