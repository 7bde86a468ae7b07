#if os(Linux)
    import Testing

    @Suite("Where run loops are nested, a transaction", .serialized, .timeLimit(.minutes(5)))
    struct NestedRunLoopTests {
        static let hosts = [HostKind.runLoop, .polledLoop]

        @Test("runs within the loop that a timer runs", arguments: hosts)
        func inTimer(host: HostKind) throws {
            #expect(try host.run("nestedInTimer") == ["enter", "flush", "leave"])
        }

        @Test("runs within the loop that a block of the main queue runs", arguments: hosts)
        func inMainQueueBlock(host: HostKind) throws {
            #expect(try host.run("nestedInMainQueueBlock") == ["enter", "flush", "leave"])
        }

        @Test("runs within the loop that a transaction runs, five deep", arguments: hosts)
        func inBody(host: HostKind) throws {
            let lines = (1...5).map { "enter \($0)" } + (1...5).reversed().map { "leave \($0)" }
            #expect(try host.run("nestedInBody") == lines)
        }

        @Test(
            "of another thread wakes the nested loop within 50 ms",
            arguments: hosts,
            ["nestedAsleepInTimer", "nestedAsleepInMainQueueBlock", "nestedAsleepInBody"])
        func asleep(host: HostKind, scenario: String) throws {
            try expectLatency(host.run(scenario))
        }

        @Test("committed during the nested loop's flush runs in that loop too", arguments: hosts)
        func duringFlush(host: HostKind) throws {
            #expect(try host.run("duringFlushOfNested") == ["a", "b", "leave"])
        }

        @Test("runs within the loop that one before it in its turn runs, two deep", arguments: hosts)
        func behindNested(host: HostKind) throws {
            #expect(try host.run("behindNested") == ["enter a", "enter b", "c", "leave b", "leave a"])
        }

        @Test("of one queue runs within the loop that a transaction of another queue runs")
        func twoQueues() throws {
            #expect(try HostKind.runLoop.run("twoQueues") == ["enter", "other queue", "leave"])
        }
    }
#endif
