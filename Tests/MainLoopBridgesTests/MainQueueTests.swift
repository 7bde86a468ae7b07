#if os(Linux)
    import TestSupport
    import Testing

    /// A kind of loop that owns the main thread.
    enum LoopKind: String, CaseIterable, Sendable {
        case descriptors, polledDescriptors, woken, polledWoken, frameLoop

        /// Those that really wait for the main queue.
        static let waiting = [LoopKind.descriptors, .woken, .frameLoop]

        /// Those that may run within their own turns.
        static let nesting = [LoopKind.descriptors, .polledDescriptors, .woken, .polledWoken]

        /// Those that both wait and nest.
        static let waitingAndNesting = [LoopKind.descriptors, .woken]

        /// Runs a scenario in a process with such a loop and returns what it prints; throws if it times out.
        func run(_ scenario: String) throws -> [String] {
            try ChildProgram("MainLoopBridgesProbe").run([rawValue, scenario])
        }
    }

    @Suite("Under a loop that owns the main thread, the main queue", .serialized, .timeLimit(.minutes(15)))
    struct MainQueueTests {
        @Test("and the main actor get what other threads send", arguments: LoopKind.allCases)
        func hops(loop: LoopKind) throws {
            #expect(try loop.run("hops").first == "120 hops")
        }

        @Test("wakes the loop no more often than something is sent", arguments: LoopKind.waiting)
        func wakeUps(loop: LoopKind) throws {
            #expect(try loop.run("hops").last == "no more wake-ups")
        }

        @Test("costs no wake-up in a second in which nothing happens", arguments: LoopKind.waiting)
        func idle(loop: LoopKind) throws {
            #expect(try loop.run("idle") == ["0", "0"])
        }

        @Test(
            "is looked at sixty times a second where it cannot be waited for",
            arguments: [LoopKind.polledDescriptors, .polledWoken])
        func polling(loop: LoopKind) throws {
            let wakeUps = try #require(loop.run("idle").first.flatMap { Int($0) })
            #expect((2...120).contains(wakeUps))
        }

        @Test(
            "does not starve the loop's events by enqueueing on and on, and transactions starve neither",
            arguments: LoopKind.allCases)
        func storm(loop: LoopKind) throws {
            #expect(try loop.run("storm") == ["50 events and blocks"])
        }

        @Test("loses no block of many threads", arguments: LoopKind.waiting)
        func manyThreads(loop: LoopKind) throws {
            #expect(try loop.run("manyThreads") == ["20000 of 20000"])
        }

        @Test("may be served by a Foundation run loop within a turn", arguments: LoopKind.allCases)
        func runLoopWithin(loop: LoopKind) throws {
            #expect(
                try loop.run("runLoopWithin") == [
                    "block in the run loop", "run loop ended", "block in the probe's loop",
                ])
        }
    }
#endif
