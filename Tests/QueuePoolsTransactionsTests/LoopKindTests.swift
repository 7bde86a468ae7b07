#if os(Linux)
    import TestSupport
    import Testing

    /// A kind of program, by what its main thread does.
    enum LoopKind: String, CaseIterable, Sendable {
        case runLoop, polledLoop, dispatchMain, asyncMain, ownLoop, manualTurns

        /// Runs a scenario in a process of this kind and returns what it prints; throws if it times out.
        func run(_ scenario: String) throws -> [String] {
            let program = self == .asyncMain ? "TransactionsAsyncProbe" : "TransactionsProbe"
            return try ChildProgram(program).run([rawValue, scenario])
        }
    }

    @Suite("In a program of any kind, a transaction", .serialized, .timeLimit(.minutes(15)))
    struct LoopKindTests {
        @Test("runs on the main actor at the end of the turn that commits it", arguments: LoopKind.allCases)
        func mainThread(loop: LoopKind) throws {
            #expect(try loop.run("mainThread") == ["turn", "flush"])
        }

        @Test("of another thread runs within 50 ms though the main loop sleeps", arguments: LoopKind.allCases)
        func otherThread(loop: LoopKind) throws {
            try expectLatency(loop.run("otherThread"))
        }

        @Test(
            "committed during a flush runs in the next, which comes by itself", arguments: LoopKind.allCases)
        func duringFlush(loop: LoopKind) throws {
            let lines = try loop.run("duringFlush")
            // The run loop goes to its next turn before it looks at its main queue again.
            let between = loop == .runLoop ? [] : ["between"]
            #expect(lines == ["a", "b"] + between + ["a again", "b again"])
        }

        @Test("committed ten thousand times runs once", arguments: LoopKind.allCases)
        func duplicates(loop: LoopKind) throws {
            #expect(try loop.run("duplicates") == ["body 0"])
        }

        @Test("runs in the order of first commit", arguments: LoopKind.allCases)
        func order(loop: LoopKind) throws {
            #expect(try loop.run("order") == ["0d", "1d", "0a", "1a", "0c", "1c", "0b", "1b"])
        }

        @Test(
            "releases its target after the flush, and the target may commit then",
            arguments: LoopKind.allCases)
        func release(loop: LoopKind) throws {
            #expect(try loop.run("release") == ["turn", "run", "released", "committed by deinit"])
        }

        @Test("runs after the main queue's work of the same turn", arguments: LoopKind.allCases)
        func queuedBefore(loop: LoopKind) throws {
            #expect(try loop.run("queuedBefore") == ["turn", "queued", "flush"])
        }

        @Test(
            "leaves nothing behind after its turn",
            arguments: [LoopKind.runLoop, .dispatchMain, .asyncMain, .manualTurns])
        func manyTurns(loop: LoopKind) throws {
            #expect(try loop.run("manyTurns") == ["gathers nothing"])
        }
    }

    /// Expects one line, the microseconds from a commit to its run.
    func expectLatency(_ lines: [String], sourceLocation: SourceLocation = #_sourceLocation) throws {
        let microseconds = try #require(lines.first.flatMap { Int($0) }, sourceLocation: sourceLocation)
        #expect(microseconds <= 50_000, sourceLocation: sourceLocation)
    }
#endif
