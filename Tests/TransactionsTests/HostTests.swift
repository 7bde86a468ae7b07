#if os(Linux)
    import TestSupport
    import Testing

    /// A kind of program, by what its main thread does.
    enum HostKind: String, CaseIterable, Sendable {
        case runLoop, polledLoop, dispatchMain, asyncMain, ownLoop, manualTurns

        /// Runs a scenario in a process of this kind and gives what it prints; throws if it times out.
        func run(_ scenario: String) throws -> [String] {
            let program = self == .asyncMain ? "TransactionsAsyncProbe" : "TransactionsProbe"
            return try ChildProgram(program).run([rawValue, scenario])
        }
    }

    @Suite("In a program of any kind, a transaction", .serialized, .timeLimit(.minutes(5)))
    struct HostTests {
        @Test("runs on the main actor at the end of the turn that commits it", arguments: HostKind.allCases)
        func mainThread(host: HostKind) throws {
            #expect(try host.run("mainThread") == ["turn", "flush"])
        }

        @Test("of another thread runs within 50 ms though the main loop sleeps", arguments: HostKind.allCases)
        func otherThread(host: HostKind) throws {
            try expectLatency(host.run("otherThread"))
        }

        @Test(
            "committed during a flush runs in the next, which comes by itself", arguments: HostKind.allCases)
        func duringFlush(host: HostKind) throws {
            let lines = try host.run("duringFlush")
            // The run loop goes to its next turn before it looks at its main queue again.
            let between = host == .runLoop ? [] : ["between"]
            #expect(lines == ["a", "b"] + between + ["a again", "b again"])
        }

        @Test("committed ten thousand times runs once", arguments: HostKind.allCases)
        func duplicates(host: HostKind) throws {
            #expect(try host.run("duplicates") == ["body 0"])
        }

        @Test("runs in the order of first commit", arguments: HostKind.allCases)
        func order(host: HostKind) throws {
            #expect(try host.run("order") == ["0d", "1d", "0a", "1a", "0c", "1c", "0b", "1b"])
        }

        @Test(
            "releases its target after the flush, and the target may commit then",
            arguments: HostKind.allCases)
        func release(host: HostKind) throws {
            #expect(try host.run("release") == ["turn", "run", "released", "committed by deinit"])
        }

        @Test("runs after the main queue's work of the same turn", arguments: HostKind.allCases)
        func queuedBefore(host: HostKind) throws {
            #expect(try host.run("queuedBefore") == ["turn", "queued", "flush"])
        }

        @Test(
            "leaves nothing behind after its turn",
            arguments: [HostKind.runLoop, .dispatchMain, .asyncMain, .manualTurns])
        func manyTurns(host: HostKind) throws {
            #expect(try host.run("manyTurns") == ["gathers nothing"])
        }
    }

    /// Expects one line, the microseconds from a commit to its run.
    func expectLatency(_ lines: [String], sourceLocation: SourceLocation = #_sourceLocation) throws {
        let microseconds = try #require(lines.first.flatMap { Int($0) }, sourceLocation: sourceLocation)
        #expect(microseconds <= 50_000, sourceLocation: sourceLocation)
    }
#endif
