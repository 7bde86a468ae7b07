#if os(Linux)
    import TestSupport
    import Testing

    private func run(_ scenario: String) throws -> [String] {
        try ChildProgram("MainLoopBridgesProbe").run(["frameLoop", scenario])
    }

    @Suite("A frame loop", .serialized, .timeLimit(.minutes(15)))
    struct FrameLoopTests {
        @Test("calls timers, descriptors, the main queue, a frame and transactions, in this order, in a turn")
        func orderInTurn() throws {
            #expect(
                try run("orderInTurn") == [
                    "timer 1", "timer 2", "timer 3", "descriptor", "block", "frame", "transaction",
                    "turn ended",
                ])
        }

        @Test("runs a transaction at the end of the turn whose closure commits it")
        func transactions() throws {
            let turns = ["timer", "descriptor", "frame", "block"].map { [$0, "transaction", "turn ended"] }
            #expect(try run("transactions") == turns.flatMap(\.self))
        }

        @Test("is refused with an invalid frame rate, and while another bridge exists")
        func badRates() throws {
            #expect(
                try run("badRates")
                    == Array(repeating: "invalidFrameRate", count: 6) + ["no error", "alreadyBridged"])
        }

        @Test("that is stopped before it runs returns immediately, once")
        func stopBefore() throws {
            #expect(try run("stopBefore") == ["ended", "timer", "ended"])
        }

        @Test("that is stopped in a closure completes the turn")
        func stopWithin() throws {
            #expect(
                try run("stopWithin") == [
                    "stop", "timer", "descriptor", "block", "frame", "transaction", "ended", "next turn",
                ])
        }

        @Test("is stopped by another thread at any time, by a signal, and by a descriptor")
        func stopFromElsewhere() throws {
            #expect(try run("stopFromThread") == ["500 runs"])
            #expect(try run("stopBySignal") == ["signal", "ended"])
            #expect(try run("stopByDescriptor") == ["descriptor", "ended"])
        }

        @Test("that is stopped ends the wait of a single turn, and of no second one")
        func stopEndsWait() throws {
            #expect(try run("stopEndsWait") == ["true", "false"])
        }

        @Test(
            "traps when it is run within one of its turns, or after it was invalidated",
            arguments: [
                "runWithinTimer", "runWithinWatch", "runWithinBlock", "runWithinFrame",
                "runWithinTransaction", "runAfterInvalidate",
            ])
        func reentrant(scenario: String) throws {
            #expect(try run(scenario) == ["trap"])
        }

        @Test("that is invalidated in a turn calls nothing more, and another loop can be made")
        func invalidateWithin() throws {
            #expect(
                try run("invalidateWithin") == ["invalidate", "no error", "0 active", "released", "ended"])
            #expect(try run("invalidateWithinFrame") == ["invalidate", "ended, false"])
        }

        @Test("makes no wake-up while nothing is due")
        func idle() throws {
            #expect(try run("idleAfterwards") == ["at most one sleep: true"])
        }
    }

    @Suite("A frame loop's watch", .serialized, .timeLimit(.minutes(15)))
    struct WatchTests {
        @Test("is called while its descriptor is readable")
        func reading() throws {
            #expect(try run("reading") == ["1000"])
        }

        @Test("says what its descriptor is ready for, of what it is watched for")
        func writing() throws {
            #expect(try run("writing") == ["false true", "true true", "true false", "false"])
        }

        @Test("is called when the other end hangs up, also if it is watched for nothing")
        func hangUp() throws {
            #expect(try run("hangUp") == ["true, 0 bytes", "true, 0 bytes"])
        }

        @Test("has its turn, however many descriptors are ready")
        func manyReady() throws {
            #expect(try run("manyReady") == ["true"])
        }

        @Test("is refused for a descriptor that is invalid, closed, always ready, or watched")
        func badDescriptors() throws {
            #expect(
                try run("badDescriptors") == [
                    "invalidDescriptor", "invalidDescriptor", "alwaysReady", "alwaysReady", "no error",
                    "alreadyWatched", "invalidDescriptor", "false",
                ])
        }

        @Test("holds its descriptor's number until it is cancelled, also if the descriptor was closed")
        func reusedNumber() throws {
            #expect(try run("reusedNumber") == ["true", "alreadyWatched", "no error", "second"])
        }

        @Test("is not called in the turn in which a timer cancels it, though its descriptor is ready")
        func cancelledByTimer() throws {
            #expect(try run("cancelledByTimer") == ["timer", "turn ended", "false"])
        }

        @Test("that replaces another in a turn is called in the next one")
        func replacedByTimer() throws {
            #expect(try run("replacedByTimer") == ["timer", "turn ended", "second", "true"])
        }

        @Test("may be cancelled within its own call, which runs to its end, and is released")
        func cancelledByItself() throws {
            #expect(
                try run("cancelledByItself") == [
                    "cancelled", "released", "turn ended, false", "false", "true",
                ])
        }

        @Test("may be cancelled within another's call")
        func cancelledByOther() throws {
            #expect(try run("cancelledByOther") == ["called", "1 active"])
        }

        @Test("that is cancelled twice leaves its successor alone")
        func cancelledTwice() throws {
            #expect(try run("cancelledTwice") == ["second", "true"])
        }
    }

    @Suite("A frame loop's timer", .serialized, .timeLimit(.minutes(15)))
    struct FrameLoopTimerTests {
        @Test("wakes the loop in the order of times, and never before its own")
        func times() throws {
            #expect(try run("timerTimes") == ["true"])
        }

        @Test("that is due or overdue comes in the next turn; one of a huge time never; none repeats at once")
        func badTimes() throws {
            #expect(
                try run("badTimes") == [
                    "long ago", "negative", "zero", "turn ended", "false", "true", "true", "true",
                ])
        }

        @Test("that is added in a timer belongs to the next turn")
        func timerInTimer() throws {
            #expect(
                try run("timerInTimer") == ["1", "turn ended", "2", "turn ended", "3", "turn ended"])
        }

        @Test("that is cancelled is not called, also if it is due in the same turn")
        func cancelledTimers() throws {
            #expect(try run("cancelledTimers") == ["once", "false false, 0 calls", "own", "false"])
        }

        @Test("that repeats and comes late is called once for all times that have passed")
        func lateTimer() throws {
            #expect(try run("lateTimer") == ["1", "2, true"])
        }
    }

    @Suite("A frame loop's frame", .serialized, .timeLimit(.minutes(15)))
    struct FrameTests {
        @Test("that is requested in a frame is the next one, whole intervals later")
        func frameInFrame() throws {
            #expect(try run("frameInFrame") == ["first", "turn ended", "second, true", "turn ended"])
        }

        @Test("keeps to a steady beat, though frames take up to three intervals")
        func steadyFrames() throws {
            #expect(try run("steadyFrames") == ["20, true"])
        }

        @Test("that comes late in its turn has the last time that has passed")
        func lateFrame() throws {
            #expect(try run("lateFrame") == ["true"])
        }

        @Test("is shared by all that request it before it begins")
        func sharedFrame() throws {
            #expect(try run("sharedFrame") == ["4, 1"])
        }

        @Test("that is cancelled is not called, and wakes nothing")
        func cancelledFrame() throws {
            #expect(try run("cancelledFrame") == ["false", "first", "false"])
        }
    }
#endif
