import ManualPools
import QueuePools
import TestSupport
import Testing
import QueuePoolsTransactions

@testable import AsyncLayers

/// What becomes of a draw when a newer request comes: it is replaced while it waits; once begun it is
/// finished and shown, or stopped.
@MainActor
@Suite("Stale draws", .timeLimit(.minutes(15)))
struct StaleDrawTests {
    let bench: LayerBench
    var layer: AsyncLayer<RecordingRenderer> { bench.layer }

    init() throws { bench = try LayerBench() }

    /// Invalidates the layer at times, also while it draws.
    @MainActor
    private final class Requests {
        /// When pictures appeared, in milliseconds.
        private(set) var shown: [Int] = []
        /// The outcomes, in order.
        private(set) var outcomes: [String] = []
        private let main: ManualLoop
        private let bench: LayerBench
        private let drawTime: Int
        private let start: Duration
        private var times: [Int]

        init(_ bench: LayerBench, drawTime: Int, at times: some Sequence<Int>) {
            main = bench.main
            self.bench = bench
            self.drawTime = drawTime
            start = main.now
            self.times = Array(times)
            bench.makeTask = { [unowned self] number in task(number) }
        }

        var time: Int { Int((main.now - start) / .milliseconds(1)) }

        /// Lets time pass until all is done, a millisecond at a time.
        func play() {
            while !times.isEmpty || !bench.layer.pipeline.isSettled {
                tick()
                // What has ended may let the next one begin.
                while bench.pool.runNext() { bench.main.runAll() }
                bench.main.runAll()
            }
        }

        private func tick() {
            main.advance(by: .milliseconds(1))
            while let first = times.first, first <= time {
                times.removeFirst()
                bench.layer.setNeedsDisplay()
                bench.transactions.flush()
            }
        }

        private func task(_ number: Int) -> DisplayTask<RecordingRenderer> {
            DisplayTask(
                onEnd: { outcome in
                    self.outcomes.append("\(number) \(outcome)")
                    if case .committed = outcome { self.shown.append(self.time) }
                },
                draw: { context, scope in
                    MainActor.assumeIsolated {
                        for _ in 0..<self.drawTime where !scope.isCancelled { self.tick() }
                    }
                    context.commands.append("draw \(number)")
                })
        }
    }

