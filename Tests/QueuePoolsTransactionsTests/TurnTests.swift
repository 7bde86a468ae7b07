#if os(Linux)
    import Testing

    @Suite(
        "Where the main run loop begins, ends or changes its mode, a transaction", .serialized,
        .timeLimit(.minutes(15)))
    struct TurnTests {
        private func run(_ scenario: String) throws -> [String] { try LoopKind.runLoop.run(scenario) }

        @Test("runs after everything else of the turn")
        func endOfTurn() throws {
            let lines = try run("endOfTurn")
            #expect(lines.last == "flush")
            let others = ["main queue", "observer", "other timer", "performed", "source", "timer"]
            #expect(lines.dropLast().sorted() == others)
        }

        @Test("committed before the loop first runs is not lost")
        func beforeFirstRun() throws {
            #expect(try run("beforeFirstRun") == ["a"])
        }

        @Test("runs at the exit of a loop that never gets to sleep, once")
        func exit() throws {
            #expect(try run("exit") == ["a", "returned", "loop returned"])
        }

        @Test("committed when the loop has returned runs when it runs again")
        func exitThenRun() throws {
            #expect(try run("exitThenRun") == ["a", "returned", "b"])
        }

        @Test("committed when the loop has returned runs in dispatchMain()")
        func exitThenMainQueue() throws {
            #expect(try run("exitThenMainQueue") == ["a", "returned", "b"])
        }

        @Test("committed before dispatchMain() is not lost")
        func beforeMainQueue() throws {
            #expect(try run("beforeMainQueue") == ["a"])
        }

        @Test("runs in a dispatchMain() that is called from within the run loop, which then never returns")
        func mainQueueFromCallout() throws {
            #expect(try run("mainQueueFromCallout") == ["a", "b"])
        }

        @Test("committed in a private mode runs when the loop is back in a common one")
        func privateMode() throws {
            #expect(try run("privateMode") == ["private mode ended", "a"])
        }

        @Test("of another thread, while the loop sleeps in a private mode, runs in the next common one")
        func privateModeAsleep() throws {
            #expect(try run("privateModeAsleep") == ["private mode ended", "a"])
        }

        @Test("runs in a mode that becomes a common one later")
        func laterCommonMode() throws {
            #expect(try run("laterCommonMode") == ["a"])
        }

        @Test("leaves nothing behind in a program that flushes by hand and never runs its loop")
        func flushedByHand() throws {
            #expect(try run("flushedByHand") == ["gathers nothing", "a"])
        }
    }
#endif
