#if os(Linux)
    import TestSupport
    import Testing

    /// A kind of loop that owns the main thread.
    enum HostKind: String, CaseIterable, Sendable {
        case descriptors, polledDescriptors, woken, polledWoken

        /// Those that really wait for the main queue.
        static let waiting = [HostKind.descriptors, .woken]

        /// Runs a scenario in a process with such a loop and gives what it prints; throws if it times out.
        func run(_ scenario: String) throws -> [String] {
            try ChildProgram("MainLoopBridgesProbe").run([rawValue, scenario])
        }
    }

    @Suite("Under a loop that owns the main thread, the main queue", .serialized, .timeLimit(.minutes(5)))
    struct MainQueueTests {
        @Test("and the main actor get what other threads send", arguments: HostKind.allCases)
        func hops(host: HostKind) throws {
            #expect(try host.run("hops").first == "120 hops")
        }

        @Test("wakes the loop no more often than something is sent", arguments: HostKind.waiting)
        func wakeUps(host: HostKind) throws {
            #expect(try host.run("hops").last == "no more wake-ups")
        }

        @Test("costs no wake-up in a second in which nothing happens", arguments: HostKind.waiting)
        func idle(host: HostKind) throws {
            #expect(try host.run("idle") == ["0", "0"])
        }

        @Test(
            "is looked at sixty times a second where it cannot be waited for",
            arguments: [HostKind.polledDescriptors, .polledWoken])
        func polling(host: HostKind) throws {
            let wakeUps = try #require(host.run("idle").first.flatMap { Int($0) })
            #expect((2...120).contains(wakeUps))
        }

        @Test(
            "does not starve the loop's events by enqueueing on and on, and transactions starve neither",
            arguments: HostKind.allCases)
        func storm(host: HostKind) throws {
            #expect(try host.run("storm") == ["50 events and blocks"])
        }

        @Test("loses no block of many threads", arguments: HostKind.waiting)
        func manyThreads(host: HostKind) throws {
            #expect(try host.run("manyThreads") == ["20000 of 20000"])
        }

        @Test("may be served by a Foundation run loop within a turn", arguments: HostKind.allCases)
        func runLoopWithin(host: HostKind) throws {
            #expect(
                try host.run("runLoopWithin") == [
                    "block in the run loop", "run loop ended", "block in the host's loop",
                ])
        }
    }
#endif
