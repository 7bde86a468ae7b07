#if os(Linux)
    import Testing

    @Suite("Where run loops are nested, a transaction", .serialized, .timeLimit(.minutes(15)))
    struct NestedRunLoopTests {
        static let loops = [LoopKind.runLoop, .polledLoop]

        @Test("runs within the loop that a timer runs", arguments: loops)
        func inTimer(loop: LoopKind) throws {
            #expect(try loop.run("nestedInTimer") == ["enter", "flush", "leave"])
        }

        @Test("runs within the loop that a block of the main queue runs", arguments: loops)
        func inMainQueueBlock(loop: LoopKind) throws {
            #expect(try loop.run("nestedInMainQueueBlock") == ["enter", "flush", "leave"])
        }

        @Test("runs within the loop that a transaction runs, five deep", arguments: loops)
        func inBody(loop: LoopKind) throws {
            let lines = (1...5).map { "enter \($0)" } + (1...5).reversed().map { "leave \($0)" }
            #expect(try loop.run("nestedInBody") == lines)
        }

        @Test(
            "of another thread wakes the nested loop within 50 ms",
            arguments: loops,
            ["nestedAsleepInTimer", "nestedAsleepInMainQueueBlock", "nestedAsleepInBody"])
        func asleep(loop: LoopKind, scenario: String) throws {
            try expectLatency(loop.run(scenario))
        }

        @Test("committed during the nested loop's flush runs in that loop too", arguments: loops)
        func duringFlush(loop: LoopKind) throws {
            #expect(try loop.run("duringFlushOfNested") == ["a", "b", "leave"])
        }

        @Test("runs within the loop that one before it in its turn runs, two deep", arguments: loops)
        func behindNested(loop: LoopKind) throws {
            #expect(try loop.run("behindNested") == ["enter a", "enter b", "c", "leave b", "leave a"])
        }

        @Test("of one queue runs within the loop that a transaction of another queue runs")
        func twoQueues() throws {
            #expect(try LoopKind.runLoop.run("twoQueues") == ["enter", "other queue", "leave"])
        }
    }
#endif
