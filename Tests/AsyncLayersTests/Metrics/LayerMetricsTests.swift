import ManualPools
import QueuePoolsLocks
import QueuePools
import TestSupport
import Testing

@testable import AsyncLayers

@MainActor
@Suite("What a layer reports to its metrics", .timeLimit(.minutes(15)))
struct LayerMetricsTests {
    private let bench: LayerBench
    private let reports = ReportList()
    private let signposts = IntervalList()
    private let metrics: DisplayMetrics
    private let host: DisplayHost

    init() throws {
        bench = try LayerBench()
        metrics = DisplayMetrics(handlers: [reports], signposts: signposts)
        host = DisplayHost(
            pool: bench.pool, transactions: bench.transactions, loop: bench.main, budget: bench.budget,
            metrics: metrics)
    }

    /// A layer whose draws take 20 ms.
    private func makeLayer(key: Int? = nil) -> (AsyncLayer<RecordingRenderer>, TaskMaker) {
        let layer = AsyncLayer(renderer: RecordingRenderer(), host: host, cache: bench.cache)
        let maker = TaskMaker()
        maker.key = key
        maker.draw = { [main = bench.main] _, _ in main.advance(by: .milliseconds(20)) }
        layer.size = Size(width: 10, height: 20)
        layer.delegate = maker
        return (layer, maker)
    }

    private func times(of report: DisplayReport?) -> [Duration?] {
        [report?.waitTime, report?.drawTime, report?.commitTime]
    }

    @Test("a pass that was drawn and shown is reported with its three times")
    func committed() throws {
        let (layer, maker) = makeLayer()
        layer.display()
        bench.main.advance(by: .milliseconds(5))
        bench.pool.runAll()
        bench.main.advance(by: .milliseconds(3))
        bench.main.runAll()
        let report = try #require(reports.all.first)
        #expect("\(report.outcome)" == "committed")
        #expect(report.source == .drawn)
        #expect(report.qos == .userInitiated)
        #expect(times(of: report) == [.milliseconds(5), .milliseconds(20), .milliseconds(3)])
        #expect(signposts.all == ["waiting 1", "drawing 1", "committing 1"])
        withExtendedLifetime(maker) {}
    }

    @Test("a pass that became stale before it started has waited, and drawn nothing")
    func superseded() throws {
        let (layer, maker) = makeLayer()
        layer.display()
        bench.main.advance(by: .milliseconds(4))
        layer.display()
        let report = try #require(reports.all.first)
        #expect("\(report.outcome)" == "superseded while waiting")
        #expect(times(of: report) == [.milliseconds(4), nil, nil])
        #expect(signposts.all == ["waiting 1"])
        bench.settle()
        #expect(metrics.snapshot().wastedDraws == 0)
        withExtendedLifetime(maker) {}
    }

    @Test("a draw that was stopped is wasted, and has no picture to commit")
    func stopped() throws {
        let (layer, maker) = makeLayer()
        maker.draw = { [main = bench.main] _, scope in
            main.advance(by: .milliseconds(7))
            MainActor.assumeIsolated { layer.cancelDisplay() }
            try scope.checkCancellation()
        }
        layer.display()
        bench.settle()
        let report = try #require(reports.all.first)
        #expect("\(report.outcome)" == "cancelled while drawing")
        #expect(times(of: report) == [.zero, .milliseconds(7), nil])
        #expect(signposts.all == ["waiting 1", "drawing 1"])
        #expect(metrics.snapshot().wastedDrawTime == .milliseconds(7))
        withExtendedLifetime(maker) {}
    }

