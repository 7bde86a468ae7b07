import BenchmarkHarness

/// What does an asynchronous pass take of the main thread's time, among a hundred in the same turn?
///
/// Processor time of the main thread alone: from the invalidation to the end of the turn, in which the passes
/// are handed over; then, after a while in which all have been drawn, the turns in which they are committed.
/// Each contender's main loop is driven by the same calls, so what a turn itself takes is in all figures
/// alike, divided by a hundred.
struct PassesInTurns: Benchmark {
    static let layerCount = 100

    let metrics: [Metric]
    let trials: [Trial]
    let plan = Plan(rounds: (3, 15))

    static let small = PassesInTurns(
        name: "pass", byteCount: 0,
        summary:
            "Processor time of the main thread for one pass, of a hundred layers with empty draws in one turn.",
        bar: "Bar: 1.8 times what it takes by hand.")

    /// As much as a label of 390 × 44 points takes at two pixels a point.
    static let medium = PassesInTurns(
        name: "pass-256-kib", byteCount: 1 << 18,
        summary: "The same with pictures of 256 KiB, each of which replaces one.")

    /// As much as a row of 390 × 75 points takes at three pixels a point.
    static let large = PassesInTurns(
        name: "pass-1-mib", byteCount: 1 << 20,
        summary: "The same with pictures of 1 MiB, each of which replaces one.")

    /// As a cell is filled: text, colour and size are set one after the other, and each asks for a display.
    static let repeated = PassesInTurns(
        name: "pass-3-requests", byteCount: 0, requests: 3,
        summary: "The same with empty draws, of layers each of which is invalidated three times in the turn.",
        bar: "Bar: 1.2 times what it takes by hand.", unit: "ns/layer")

    private init(
        name: String, byteCount: Int, requests: Int = 1, summary: String, bar: String? = nil,
        unit: String = "ns/pass"
    ) {
        func metric(_ name: String, _ summary: String, _ bar: String? = nil) -> Metric {
            Metric(
                name, unit: unit, ours: Roster.ours.name,
                summary: [summary, bar].compactMap(\.self).joined(separator: " "))
        }
        metrics = [
            metric(name, summary, bar),
            metric("\(name)-hand-over", "The part of \(name) from the invalidation to the end of the turn."),
            metric("\(name)-commit", "The part of \(name) after that turn."),
        ]
        let kinds = [Roster.ours, Roster.flushed, Roster.displayed, Roster.yyAsyncLayer, Roster.byHand]
        trials = kinds.map { kind in
            Trial(kind) { host, scale in
                let turns = byteCount == 0 ? scale.pick(quick: 10, full: 50) : scale.pick(quick: 2, full: 5)
                return try PassesInTurns.measure(
                    host, turns: turns, byteCount: byteCount, requests: requests)
            }
        }
    }

    /// Nanoseconds of the main thread for each layer and turn: all, the hand-over, the commit.
    @MainActor
    static func measure(
        _ host: any LayerHost, turns: Int, byteCount: Int, requests: Int = 1
    ) throws -> [Reading] {
        let source = EmptyDraws(byteCount: byteCount)
        let layers = (0..<layerCount).map { _ in host.makeLayer(source) }
        var (handOver, commit): (UInt64, UInt64) = (0, 0)
        // The first turn has no pictures to replace.
        for turn in 0...turns {
            source.number += 1
            let start = Clock.threadTime
            for layer in layers {
                for _ in 0..<requests { layer.invalidate() }
            }
            host.endTurn()
            MainLoop.turn()
            let handedOver = Clock.threadTime
            let committed = try commitAll(layers, number: source.number)
            guard turn > 0 else { continue }
            handOver += handedOver - start
            commit += committed
        }
        MainLoop.settle()
        let passes = Double(turns * layers.count)
        return [handOver + commit, handOver, commit].map { Reading(Double($0) / passes) }
    }

    /// Runs turns, with time to draw before each, until all layers show pictures of this number; returns the
    /// main thread's processor time in these turns. Of several draws that a contender makes for one layer, a
    /// straggler would count with the next turn.
    @MainActor
    private static func commitAll(_ layers: [any ContenderLayer], number: Int) throws -> UInt64 {
        let deadline = Clock.now + 10_000_000_000
        var time: UInt64 = 0
        repeat {
            guard Clock.now < deadline else { throw MeasuringError("a pass did not end within 10 s") }
            Clock.sleep(microseconds: 3_000)
            let start = Clock.threadTime
            MainLoop.turn()
            time += Clock.threadTime - start
        } while !layers.allSatisfy { $0.picture?.number == number }
        return time
    }
}
