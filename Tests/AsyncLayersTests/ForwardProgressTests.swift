import TestSupport
import Testing
import Transactions

@testable import AsyncLayers

@MainActor
@Suite("Forward progress", .timeLimit(.minutes(5)))
struct ForwardProgressTests {
    let bench: LayerBench
    var layer: AsyncLayer<RecordingRenderer> { bench.layer }

    init() throws { bench = try LayerBench() }

    /// Invalidates the layer every 8 ms, also while it draws, which takes 30 ms.
    ///
    /// - Returns: when pictures appeared, in milliseconds.
    private func storm(milliseconds: Int, drawTime: Int = 30) -> [Int] {
        let storm = Storm(bench, drawTime: drawTime)
        bench.makeTask = { number in storm.task(number) }
        layer.setNeedsDisplay()
        while storm.time < milliseconds {
            storm.tick()
            bench.transactions.flush()
            bench.settle()
        }
        return storm.shown
    }

    @MainActor
    private final class Storm {
        private(set) var shown: [Int] = []
        private let main: ManualLoop
        private let layer: AsyncLayer<RecordingRenderer>
        private let drawTime: Int
        private let start: Duration
        private var nextInvalidation: Duration

        init(_ bench: LayerBench, drawTime: Int) {
            main = bench.main
            layer = bench.layer
            self.drawTime = drawTime
            start = main.now
            nextInvalidation = start
        }

        var time: Int { Int((main.now - start) / .milliseconds(1)) }

        /// A millisecond passes.
        func tick() {
            main.advance(by: .milliseconds(1))
            guard main.now >= nextInvalidation else { return }
            nextInvalidation += .milliseconds(8)
            layer.setNeedsDisplay()
        }

        func task(_ number: Int) -> DisplayTask<RecordingRenderer> {
            DisplayTask(
                didDisplay: { outcome in
                    if case .committed = outcome { self.shown.append(self.time) }
                },
                draw: { _, scope in
                    MainActor.assumeIsolated {
                        for _ in 0..<self.drawTime where !scope.isCancelled { self.tick() }
                    }
                })
        }
    }

    @Test("a layer that is invalidated faster than it can draw shows a new picture every maximumStaleness")
    func storm() {
        let shown = storm(milliseconds: 2_000)
        let gaps = zip([0] + shown, shown).map { $1 - $0 }
        #expect(shown.count >= 20)
        #expect(gaps.allSatisfy { $0 <= 101 }, "\(gaps)")
    }

    @Test("the first draw, whose time nobody knows, may take half of maximumStaleness")
    func firstDraw() {
        #expect(storm(milliseconds: 150, drawTime: 41).first ?? .max <= 101)
    }

    @Test("a draw that takes longer than maximumStaleness is finished each time")
    func slowDraws() {
        let shown = storm(milliseconds: 2_000, drawTime: 150)
        let gaps = zip(shown, shown.dropFirst()).map { $1 - $0 }
        #expect(shown.count >= 10)
        #expect(gaps.allSatisfy { $0 <= 160 }, "\(gaps)")
    }

    @Test("without a limit to staleness nothing is shown until the storm is over")
    func unlimited() {
        layer.maximumStaleness = .seconds(Int64.max)
        #expect(storm(milliseconds: 1_000).isEmpty)
    }

    @Test("with no or negative staleness allowed, every draw that begins is finished", arguments: [0, -5])
    func zero(milliseconds: Int) {
        layer.maximumStaleness = .milliseconds(milliseconds)
        layer.display()
        layer.setNeedsDisplay()
        bench.transactions.flush()
        bench.settle()
        #expect(bench.outcomes == ["committed", "committed"])
    }

    @Test("a cancellation stops an interim draw, and what was asked for beside it")
    func cancelled() {
        layer.maximumStaleness = .zero
        layer.display()
        layer.setNeedsDisplay()
        bench.transactions.flush()
        layer.cancelDisplay()
        bench.settle()
        #expect(bench.outcomes == ["cancelled while waiting", "cancelled while waiting"])
        #expect(layer.contents == nil)
    }

