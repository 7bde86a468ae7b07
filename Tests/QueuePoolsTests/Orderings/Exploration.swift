/// The memory of a ``Program``, and how far its threads have come.
struct ProgramState {
    struct Progress {
        var steps: [ModelThread.Step] = []
        var sleepsOn: Int?
        var returnsWithoutReason: Int
        var result: [Int]?
    }

    var memory: WeakMemory
    var threads: [Progress]

    init(_ program: Program) {
        memory = WeakMemory(
            atomics: program.atomics, plains: program.plains, threadCount: program.threads.count)
        threads = Array(
            repeating: Progress(returnsWithoutReason: program.returnsWithoutReason),
            count: program.threads.count)
    }

    var movable: [Int] {
        threads.indices.filter { threads[$0].result == nil && threads[$0].sleepsOn == nil }
    }

    var fingerprint: Int {
        var hasher = Hasher()
        memory.hash(into: &hasher)
        for thread in threads {
            thread.steps.withUnsafeBytes { hasher.combine(bytes: $0) }
            hasher.combine(thread.steps.count)
            hasher.combine(thread.sleepsOn)
            hasher.combine(thread.returnsWithoutReason)
            hasher.combine(thread.result)
        }
        return hasher.finalize()
    }
}

/// All states that a ``Program`` can reach, depth first.
///
/// Of a state that was met only its fingerprint of 64 bits is kept: among a million states the chance that
/// two have the same is 1 in 30 million. A thread that is about to make an access that is visible to others
/// stands before it in each state.
final class Exploration {
    /// What the threads returned, one after the other, in each execution that ended.
    private(set) var outcomes: Set<[Int]> = []
    var states: Int { origins.count }

    private let program: Program
    private let thread: ModelThread
    private var numbers: [Int: Int] = [:]
    private var open: [(state: ProgramState, number: Int)] = []
    /// By state: how it was first reached.
    private var origins: [(state: Int, thread: Int, choice: Int)] = []
    private var transitions: [(from: Int, to: Int)] = []
    private var ends: [Int] = []

    init(_ program: Program) {
        self.program = program
        thread = ModelThread(program)
    }

    func run() throws {
        try begin()
        record(thread.state, from: (-1, 0, 0))
        while let (state, number) = open.popLast() {
            let movable = state.movable
            if movable.isEmpty { try end(state, number) }
            for index in movable { try move(index, from: state, number) }
        }
        try checkThatAllCanEnd()
    }

    private func begin() throws {
        thread.state = ProgramState(program)
        for index in program.threads.indices { _ = try thread.run(index, choice: nil) }
    }

    private func move(_ index: Int, from state: ProgramState, _ number: Int) throws {
        var (choice, choices) = (0, 1)
        while choice < choices {
            thread.state = state
            do {
                choices = try thread.run(index, choice: choice)
            } catch let violation as Violation {
                throw explained(violation, at: number, (index, choice))
            }
            record(thread.state, from: (number, index, choice))
            choice += 1
        }
    }

    private func record(_ state: ProgramState, from origin: (state: Int, thread: Int, choice: Int)) {
        let fingerprint = state.fingerprint
        let number = numbers[fingerprint] ?? origins.count
        transitions.append((origin.state, number))
        guard number == origins.count else { return }
        numbers[fingerprint] = number
        origins.append(origin)
        open.append((state, number))
    }

    private func end(_ state: ProgramState, _ number: Int) throws {
        for (thread, progress) in zip(program.threads, state.threads)
        where progress.sleepsOn != nil && !thread.maySleepForever {
            throw explained(Violation("\(thread.name) sleeps forever"), at: number)
        }
        let results = state.threads.map { $0.result ?? [] }
        do {
            try program.check(Program.End(results: results, memory: state.memory))
        } catch let violation as Violation {
            throw explained(violation, at: number)
        }
        outcomes.insert(results.flatMap(\.self))
        ends.append(number)
    }

    /// A state from which no end can be reached any more is one in which threads spin forever.
    private func checkThatAllCanEnd() throws {
        var canEnd = Array(repeating: false, count: states)
        for number in ends { canEnd[number] = true }
        var hasChanged = true
        while hasChanged {
            hasChanged = false
            for (from, to) in transitions.reversed() where from >= 0 && canEnd[to] && !canEnd[from] {
                canEnd[from] = true
                hasChanged = true
            }
        }
        guard let stuck = canEnd.firstIndex(of: false) else { return }
        throw explained(Violation("threads spin forever"), at: stuck)
    }

    /// Repeats the way to a state, and the step on from there, and writes down what the threads do.
    private func explained(_ violation: Violation, at number: Int, _ last: (Int, Int)? = nil) -> Violation {
        var way = last.map { [$0] } ?? []
        var number = number
        while origins[number].state >= 0 {
            way.append((origins[number].thread, origins[number].choice))
            number = origins[number].state
        }
        thread.trace = []
        try? begin()
        for (index, choice) in way.reversed() { _ = try? thread.run(index, choice: choice) }
        var violation = violation
        violation.trace = thread.trace ?? []
        thread.trace = nil
        return violation
    }
}
