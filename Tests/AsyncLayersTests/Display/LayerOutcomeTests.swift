import ManualPools
import QueuePools
import TestSupport
import Testing
import QueuePoolsTransactions

@testable import AsyncLayers

@MainActor
@Suite("A pass's outcome", .timeLimit(.minutes(15)))
struct LayerOutcomeTests {
    let bench: LayerBench
    var layer: AsyncLayer<RecordingRenderer> { bench.layer }

    init() throws { bench = try LayerBench() }

    @Test("a superseded draw that waits reports its outcome once, at once, and never runs")
    func supersededWaiting() {
        layer.display()
        layer.display()
        #expect(bench.outcomes == ["superseded while waiting"])
        bench.settle()
        #expect(bench.outcomes == ["superseded while waiting", "committed"])
        #expect(layer.contents?.commands == ["draw 2"])
    }

    @Test("a draw superseded while it draws makes no picture")
    func supersededDrawing() {
        bench.makeTask = { [unowned bench] number in
            bench.task { [layer = bench.layer!, main = bench.main] context, scope in
                main.advance(by: .milliseconds(10))
                context.commands.append("draw \(number)")
                guard number == 2 else { return }
                MainActor.assumeIsolated { layer.display() }
                #expect(scope.isCancelled)
            }
        }
        layer.display()
        bench.settle()
        bench.main.advance(by: .seconds(1))
        layer.display()
        bench.pool.runNext()
        bench.main.runAll()
        #expect(bench.outcomes == ["committed", "superseded while drawing"])
        #expect(layer.contents?.commands == ["draw 1"])
        bench.settle()
        #expect(layer.contents?.commands == ["draw 3"])
    }

    @Test("a finished picture that became stale on its way to the main actor is shown")
    func staleOnItsWay() {
        bench.makeTask = { [unowned bench] number in
            bench.task { [main = bench.main] context, _ in
                main.advance(by: .milliseconds(10))
                context.commands.append("draw \(number)")
            }
        }
        layer.display()
        bench.settle()
        bench.main.advance(by: .seconds(1))
        layer.display()
        bench.pool.runAll()
        layer.display()
        bench.main.runAll()
        #expect(bench.outcomes == ["committed", "committed in the interim"])
        #expect(layer.contents?.commands == ["draw 2"])
        bench.settle()
        #expect(layer.contents?.commands == ["draw 3"])
    }

    @Test("a finished picture that was cancelled on its way to the main actor is not shown")
    func cancelledOnItsWay() {
        layer.display()
        bench.pool.runAll()
        layer.cancelDisplay()
        bench.main.runAll()
        #expect(bench.outcomes == ["cancelled while committing"])
        #expect(layer.contents == nil)
    }

    @Test("of two passes that finish in the wrong order only the newer is shown")
    func monotonic() {
        layer.display()
        bench.pool.runAll()  // the first pass's picture is on its way
        layer.displaysAsynchronously = false
        layer.display()
        bench.main.runAll()
        #expect(bench.outcomes == ["committed", "superseded while committing"])
        #expect(layer.contents?.commands == ["draw 2"])
    }

    @Test("cancelling reports each stage as cancelled and keeps the contents")
    func cancelled() {
        layer.display()
        bench.settle()

        layer.display()
        layer.cancelDisplay()
        #expect(bench.outcomes.last == "cancelled while waiting")

        layer.display()
        bench.pool.runAll()
        layer.cancelDisplay()
        bench.main.runAll()
        #expect(bench.outcomes.last == "cancelled while committing")

        layer.setNeedsDisplay()
        layer.cancelDisplay()
        bench.transactions.flush()
        bench.settle()
        #expect(bench.requests == 3, "the request was withdrawn")
        #expect(bench.outcomes.count == 3)
        #expect(layer.contents?.commands == ["draw 1"])
    }