    @Test(
        "beside an interim draw one newer pass begins; what is asked for then waits for the interim picture")
    func catchingUp() {
        layer.maximumStaleness = .zero
        layer.display()
        for _ in 0..<3 {
            layer.setNeedsDisplay()
            bench.transactions.flush()
        }
        #expect(bench.requests == 2)
        #expect(bench.outcomes == ["superseded while waiting"])
        bench.settle()
        bench.settle()
        #expect(bench.requests == 3)
        #expect(bench.outcomes == ["superseded while waiting", "committed", "committed"])
        #expect(layer.contents?.commands == ["draw 3"])
    }

    @Test("an interim draw that a newer picture has overtaken is stopped, and keeps nothing waiting")
    func overtaken() {
        layer.maximumStaleness = .zero
        func prepare(_ text: String) {
            bench.makeTask = { [log = bench.log] _ in
                DisplayTask(key: text, didDisplay: { log.append("did \($0)") }) { context, _ in
                    context.commands.append(text)
                }
            }
        }
        for text in ["a", "b"] {
            prepare(text)
            layer.display()
            bench.settle()
        }
        prepare("c")
        layer.display()
        prepare("a")
        layer.display()
        #expect(layer.contents?.commands == ["a"])
        #expect(bench.outcomes.suffix(2) == ["committed", "superseded while waiting"])
        prepare("b")
        layer.setNeedsDisplay()
        bench.transactions.flush()
        #expect(layer.contents?.commands == ["b"])
    }

    @Test("a draw that noticed that it is stale, before time pressed, is not kept")
    func noticedEarly() {
        bench.makeTask = { [unowned bench] number in
            bench.task { [layer = bench.layer!, main = bench.main] context, scope in
                if number == 1 {
                    layer.setNeedsDisplay()
                    #expect(scope.isCancelled)
                    main.advance(by: .seconds(1))
                    #expect(scope.isCancelled, "cancelled stays cancelled")
                }
                context.commands.append("draw \(number)")
            }
        }
        layer.display()
        bench.settle()
        #expect(bench.outcomes == ["superseded while drawing"])
    }
}

@Suite("Freshness")
struct FreshnessTests {
    @Test("a layer that shows what was asked for is never overdue")
    func fresh() {
        var freshness = Freshness()
        #expect(freshness.overdueTime(limit: .zero) > .seconds(1 << 40))
        freshness.began(at: .seconds(5))
        #expect(freshness.overdueTime(limit: .milliseconds(100)) == .milliseconds(5_050))
        freshness.began(at: .seconds(6))
        #expect(freshness.overdueTime(limit: .milliseconds(100)) == .milliseconds(5_050))
        freshness.shown(at: .seconds(7), isInterim: true)
        #expect(freshness.overdueTime(limit: .milliseconds(100)) == .milliseconds(7_050))
        freshness.shown(at: .seconds(8), isInterim: false)
        #expect(freshness.overdueTime(limit: .zero) > .seconds(1 << 40))
    }

    @Test("time presses earlier the longer draws take")
    func turnaround() {
        var freshness = Freshness()
        freshness.finished(.milliseconds(80))
        freshness.finished(.milliseconds(-3))
        #expect(freshness.turnaround == .milliseconds(70))
        freshness.began(at: .seconds(1))
        #expect(freshness.overdueTime(limit: .milliseconds(100)) == .milliseconds(1_030))
    }

    @Test("no limit overflows")
    func hostile() {
        var freshness = Freshness()
        freshness.began(at: .seconds(Int64(1) << 40))
        for limit in [Duration.seconds(Int64.max), .seconds(Int64.min), .zero, .nanoseconds(-1)] {
            _ = freshness.overdueTime(limit: limit)
        }
    }
}
