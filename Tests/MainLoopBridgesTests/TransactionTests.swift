#if os(Linux)
    import Testing

    @Suite("Under a loop that owns the main thread, a transaction", .serialized, .timeLimit(.minutes(15)))
    struct TransactionTests {
        @Test("runs on the main actor at the end of the turn", arguments: LoopKind.allCases)
        func mainThread(loop: LoopKind) throws {
            #expect(try loop.run("mainThread") == ["turn", "flush"])
        }

        @Test(
            "runs after the events and blocks of the turn, and before the loop waits",
            arguments: LoopKind.waiting)
        func endOfTurn(loop: LoopKind) throws {
            #expect(try loop.run("endOfTurn") == ["event", "other event", "block", "flush"])
        }

        @Test("of another thread wakes the loop, within 50 ms", arguments: LoopKind.allCases)
        func otherThread(loop: LoopKind) throws {
            let microseconds = try #require(loop.run("otherThread").first.flatMap { Int($0) })
            #expect(microseconds <= 50_000)
        }

        @Test("committed by two threads in one turn runs once", arguments: LoopKind.allCases)
        func coalescing(loop: LoopKind) throws {
            #expect(try loop.run("coalescing") == ["turn", "run"])
        }

        @Test(
            "committed during a flush runs in the next turn, which comes by itself",
            arguments: LoopKind.allCases)
        func duringFlush(loop: LoopKind) throws {
            #expect(try loop.run("duringFlush") == ["a", "b", "between", "a again", "b again"])
        }

        @Test("committed before the loop runs is not lost", arguments: LoopKind.allCases)
        func committedBefore(loop: LoopKind) throws {
            #expect(try loop.run("committedBefore") == ["a"])
        }

        @Test("leaves nothing behind after its turn", arguments: LoopKind.waiting)
        func manyTurns(loop: LoopKind) throws {
            #expect(try loop.run("manyTurns") == ["gathers nothing"])
        }

        @Test("and a layer's picture from the pool need no other event", arguments: LoopKind.allCases)
        func layer(loop: LoopKind) throws {
            #expect(try loop.run("layer") == ["committed", "committed"])
        }
    }

    @Suite("A nested loop", .serialized, .timeLimit(.minutes(15)))
    struct NestedLoopTests {
        @Test("it serves everything", arguments: LoopKind.nesting, ["nestedInEvent", "nestedInTransaction"])
        func nested(loop: LoopKind, scenario: String) throws {
            #expect(try loop.run(scenario) == ["enter", "event", "block", "flush", "leave", "block"])
        }

        // A waker that polls may have used up its wake-up before there is anything to do.
        @Test(
            "it does not sleep while there is what has woken the loop",
            arguments: [LoopKind.descriptors, .polledDescriptors, .woken])
        func nestedAfterWakeUp(loop: LoopKind) throws {
            #expect(try loop.run("nestedAfterWakeUp") == ["enter", "block", "leave"])
        }

        @Test(
            "within a block of the main queue, it flushes, and blocks run afterwards",
            arguments: LoopKind.waitingAndNesting)
        func nestedInBlock(loop: LoopKind) throws {
            #expect(try loop.run("nestedInBlock") == ["enter", "event", "flush", "leave", "block", "block"])
        }

        @Test("it flushes what was committed before it began", arguments: LoopKind.waitingAndNesting)
        func pendingInBlock(loop: LoopKind) throws {
            #expect(try loop.run("pendingInBlock") == ["enter", "flush", "leave"])
        }

        @Test("it flushes what waits in another queue", arguments: LoopKind.nesting)
        func twoQueues(loop: LoopKind) throws {
            #expect(try loop.run("twoQueues") == ["enter", "other queue", "leave"])
        }

        @Test("within a transaction, it flushes what is behind that one", arguments: LoopKind.nesting)
        func behind(loop: LoopKind) throws {
            #expect(try loop.run("behind") == ["enter", "behind", "leave"])
        }

        @Test("and does not sleep over it", arguments: [LoopKind.descriptors, .polledDescriptors])
        func behindAsleep(loop: LoopKind) throws {
            #expect(try loop.run("behindAsleep") == ["enter", "behind", "leave"])
        }
    }
#endif
