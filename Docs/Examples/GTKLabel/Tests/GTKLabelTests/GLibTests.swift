import Testing

@Suite("Under GLib's main loop", .serialized, .timeLimit(.minutes(5)))
struct GLibTests {
    enum Mode: String, CaseIterable, Sendable {
        case waiting, polling
    }

    private func run(_ scenario: String, _ mode: Mode = .waiting) throws -> [String] {
        try Program("GLibProbe").run([mode.rawValue, scenario])
    }

    @Test("main queue and main actor get what other threads send", arguments: Mode.allCases)
    func hops(mode: Mode) throws {
        #expect(try run("hops", mode).first == "120 hops")
    }

    @Test("the loop wakes up no more often than something is sent")
    func wakeUps() throws {
        #expect(try run("hops").last == "no more wake-ups")
    }

    @Test("a second in which nothing happens costs no wake-up")
    func idle() throws {
        #expect(try run("idle") == ["0"])
    }

    @Test("a main queue that cannot be waited for is looked at sixty times a second")
    func polling() throws {
        let wakeUps = try #require(run("idle", .polling).first.flatMap { Int($0) })
        #expect((2...120).contains(wakeUps))
    }

    @Test("transactions run behind events, before redrawing and idling")
    func endOfTurn() throws {
        #expect(
            try run("endOfTurn") == [
                "event", "other event", "flush", "block", "flush of the block's", "after redrawing", "idle",
            ])
    }

    @Test("a transaction of another thread wakes the loop, within 50 ms", arguments: Mode.allCases)
    func otherThread(mode: Mode) throws {
        let microseconds = try #require(run("otherThread", mode).first.flatMap { Double($0) })
        #expect(microseconds <= 50_000)
    }

    @Test("a transaction committed by two threads in one turn runs once", arguments: Mode.allCases)
    func coalescing(mode: Mode) throws {
        #expect(try run("coalescing", mode) == ["turn", "run"])
    }

    @Test("a layer's pictures from the pool need no other event", arguments: Mode.allCases)
    func layer(mode: Mode) throws {
        #expect(try run("layer", mode) == ["200 pixels wide", "400 pixels wide"])
    }

    @Test("work that enqueues work on and on starves neither events nor redrawing", arguments: Mode.allCases)
    func storm(mode: Mode) throws {
        #expect(try run("storm", mode) == ["50 at 0", "50 at 120"])
    }

    @Test(
        "a nested loop serves everything", arguments: Mode.allCases,
        ["nestedInSource", "nestedInTransaction"])
    func nested(mode: Mode, scenario: String) throws {
        #expect(try run(scenario, mode) == ["enter", "event", "block", "flush", "leave", "last block"])
    }

    @Test("a nested loop in a transaction flushes what is behind that one", arguments: Mode.allCases)
    func behind(mode: Mode) throws {
        #expect(try run("behind", mode) == ["enter", "behind", "leave"])
    }

    @Test("a nested loop in a block of the main queue flushes, and blocks run afterwards")
    func nestedInBlock() throws {
        #expect(try run("nestedInBlock") == ["enter", "event", "flush", "leave", "block", "last block"])
    }

    @Test("a source can be taken out of the loop, and another one put in")
    func invalidated() throws {
        #expect(try run("invalidated") == ["nothing served", "block"])
    }

    @Test(
        "a source that a transaction takes out leaves nothing for the loop to wait for",
        arguments: Mode.allCases)
    func invalidatedInTransaction(mode: Mode) throws {
        #expect(try run("invalidatedInTransaction", mode) == ["2 fewer"])
    }
}
