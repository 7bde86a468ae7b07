import ManualPools
import QueuePools
import QueuePoolsSentinels
import TestSupport
import Testing
import QueuePoolsTransactions

@testable import AsyncLayers

@MainActor
@Suite("A layer's flow", .timeLimit(.minutes(15)))
struct LayerFlowTests {
    let bench: LayerBench
    var layer: AsyncLayer<RecordingRenderer> { bench.layer }

    init() throws { bench = try LayerBench() }

    @Test("from a property change to contents: commit, end of turn, task, draw, contents")
    func wholeFlow() {
        Transaction(bench, "text changed") { $0.layer.setNeedsDisplay() }.commit(to: bench.transactions)
        #expect(bench.requests == 0)
        bench.transactions.flush()
        bench.transactions.flush()
        #expect(bench.log.elements == ["will"])
        #expect(layer.contents == nil)
        bench.pool.runAll()
        #expect(layer.contents == nil, "the picture waits for the main actor")
        bench.main.runAll()
        #expect(layer.contents?.commands == ["draw 1"])
        #expect(bench.log.elements == ["will", "did committed"])
    }

    @Test("a layer draws asynchronously by default")
    func asynchronousByDefault() {
        #expect(layer.displaysAsynchronously)
        #expect(layer.contentsScale == 1)
        #expect(layer.background == .clear)
    }

    @Test("ten setNeedsDisplay in one turn draw once")
    func coalesced() {
        for _ in 0..<10 { layer.setNeedsDisplay() }
        bench.transactions.flush()
        bench.settle()
        #expect(bench.requests == 1)
        #expect(bench.outcomes == ["committed"])
        bench.transactions.flush()
        #expect(bench.requests == 1, "nothing is left for the next turn")
    }

