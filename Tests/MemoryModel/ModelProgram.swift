#if os(Linux)
    /// A small program whose executions are all tried.
    package struct ModelProgram: Sendable {
        package let name: String
        /// How often an execution changes from a thread that could continue; nil: any number of times.
        package let preemptions: Int?
        /// How often each thread's waiting may end without a reason, or because its time is over although
        /// other threads could continue.
        package let earlyReturns: Int
        /// How many executions are tried; nil: all.
        package var executionLimit: Int?
        /// Prepares an execution, without weak memory, and adds its threads to it.
        package let prepare: @Sendable (Execution) -> Void

        package init(
            _ name: String, preemptions: Int? = nil, earlyReturns: Int = 0,
            _ prepare: @escaping @Sendable (Execution) -> Void
        ) {
            self.name = name
            self.preemptions = preemptions
            self.earlyReturns = earlyReturns
            self.prepare = prepare
        }
    }

    /// One execution of a program, to which its preparation adds threads.
    package struct Execution: @unchecked Sendable {  // one thread runs at a time
        package let explorer: Explorer

        package func thread(_ name: String, maySleepForever: Bool = false, _ body: @escaping () -> Void) {
            explorer.addThread(name, maySleepForever: maySleepForever, madeBy: nil, body)
        }

        /// Runs the threads that were added, in one order only, until each sleeps or has ended. All threads
        /// see their writes. The preparation must change no atomic afterwards.
        package func settle() { explorer.settle() }

        /// Called when all threads have ended or sleep. A closure that returns a text has found a violation.
        package func check(_ body: @escaping () -> String?) { explorer.check = body }

        /// Called after the check, by another thread, in one order only: ends sleeping threads, so that their
        /// objects are released.
        package func ending(_ body: @escaping () -> Void) { explorer.ending = body }
    }

    /// A fault, and the steps that led to it.
    package struct Violation: Error, CustomStringConvertible {
        package let reason: String
        package var trace: [String] = []

        init(_ reason: String) { self.reason = reason }

        package var description: String { (["\(reason), after"] + trace).joined(separator: "\n    ") }
    }
#endif