    @Test("without a delegate, a task or a draw closure the layer becomes empty", arguments: [true, false])
    func nothingToDraw(asynchronous: Bool) {
        layer.displaysAsynchronously = asynchronous
        func fill() {
            bench.makeTask = { [unowned bench] _ in bench.task { _, _ in } }
            layer.display()
            bench.settle()
            #expect(layer.contents != nil)
        }
        fill()
        bench.makeTask = { [unowned bench] _ in bench.task(draw: nil) }
        layer.display()
        #expect(layer.contents == nil)
        #expect(bench.log.elements.suffix(2) == ["will", "did committed"])
        fill()
        bench.makeTask = { _ in nil }
        layer.display()
        #expect(layer.contents == nil)
        fill()
        layer.delegate = nil
        layer.display()
        #expect(layer.contents == nil)
    }

    @Test(
        "under one pixel wide or high a layer becomes empty, in both modes, at any scale",
        arguments: [true, false], [(0, 0, 1), (0, 10, 1), (10, 0, 3), (0.4, 10, 2), (10, 0.99, 1)])
    func underOnePixel(asynchronous: Bool, size: (Double, Double, Double)) {
        layer.displaysAsynchronously = asynchronous
        layer.display()
        bench.settle()
        #expect(layer.contents != nil)
        layer.size = Size(width: size.0, height: size.1)
        layer.contentsScale = size.2
        layer.display()
        #expect(layer.contents == nil)
        #expect(bench.log.elements.suffix(2) == ["will", "did committed"])
    }

    @Test("half a point is a pixel at scale 2, in both modes", arguments: [true, false])
    func halfAPoint(asynchronous: Bool) {
        layer.displaysAsynchronously = asynchronous
        layer.size = Size(width: 0.5, height: 0.75)
        layer.contentsScale = 2
        layer.display()
        bench.settle()
        #expect(layer.contents?.description.pixelWidth == 1)
        #expect(layer.contents?.description.pixelHeight == 2)
    }

    nonisolated static let impossible: [(Size, Double, String)] = [
        (Size(width: .nan, height: 1), 1, "size must be finite and not negative; it is nan × 1.0"),
        (Size(width: 1, height: .infinity), 1, "size must be finite and not negative; it is 1.0 × inf"),
        (Size(width: -.infinity, height: 1), 1, "size must be finite and not negative; it is -inf"),
        (Size(width: -1, height: 5), 1, "size must be finite and not negative; it is -1.0 × 5.0"),
        (Size(width: 1e9, height: 1e9), 1, "beyond the limit of 16777216 pixels a side"),
        (Size(width: 1e300, height: 1e300), 1e300, "inf × inf pixels is beyond the limit"),
        (Size(width: 16_000_000, height: 16_000_000), 1, "would take 1024000000000000 bytes"),
        (
            Size(width: 100_000, height: 100_000), 1,
            "would take 40000000000 bytes; the limit of its layer and its host is 536870912"
        ),
        (Size(width: 1, height: 1), 0, "scale must be finite and above zero; it is 0.0"),
        (Size(width: 1, height: 1), -2, "scale must be finite and above zero; it is -2.0"),
        (Size(width: 1, height: 1), .nan, "scale must be finite and above zero; it is nan"),
        (Size(width: 1, height: 1), .infinity, "scale must be finite and above zero; it is inf"),
    ]

    @Test(
        "an impossible size or scale fails with the reason, takes no memory, and keeps the contents",
        arguments: impossible, [true, false])
    func impossibleSizes(example: (size: Size, scale: Double, reason: String), asynchronous: Bool) throws {
        let renderer = RecordingRenderer()
        let bench = try LayerBench(renderer: renderer)
        bench.layer.displaysAsynchronously = asynchronous
        bench.layer.display()
        bench.settle()
        bench.layer.size = example.size
        bench.layer.contentsScale = example.scale
        bench.layer.display()
        bench.settle()
        let outcome = try #require(bench.outcomes.last)
        #expect(outcome.hasPrefix("failed: "))
        #expect(outcome.contains(example.reason))
        #expect(renderer.contextsMade.value == 1)
        #expect(bench.layer.contents?.commands == ["draw 1"])
    }