    @Test("a draw that fails has drawn, also with a pool's error; one that the pool refuses has not")
    func failures() async throws {
        let (layer, maker) = makeLayer()
        let refusal = #expect(throws: PoolError.self) {
            try DispatchQueuePool(label: "", queuesPerTier: .automatic)
        }
        let error = try #require(refusal)
        maker.draw = { [main = bench.main] _, _ in
            main.advance(by: .milliseconds(7))
            throw error
        }
        layer.display()
        bench.settle()
        #expect(times(of: reports.all.first) == [.zero, .milliseconds(7), nil])
        try await bench.pool.shutdown()
        layer.display()
        bench.main.advance(by: .milliseconds(2))
        bench.settle()
        #expect(times(of: reports.all.last) == [.milliseconds(2), nil, nil])
        #expect(metrics.snapshot().failed == 2)
        withExtendedLifetime(maker) {}
    }

    @Test("a picture that several layers share is drawn by the pass that asked first, and once in the sums")
    func shared() throws {
        let (first, maker) = makeLayer(key: 1)
        let (second, other) = makeLayer(key: 1)
        first.display()
        second.display()
        bench.main.advance(by: .milliseconds(5))
        bench.settle()
        let drawn = reports.all.first { $0.source == .drawn }
        let shared = reports.all.first { $0.source == .shared }
        #expect(times(of: drawn) == [.milliseconds(5), .milliseconds(20), .zero])
        #expect(times(of: shared) == [.milliseconds(25), nil, nil])
        #expect(metrics.snapshot().drawTime == .milliseconds(20))
        #expect(metrics.snapshot().sources == [.drawn: 1, .shared: 1])
        withExtendedLifetime((maker, other)) {}
    }

    @Test("a drawing whose first pass has left it belongs to one that remains")
    func inherited() throws {
        let (first, maker) = makeLayer(key: 1)
        let (second, other) = makeLayer(key: 1)
        first.display()
        second.display()
        first.cancelDisplay()
        bench.settle()
        #expect(reports.all.map { "\($0.outcome)" } == ["cancelled while waiting", "committed"])
        #expect(reports.all.map(\.drawTime) == [nil, .milliseconds(20)])
        #expect(metrics.snapshot().wastedDrawTime == .zero)
        withExtendedLifetime((maker, other)) {}
    }

    @Test("pictures that are there already wait for nothing")
    func withoutDrawing() throws {
        let (layer, maker) = makeLayer(key: 1)
        layer.display()
        bench.settle()
        layer.display()
        maker.key = 2
        layer.display()
        bench.settle()
        maker.key = 1
        layer.display()
        maker.draw = nil
        layer.display()
        #expect(reports.all.map(\.source) == [.drawn, .unchanged, .drawn, .cached, .empty])
        for report in reports.all where report.source != .drawn {
            #expect(times(of: report) == [nil, nil, nil])
        }
        #expect(signposts.all.count == 6, "only the drawn ones have intervals")
    }

    @Test("a synchronous pass draws and waits for nothing")
    func synchronous() throws {
        let (layer, maker) = makeLayer()
        layer.displaysAsynchronously = false
        layer.display()
        let report = try #require(reports.all.first)
        #expect(report.isSynchronous)
        #expect(times(of: report) == [nil, .milliseconds(20), .zero])
        #expect(signposts.all == ["drawing 1", "committing 1"])
        withExtendedLifetime(maker) {}
    }

    @Test("a pass that fails before it is drawn is counted, and one that fails in its draw has drawn")
    func failed() throws {
        let (layer, maker) = makeLayer()
        layer.contentsScale = .nan
        layer.display()
        layer.contentsScale = 1
        maker.draw = { [main = bench.main] _, _ in
            main.advance(by: .milliseconds(2))
            throw CancellationError()
        }
        layer.display()
        bench.settle()
        #expect(reports.all.map(\.outcome.name) == ["failed", "failed"])
        #expect(reports.all.map(\.drawTime) == [nil, .milliseconds(2)])
        #expect(signposts.all == ["waiting 2", "drawing 2"])
    }

    @Test("an interim picture is reported as one")
    func interim() throws {
        let (layer, maker) = makeLayer()
        maker.draw = { [main = bench.main] _, _ in
            main.advance(by: .seconds(1))
            layer.setNeedsDisplay()
        }
        layer.display()
        bench.settle()
        layer.display()
        bench.settle()
        let interims = reports.all.filter { $0.isInterim }
        #expect(interims.count == 2)
        #expect(interims.allSatisfy { $0.outcome.name == "committed" })
        #expect(metrics.snapshot().interims == 2)
        withExtendedLifetime(maker) {}
    }

    @Test("with any outcome, passes that began end, and so do their intervals")
    func balance() throws {
        var generator = SeededGenerator(seed: 7)
        let layers = (0..<3).map { _ in makeLayer(key: 0) }
        for (_, maker) in layers {
            maker.draw = { [main = bench.main] _, scope in
                main.advance(by: .milliseconds(20))
                try scope.checkCancellation()
            }
        }
        for step in 0..<2_000 {
            let (layer, maker) = layers.randomElement(using: &generator) ?? layers[0]
            maker.key = Int.random(in: 0..<3, using: &generator) > 0 ? step / 4 : nil
            switch Int.random(in: 0..<8, using: &generator) {
            case 0: layer.setNeedsDisplay()
            case 1: layer.cancelDisplay()
            case 2: bench.pool.runNext()
            case 3: bench.main.runAll()
            case 4: layer.displaysAsynchronously.toggle()
            case 5: bench.main.advance(by: .milliseconds(Int.random(in: 0...60, using: &generator)))
            default: layer.display()
            }
        }
        for (layer, _) in layers { layer.cancelDisplay() }
        for _ in 0..<3 { bench.settle() }
        let statistics = metrics.snapshot()
        #expect(statistics.inFlight == 0)
        #expect(statistics.begun == reports.all.count)
        #expect(Set(reports.all.map(\.pass)).count == reports.all.count)
        #expect(signposts.mistakes.isEmpty)
        #expect(signposts.open.isEmpty)
    }
}

@MainActor
private final class TaskMaker: AsyncLayerDelegate {
    var key: Int?
    var draw: DisplayTask<RecordingRenderer>.Draw?

    func displayTask(for layer: AsyncLayer<RecordingRenderer>) -> DisplayTask<RecordingRenderer>? {
        if let key { DisplayTask(key: key, draw: draw) } else { DisplayTask(draw: draw) }
    }
}

/// The intervals that ended, in order, and what a profiler could not make sense of.
private final class IntervalList: DisplaySignposts {
    private struct State {
        var open: Set<String> = []
        var ended: [String] = []
        var mistakes: [String] = []
    }

    private let state = Lock(State())

    var all: [String] { state.withLock { $0.ended } }
    var open: Set<String> { state.withLock { $0.open } }
    var mistakes: [String] { state.withLock { $0.mistakes } }

    func begin(_ stage: DisplayStage, of pass: UInt64) {
        let name = "\(stage) \(pass)"
        state.withLock { state in
            if state.open.contains(where: { $0.hasSuffix(" \(pass)") }) {
                state.mistakes.append("\(name) overlaps")
            }
            if state.ended.contains(name) { state.mistakes.append("\(name) begins again") }
            state.open.insert(name)
        }
    }

    func end(_ stage: DisplayStage, of pass: UInt64) {
        let name = "\(stage) \(pass)"
        state.withLock { state in
            if state.open.remove(name) == nil { state.mistakes.append("\(name) ends without beginning") }
            state.ended.append(name)
        }
    }
}
