#if os(Linux)
    import TestSupport
    import Testing

    @Suite("A main loop's bridge", .serialized, .timeLimit(.minutes(15)))
    struct BridgeTests {
        private func run(_ scenario: String) throws -> [String] {
            try ChildProgram("MainLoopBridgesProbe").run(["none", scenario])
        }

        private func runInAsyncMain(_ scenario: String) throws -> [String] {
            try ChildProgram("MainLoopBridgesAsyncProbe").run(["asyncMain", scenario])
        }

        @Test("is the only one until it is invalidated")
        func secondBridge() throws {
            #expect(try run("secondBridge") == ["alreadyBridged", "no error"])
        }

        @Test("must be made on the thread that the process began with")
        func notOnMainThread() throws {
            #expect(try run("notOnMainThread") == ["notOnMainThread"])
        }

        @Test("in an asynchronous main function serves everything until the function suspends")
        func loopBeforeSuspension() throws {
            #expect(try runInAsyncMain("loopBeforeSuspension") == ["block", "task", "flush"])
        }

        @Test("that is invalidated before an asynchronous main function suspends leaves nothing pending")
        func invalidatedBeforeSuspension() throws {
            #expect(try runInAsyncMain("invalidatedBeforeSuspension") == ["flush"])
        }

        @Test("cannot be made after an asynchronous main function has suspended")
        func madeAfterSuspension() throws {
            #expect(try runInAsyncMain("madeAfterSuspension") == ["notOnMainThread"])
        }

        // By then libdispatch has closed the main queue's descriptor, and its number may be another file's.
        @Test(
            "traps when it serves the main queue or ends a turn after an asynchronous main has suspended",
            arguments: ["drainAfterSuspension", "endTurnAfterSuspension", "wakerTurnAfterSuspension"])
        func turnAfterSuspension(scenario: String) throws {
            #expect(try runInAsyncMain(scenario) == ["trap"])
        }

        @Test("for GLib reports that GLib is not there, and another one can be made")
        func noGLib() throws {
            #expect(try run("noGLib") == ["noGLib", "no error"])
        }

        @Test("that ends turns also ends the one that began before it was made")
        func committedBeforeBridge() throws {
            #expect(try run("committedBeforeBridge") == ["woken", "a", "b", "turn ended", "woken", "c"])
        }

        @Test(
            "waits for the main queue on this toolchain, and polls where that is requested"
        )
        func isPolling() throws {
            #expect(try run("isPolling") == ["false", "true"])
        }

        @Test("that wakes has no thread and nothing of its closure when it is invalidated")
        func silentAfterInvalidation() throws {
            #expect(try run("silentAfterInvalidation") == ["woken", "block", "released", "invalidated"])
        }

        @Test(
            "returns the end of the turn to the main run loop when it is invalidated",
            arguments: LoopKind.allCases)
        func invalidated(loop: LoopKind) throws {
            #expect(
                try loop.run("invalidated") == [
                    "a in the run loop", "b in the run loop", "c in the new loop",
                ])
        }
    }
#endif