    @Test("a layer's own byte limit is kept, and a negative one allows nothing")
    func byteLimit() {
        layer.contextByteLimit = 10 * 20 * 4
        layer.display()
        bench.settle()
        layer.contextByteLimit -= 1
        layer.display()
        layer.contextByteLimit = -1
        layer.display()
        #expect(
            bench.outcomes == [
                "committed",
                "failed: the drawing would take 800 bytes; the limit of its layer and its host is 799",
                "failed: the drawing would take 800 bytes; the limit of its layer and its host is -1",
            ])
    }

    struct Mistake: Error, Equatable { let number: Int }

    @Test(
        "a draw closure that throws fails with that error and keeps the contents", arguments: [true, false])
    func throwingDraw(asynchronous: Bool) {
        layer.displaysAsynchronously = asynchronous
        layer.display()
        bench.settle()
        let caught = Recorder<Mistake>()
        bench.makeTask = { _ in
            DisplayTask(
                onEnd: { outcome in
                    if case .failed(let error as Mistake) = outcome { caught.append(error) }
                },
                draw: { _, _ in throw Mistake(number: 7) })
        }
        layer.display()
        bench.settle()
        #expect(caught.elements == [Mistake(number: 7)])
        #expect(layer.contents?.commands == ["draw 1"])
    }

    @Test(
        "a renderer that fails to make a context or a picture fails the pass",
        arguments: ["context", "contents"])
    func failingRenderer(step: String) throws {
        var renderer = RecordingRenderer()
        renderer.failingStep = step
        let bench = try LayerBench(renderer: renderer)
        bench.layer.display()
        bench.settle()
        #expect(bench.outcomes == ["failed: Failure(step: \"\(step)\")"])
    }

    @Test("a stopped draw that throws CancellationError is cancelled; one that is not stopped fails with it")
    func cancellationErrors() {
        bench.makeTask = { [unowned bench] number in
            bench.task { [layer = bench.layer!] _, scope in
                if number == 1 { MainActor.assumeIsolated { layer.cancelDisplay() } }
                try scope.checkCancellation()
                throw CancellationError()
            }
        }
        layer.display()
        bench.settle()
        layer.display()
        bench.settle()
        #expect(bench.outcomes == ["cancelled while drawing", "failed: CancellationError()"])
    }

    @Test("after the pool was shut down a pass fails and says so")
    func poolShutDown() async throws {
        try await bench.pool.shutdown()
        layer.display()
        bench.settle()
        #expect(bench.outcomes == ["failed: the pool \"bench\" has been shut down and accepts no more work"])
    }

    @Test("old contents stay until the new ones are there")
    func noFlash() {
        layer.display()
        bench.settle()
        let old = layer.contents
        layer.setNeedsDisplay()
        #expect(layer.contents === old)
        bench.transactions.flush()
        #expect(layer.contents === old)
        bench.pool.runAll()
        #expect(layer.contents === old)
        bench.main.runAll()
        #expect(layer.contents !== old)
        #expect(layer.contents?.commands == ["draw 2"])
    }

    @Test(
        "a background is filled once, over white if it is translucent, and only if it is a color",
        arguments: [
            (.opaque(), ["fill 1.0,1.0,1.0,1.0"]),
            (.opaque(.black), ["fill 0.0,0.0,0.0,1.0"]),
            (.opaque(Color(white: 0, alpha: 0.5)), ["fill 1.0,1.0,1.0,1.0", "fill 0.0,0.0,0.0,0.5"]),
            (.opaque(Color(white: 0, alpha: .nan)), ["fill 1.0,1.0,1.0,1.0", "fill 0.0,0.0,0.0,nan"]),
            (.leftToDraw, []),
            (.clear, []),
        ] as [(Background, [String])])
    func background(background: Background, fills: [String]) {
        layer.background = background
        layer.contentsScale = 3
        layer.display()
        bench.settle()
        #expect(layer.contents?.commands == fills + ["draw 1"])
        #expect(layer.contents?.description.isOpaque == (background != .clear))
    }

    @Test("a background is read as it was set, whatever it was before")
    func backgroundProperty() {
        let backgrounds: [Background] = [
            .clear, .opaque(), .opaque(.black), .opaque(Color(white: 0.5, alpha: 0.5)), .leftToDraw,
        ]
        #expect(layer.background == .clear)
        for former in backgrounds {
            for background in backgrounds {
                layer.background = former
                layer.background = background
                #expect(layer.background == background)
                #expect(layer.background.isOpaque == (background != .clear))
            }
        }
        layer.background = .opaque(.black)
        layer.draft = 0.5
        layer.background = .clear
        #expect(layer.draft == 0.5)
    }
}