    @Test(
        "a layer that is invalidated at 120 Hz shows pictures at the rate at which it can draw them",
        arguments: [5, 10, 25, 30, 80, 150])
    func storm(drawTime: Int) {
        let requests = Requests(bench, drawTime: drawTime, at: stride(from: 1, to: 2_000, by: 8))
        requests.play()
        let gaps = zip(requests.shown, requests.shown.dropFirst()).map { $1 - $0 }
        // A draw, the wait for the next request after a draw that is quicker than requests, and one that was
        // stopped.
        #expect(gaps.allSatisfy { $0 <= max(drawTime, 8) + 9 }, "\(gaps)")
        #expect(requests.shown.count >= 2_000 / (max(drawTime, 8) + 1) - 1)
        #expect(
            requests.outcomes.count { $0.hasSuffix("superseded while drawing") } <= 1, "\(requests.outcomes)")
        #expect(layer.contents?.commands == ["draw 250"], "what was asked for last")
    }

    @Test("the first draw is finished and shown, with any requests meanwhile")
    func firstDraw() {
        let requests = Requests(bench, drawTime: 30, at: [1, 5])
        requests.play()
        #expect(requests.outcomes == ["1 committed in the interim", "2 committed"])
        #expect(requests.shown == [31, 61])
    }

    @Test("a single change during a draw stops it, since the newest picture is there sooner then")
    func singleChange() {
        let requests = Requests(bench, drawTime: 30, at: [1, 101, 111])
        requests.play()
        #expect(requests.outcomes == ["1 committed", "2 superseded while drawing", "3 committed"])
        #expect(requests.shown == [31, 141])
    }

    @Test("the draw that replaces a stopped one is finished, though another change comes")
    func secondChange() {
        let requests = Requests(bench, drawTime: 30, at: [1, 101, 111, 121])
        requests.play()
        #expect(
            requests.outcomes == [
                "1 committed", "2 superseded while drawing", "3 committed in the interim", "4 committed",
            ])
        #expect(requests.shown == [31, 141, 171])
    }

    @Test("what waits for a draw that is finished is replaced by what comes later")
    func replaced() {
        let requests = Requests(bench, drawTime: 30, at: [1, 5, 9, 13])
        requests.play()
        #expect(
            requests.outcomes == [
                "2 superseded while waiting", "3 superseded while waiting", "1 committed in the interim",
                "4 committed",
            ])
    }

    @Test("setNeedsDisplay alone stops no draw: the newer pass decides, when it begins")
    func mark() {
        bench.makeTask = { [unowned bench] number in
            bench.task { [layer = bench.layer!] context, scope in
                if number == 1 { layer.setNeedsDisplay() }
                #expect(!scope.isCancelled)
                context.commands.append("draw \(number)")
            }
        }
        layer.display()
        bench.settle()
        #expect(bench.outcomes == ["committed in the interim"])
        #expect(bench.reports.all.map(\.isInterim) == [true], "it was stale when it was shown")
        bench.transactions.flush()
        bench.settle()
        #expect(layer.contents?.commands == ["draw 2"])
    }

    @Test("a cancellation stops a draw that is to be finished, and what waits for it")
    func cancelled() {
        bench.makeTask = { [unowned bench] number in
            bench.task { [layer = bench.layer!] _, scope in
                MainActor.assumeIsolated {
                    layer.display()
                    #expect(!scope.isCancelled)
                    layer.cancelDisplay()
                }
                #expect(scope.isCancelled)
            }
        }
        layer.display()
        bench.settle()
        #expect(bench.outcomes == ["cancelled while waiting", "cancelled while drawing"])
        #expect(layer.contents == nil)
    }

    @Test("a newer picture that is there already stops a draw that is to be finished")
    func overtaken() {
        func prepare(_ text: String, _ draw: (@MainActor @Sendable (DrawScope) -> Void)? = nil) {
            bench.makeTask = { [log = bench.log] _ in
                DisplayTask(key: text, onEnd: { log.append("did \($0)") }) { context, scope in
                    MainActor.assumeIsolated { draw?(scope) }
                    context.commands.append(text)
                }
            }
        }
        for text in ["a", "b"] {
            prepare(text)
            layer.display()
            bench.settle()
        }
        prepare("c") { [layer] scope in
            prepare("a")
            layer.display()
            #expect(layer.contents?.commands == ["a"])
            #expect(scope.isCancelled)
        }
        layer.display()
        bench.settle()
        #expect(bench.outcomes == ["committed", "committed", "committed", "superseded while drawing"])
        #expect(layer.contents?.commands == ["a"])
    }

    @Test("an equal request takes a draw over that has begun, and one that waits")
    func equalKey() {
        bench.makeTask = { [unowned bench] number in
            var task = bench.task { [layer = bench.layer!] context, scope in
                if number == 2 { MainActor.assumeIsolated { layer.display() } }
                #expect(!scope.isCancelled)
                context.commands.append("draw \(number)")
            }
            task.key = ContentKey("equal")
            return task
        }
        layer.display()
        layer.display()
        bench.settle()
        #expect(bench.outcomes == ["superseded while waiting", "superseded while waiting", "committed"])
        #expect(layer.contents?.commands == ["draw 2"])
        #expect(bench.reports.all.map(\.source) == [.drawn, .drawn, .shared])
    }

    @Test("what was drawn for an equal request is finished like any draw when another one comes")
    func equalKeyThenAnother() {
        bench.makeTask = { [unowned bench] number in
            var task = bench.task { [layer = bench.layer!] context, scope in
                if number == 1 {
                    MainActor.assumeIsolated {
                        layer.display()
                        layer.display()
                    }
                }
                #expect(!scope.isCancelled)
                context.commands.append("draw \(number)")
            }
            task.key = ContentKey(number == 3 ? "other" : "equal")
            return task
        }
        layer.display()
        bench.settle()
        bench.settle()
        #expect(bench.outcomes == ["superseded while waiting", "committed in the interim", "committed"])
        #expect(layer.contents?.commands == ["draw 3"])
    }

    @Test("a tier that a layer is moved to before its pass begins is that of the pass")
    func movedBefore() {
        layer.setNeedsDisplay()
        layer.qos = .utility
        bench.transactions.flush()
        bench.settle()
        layer.display()
        bench.settle()
        #expect(bench.reports.all.map(\.qos) == [.utility, .userInitiated])
    }
}