    @Test("ten display draw ten times synchronously, and are ten passes with an outcome each asynchronously")
    func tenDisplays() {
        layer.displaysAsynchronously = false
        for _ in 0..<10 { layer.display() }
        #expect(bench.outcomes == Array(repeating: "committed", count: 10))
        #expect(layer.contents?.commands == ["draw 10"])

        layer.displaysAsynchronously = true
        for _ in 0..<10 { layer.display() }
        bench.settle()
        #expect(bench.requests == 20)
        #expect(
            Array(bench.outcomes.dropFirst(10)) == Array(repeating: "superseded while waiting", count: 9) + [
                "committed"
            ])
        #expect(layer.contents?.commands == ["draw 20"])
    }

    @Test("setNeedsDisplay, from any thread, has what waits replaced at the end of the turn")
    func invalidationReplacesWhatWaits() async {
        layer.display()
        await Task.detached { [layer] in layer.setNeedsDisplay() }.value
        #expect(bench.outcomes == [])
        bench.transactions.flush()
        #expect(bench.outcomes == ["superseded while waiting"])
        bench.settle()
        #expect(bench.outcomes == ["superseded while waiting", "committed"])
    }

    @Test("displaying by hand satisfies an earlier setNeedsDisplay, and not a later one")
    func displayClearsTheMark() {
        layer.setNeedsDisplay()
        layer.display()
        bench.transactions.flush()
        #expect(bench.requests == 1)
        layer.setNeedsDisplay()
        bench.transactions.flush()
        #expect(bench.requests == 2)
        bench.settle()
    }

    @Test("what onStart invalidates does not count against its own pass")
    func invalidationInWillDisplay() {
        bench.makeTask = { [unowned bench] number in
            bench.task(
                onStart: { if number == 1 { bench.layer.setNeedsDisplay() } },
                draw: { context, _ in context.commands.append("draw \(number)") })
        }
        layer.display()
        bench.settle()
        #expect(bench.outcomes == ["committed in the interim"])
        bench.transactions.flush()
        bench.settle()
        #expect(
            bench.outcomes == ["committed in the interim", "committed"], "and is displayed in the next turn")
    }

    @Test("a cancellation in onStart does not stop its own pass, which has not begun")
    func cancellationInWillDisplay() {
        bench.makeTask = { [unowned bench] _ in
            bench.task(
                onStart: { bench.layer.cancelDisplay() },
                draw: { context, _ in context.commands.append("drawn") })
        }
        layer.display()
        bench.settle()
        #expect(bench.outcomes == ["committed"] && layer.contents?.commands == ["drawn"])
    }

    @Test(
        "a layer that onStart displays again is displayed in the next turn, and this pass is drawn",
        arguments: [true, false])
    func displayInWillDisplay(asynchronous: Bool) {
        layer.displaysAsynchronously = asynchronous
        bench.makeTask = { [unowned bench] number in
            bench.task(
                onStart: { if number == 1 { bench.layer.display() } },
                draw: { context, _ in context.commands.append("draw \(number)") })
        }
        layer.display()
        bench.settle()
        #expect(bench.outcomes == ["committed in the interim"])
        #expect(layer.contents?.commands == ["draw 1"])
        bench.settleTurns()
        #expect(bench.outcomes == ["committed in the interim", "committed"])
        #expect(layer.contents?.commands == ["draw 2"])
    }

    @Test("displaying again while a superseded pass is reported leaves the newest pass standing")
    func displayWhileReporting() {
        bench.makeTask = { [unowned bench] number in
            var task = bench.task { context, _ in context.commands.append("draw \(number)") }
            let report = task.onEnd
            task.onEnd = { outcome in
                report?(outcome)
                if number == 1 { bench.layer.display() }
            }
            return task
        }
        layer.display()
        layer.display()  // ends pass 1, whose report begins pass 3, while pass 2 is still beginning
        bench.settle()
        #expect(bench.outcomes == ["superseded while waiting", "superseded while waiting", "committed"])
        #expect(layer.contents?.commands == ["draw 3"])
    }

    @Test("size, scale, opacity and background are read after onStart")
    func propertiesAfterWillDisplay() throws {
        bench.makeTask = { [unowned bench] _ in
            bench.task(
                onStart: {
                    bench.layer.size = Size(width: 30, height: 40)
                    bench.layer.contentsScale = 2
                    bench.layer.background = .opaque(.black)
                },
                draw: { context, scope in
                    context.commands.append("\(scope.size.width)x\(scope.size.height)@\(scope.scale)")
                    context.commands.append("opaque \(scope.isOpaque)")
                    context.commands.append("bounds \(scope.bounds)")
                })
        }
        layer.display()
        layer.size = .zero
        bench.settle()
        let contents = try #require(layer.contents)
        #expect(
            contents.description
                == ContextDescription(pixelWidth: 60, pixelHeight: 80, scale: 2, isOpaque: true))
        #expect(
            contents.commands == [
                "fill 0.0,0.0,0.0,1.0", "30.0x40.0@2.0", "opaque true", "bounds (0.0, 0.0), 30.0 × 40.0",
            ])
    }

    @Test("a layer that moves to another screen draws at that screen's scale")
    func scaleIsReadEachTime() {
        for scale in [1.0, 2.0, 1.5] {
            layer.contentsScale = scale
            layer.display()
            bench.settle()
            #expect(layer.contents?.description.pixelWidth == Int(10 * scale))
            #expect(layer.contents?.description.scale == scale)
        }
    }

    @Test("a synchronous pass draws, though one that it stops begins a newer one")
    func synchronousBesideNewer() {
        bench.makeTask = { [unowned bench] number in
            DisplayTask(
                onEnd: { [unowned bench] outcome in
                    bench.log.append("did \(outcome)")
                    guard number == 1 else { return }
                    bench.layer.displaysAsynchronously = true
                    bench.layer.display()
                }, draw: { context, _ in context.commands.append("draw \(number)") })
        }
        layer.display()
        layer.displaysAsynchronously = false
        layer.display()
        #expect(layer.contents?.commands == ["draw 2"])
        bench.settle()
        #expect(layer.contents?.commands == ["draw 3"])
        #expect(bench.outcomes == ["superseded while waiting", "committed", "committed"])
    }

    @Test(
        "a synchronous pass draws before display returns, is never cancelled, and supersedes draws in flight")
    func synchronous() {
        layer.display()
        layer.displaysAsynchronously = false
        bench.makeTask = { [unowned bench] _ in
            bench.task { [layer = bench.layer!] context, scope in
                layer.setNeedsDisplay()
                context.commands.append("cancelled \(scope.isCancelled)")
            }
        }
        layer.display()
        #expect(layer.contents?.commands == ["cancelled false"])
        bench.settle()
        #expect(bench.outcomes == ["superseded while waiting", "committed in the interim"])
        #expect(layer.contents?.commands == ["cancelled false"], "the older draw does not replace the newer")
    }

    @Test("a pass begun while reporting another is a pass like any other")
    func displayInDidDisplay() {
        bench.makeTask = { [unowned bench] number in
            var task = bench.task { context, _ in context.commands.append("draw \(number)") }
            if number == 1 {
                let report = task.onEnd
                task.onEnd = { outcome in
                    report?(outcome)
                    bench.layer.display()
                }
            }
            return task
        }
        layer.display()
        bench.settle()
        bench.settle()
        #expect(bench.outcomes == ["committed", "committed"])
        #expect(layer.contents?.commands == ["draw 2"])
    }

    @Test(
        "on a real pool and the main queue, pictures are drawn off the main actor and committed on it",
        arguments: PoolKind.allCases)
    func realPool(kind: PoolKind) async throws {
        let pool = try kind.pool("real", .exactly(2))
        let layer = AsyncLayer(renderer: RecordingRenderer(), host: DisplayHost(pool: pool))
        layer.size = Size(width: 4, height: 4)
        layer.delegate = bench
        for number in 1...20 {
            let outcome = await withCheckedContinuation { continuation in
                bench.makeTask = { _ in
                    DisplayTask(
                        onEnd: {
                            precondition(isOnMainQueue())
                            continuation.resume(returning: $0.description)
                        },
                        draw: { context, _ in context.commands.append("\(number) on main: \(isOnMainQueue())")
                        })
                }
                layer.setNeedsDisplay()
            }
            #expect(outcome == "committed")
            #expect(layer.contents?.commands == ["\(number) on main: false"])
        }
        try await pool.shutdown()
    }
}
