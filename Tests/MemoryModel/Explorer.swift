#if os(Linux)
    import CMemoryModel

    /// Executes a program again and again, on the calling thread, until all ways are tried in which its
    /// threads take turns, and in which memory answers.
    ///
    /// A thread can be interrupted before each access that another thread may notice: one at a *shared* site.
    /// A site is shared when a location that it accesses was accessed by two threads, at least once to write.
    /// The exploration begins with none, and begins again when it finds one. In the end all others access
    /// what only one thread does, in every execution: so it makes no difference when.
    ///
    /// It keeps no states. A read after another thread's write may return what was there before, so of two
    /// accesses only the order of a read and a later write is tried both ways.
    package final class Explorer {
        /// The exploration in progress. One thread of the process explores at a time.
        package private(set) nonisolated(unsafe) static var active: Explorer?

        /// The exploration whose threads run now.
        package static var running: Explorer? {
            guard let active, active.isExploring else { return nil }
            return active
        }

        package let program: ModelProgram
        package private(set) var executions = 0
        // Its parts are classes: to call a function of a structure, it would retain what that consists of.
        let accessedSites: AccessedSites
        let decisions = DecisionPath()

        // One execution.

        var check: () -> String? = { nil }
        var ending: (() -> Void)?
        var threads: [Thread] = []
        /// The number of the thread that runs, or -1.
        var current = -1
        let order = StepOrder()
        let locations = Locations()
        let locks = Locks()
        /// The model's clock, in nanoseconds.
        package internal(set) var now: UInt64 = 0
        var accessCount = 0
        /// The ways in which memory may answer; kept, so that an access allocates nothing.
        var choices: [Int32] = []
        /// How often the threads have written something.
        var writeCount = 0
        /// Whether threads run, so that accesses are the explorer's.
        private(set) var isExploring = false
        /// Whether they run in one way only: before the exploration or after it.
        private(set) var isUnexplored = false
        private(set) var isSettled = false
        private var isChecked = false
        /// Whether threads were interrupted when they were to end.
        private var isLeftOver = false
        private var violation: Violation?
        private var trace: [String]?
        /// Closures of interrupted executions, kept so that their captures are not released. One thread of
        /// the process explores at a time.
        private nonisolated(unsafe) static var abandoned:
            [(check: () -> String?, ending: (() -> Void)?, bodies: [(() -> Void)?])] = []

        /// - Parameters:
        ///   - weakening: one site's ordering, weakened.
        ///   - sharedSites: sites that are known to be shared; see ``sharedSites``.
        package init(_ program: ModelProgram, weakening: Weakening? = nil, sharedSites: Set<String> = []) {
            self.program = program
            accessedSites = AccessedSites(weakening: weakening, shared: sharedSites)
        }

        /// The accesses that were executed, with the orderings in the code.
        package var sites: Set<Site> { accessedSites.explored }

        /// Sites that are known to be shared, by file, line and column.
        package var sharedSites: Set<String> { accessedSites.shared }

        /// - Parameter count: how many executions are drawn at random, by the same numbers each time: that
        ///   soon finds a failure of a program that has too many executions. Default: they are tried in turn,
        ///   up to the program's limit.
        /// - Throws: ``Violation``.
        package func run(drawing count: Int? = nil) throws {
            precondition(Self.active == nil, "an exploration is in progress already")
            Self.active = self
            defer { Self.active = nil }
            decisions.begin(isDrawn: count != nil)
            repeat {
                decisions.clear()
                repeat {
                    execute()
                    if let violation { throw explained(violation) }
                    if let limit = count ?? program.executionLimit, executions >= limit { return }
                } while !accessedSites.hasFoundShared && decisions.backtrack()
            } while accessedSites.hasFoundShared
        }

        /// A violation with the steps of the threads: the execution is repeated.
        private func explained(_ violation: Violation) -> Violation {
            accessedSites.forgetFoundShared()
            trace = []
            self.violation = nil
            execute()
            var violation = violation
            violation.trace = trace ?? []
            trace = nil
            return violation
        }

        func note(_ step: @autoclosure () -> String) {
            if trace != nil { trace?.append(step()) }
        }

        // MARK: One execution

        private func execute() {
            executions += 1
            clear()
            program.prepare(Execution(explorer: self))
            isExploring = true
            for index in threads.indices where violation == nil && threads[index].status == .starting {
                enter(index)
            }
            if violation == nil, let next = next(after: -1) { enter(next) }
            isExploring = false
            if violation == nil {
                for thread in threads where thread.status != .ended && !thread.maySleepForever {
                    noteViolation("\(thread.name) sleeps forever")
                    break
                }
            }
            if violation == nil, let reason = check() { noteViolation(reason) }
            if violation == nil, let ending { clean(up: ending) }
            // The closures of interrupted threads are not released: releasing them might wait for such a
            // thread.
            if violation != nil || isLeftOver { Self.abandoned.append((check, ending, threads.map(\.body))) }
            for index in threads.indices { threads[index].body = nil }
            (check, ending) = ({ nil }, nil)
            ModelMemory.restoreStatics()
        }

        private func clear() {
            memory_clear()
            ModelMemory.reset()
            threads.removeAll(keepingCapacity: true)
            order.clear()
            locations.clear()
            locks.clear()
            accessedSites.beginExecution()
            decisions.beginExecution(preemptions: program.preemptions)
            (check, ending) = ({ nil }, nil)
            (current, now, accessCount, writeCount) = (-1, 1_000_000_000, 0, 0)
            (isUnexplored, isSettled, isChecked, isLeftOver) = (false, false, false, false)
        }

        func settle() {
            runUnexplored()
            for index in threads.indices { learn(index) }
            isSettled = true
            locations.forgetUses()
        }

        private func clean(up body: @escaping () -> Void) {
            (isSettled, isChecked) = (true, true)
            addThread("ending", maySleepForever: true, madeBy: nil, body)
            runUnexplored()
        }

        private func runUnexplored() {
            (isUnexplored, isExploring) = (true, true)
            for index in threads.indices where threads[index].status == .starting { enter(index) }
            if let next = next(after: -1) { enter(next) }
            (isUnexplored, isExploring, current) = (false, false, -1)
        }

        // MARK: Violations

        /// Ends the execution, and with it the exploration.
        package func fail(_ reason: String) {
            noteViolation(reason)
            if current >= 0, isExploring {
                var abandoned: UnsafeMutableRawPointer?
                cmodel_leave(&abandoned)
            }
        }

        /// The first is the execution's, unless the program has ended already.
        func noteViolation(_ reason: String) {
            if isChecked {
                isLeftOver = true
            } else if violation == nil {
                violation = Violation(reason)
            }
        }

        /// Whether the execution has failed, so that no thread continues.
        var hasFailed: Bool { violation != nil }
    }
#endif
