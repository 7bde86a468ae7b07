#if os(Linux)
    import Testing

    @Suite("Under a loop that owns the main thread, a transaction", .serialized, .timeLimit(.minutes(5)))
    struct TransactionTests {
        @Test("runs on the main actor at the end of the turn", arguments: HostKind.allCases)
        func mainThread(host: HostKind) throws {
            #expect(try host.run("mainThread") == ["turn", "flush"])
        }

        @Test(
            "runs after the events and blocks of the turn, and before the loop waits",
            arguments: HostKind.waiting)
        func endOfTurn(host: HostKind) throws {
            #expect(try host.run("endOfTurn") == ["event", "other event", "block", "flush"])
        }

        @Test("of another thread wakes the loop, within 50 ms", arguments: HostKind.allCases)
        func otherThread(host: HostKind) throws {
            let microseconds = try #require(host.run("otherThread").first.flatMap { Int($0) })
            #expect(microseconds <= 50_000)
        }

        @Test("committed by two threads in one turn runs once", arguments: HostKind.allCases)
        func coalescing(host: HostKind) throws {
            #expect(try host.run("coalescing") == ["turn", "run"])
        }

        @Test(
            "committed during a flush runs in the next turn, which comes by itself",
            arguments: HostKind.allCases)
        func duringFlush(host: HostKind) throws {
            #expect(try host.run("duringFlush") == ["a", "b", "between", "a again", "b again"])
        }

        @Test("committed before the loop runs is not lost", arguments: HostKind.allCases)
        func committedBefore(host: HostKind) throws {
            #expect(try host.run("committedBefore") == ["a"])
        }

        @Test("leaves nothing behind after its turn", arguments: HostKind.waiting)
        func manyTurns(host: HostKind) throws {
            #expect(try host.run("manyTurns") == ["gathers nothing"])
        }

        @Test("and a layer's picture from the pool need no other event", arguments: HostKind.allCases)
        func layer(host: HostKind) throws {
            #expect(try host.run("layer") == ["committed", "committed"])
        }
    }

    @Suite("Where the host's loop runs within a turn of its own", .serialized, .timeLimit(.minutes(5)))
    struct NestedLoopTests {
        @Test("it serves everything", arguments: HostKind.allCases, ["nestedInEvent", "nestedInTransaction"])
        func nested(host: HostKind, scenario: String) throws {
            #expect(try host.run(scenario) == ["enter", "event", "block", "flush", "leave", "block"])
        }

        // A waker that polls may have used up its wake-up before there is anything to do.
        @Test(
            "it is not put to sleep over what has woken the loop",
            arguments: [HostKind.descriptors, .polledDescriptors, .woken])
        func nestedAfterWakeUp(host: HostKind) throws {
            #expect(try host.run("nestedAfterWakeUp") == ["enter", "block", "leave"])
        }

        @Test(
            "within a block of the main queue, it flushes, and blocks run afterwards",
            arguments: HostKind.waiting)
        func nestedInBlock(host: HostKind) throws {
            #expect(try host.run("nestedInBlock") == ["enter", "event", "flush", "leave", "block", "block"])
        }

        @Test("it flushes what was committed before it began", arguments: HostKind.waiting)
        func pendingInBlock(host: HostKind) throws {
            #expect(try host.run("pendingInBlock") == ["enter", "flush", "leave"])
        }

        @Test("it flushes what waits in another queue", arguments: HostKind.allCases)
        func twoQueues(host: HostKind) throws {
            #expect(try host.run("twoQueues") == ["enter", "other queue", "leave"])
        }

        @Test("within a transaction, it flushes what is behind that one", arguments: HostKind.allCases)
        func behind(host: HostKind) throws {
            #expect(try host.run("behind") == ["enter", "behind", "leave"])
        }

        @Test("and does not sleep over it", arguments: [HostKind.descriptors, .polledDescriptors])
        func behindAsleep(host: HostKind) throws {
            #expect(try host.run("behindAsleep") == ["enter", "behind", "leave"])
        }
    }
#endif
