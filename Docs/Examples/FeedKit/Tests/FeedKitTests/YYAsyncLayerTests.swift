import AsyncLayers
import BitmapRendering
import Dispatch
import FeedKit
import Testing

/// It must have the faults that it is compared for, and no others.
@MainActor
@Suite("The layer of YYAsyncLayer (2015)", .timeLimit(.minutes(5)))
struct YYAsyncLayerTests {
    /// Draws with a gate for each pass, and records its calls.
    private final class Delegate: YYAsyncLayerDelegate {
        var events: [String] = []
        var gates: [Gate] = []
        var hasTask = true

        func displayTask(for layer: YYAsyncLayer<BitmapRenderer>) -> YYAsyncLayerTask<BitmapRenderer>? {
            guard hasTask else { return nil }
            let number = gates.count
            let gate = Gate()
            gates.append(gate)
            return YYAsyncLayerTask(
                willDisplay: { self.events.append("\(number) begins") },
                draw: { context, _ in
                    gate.pass()
                    context.fill(with: .color(.black))
                },
                didDisplay: { self.events.append("\(number) ends \($0 ? "shown" : "stale")") },
                stopped: { self.events.append("\(number) stopped \($0)") })
        }
    }

    private let delegate = Delegate()
    private let queues = YYDispatchQueuePool(count: 1)

    private func makeLayer() -> YYAsyncLayer<BitmapRenderer> {
        let layer = YYAsyncLayer(renderer: BitmapRenderer(), queues: queues)
        layer.size = Size(width: 4, height: 3)
        layer.delegate = delegate
        return layer
    }

    /// Yields turns of the main queue until something holds that other threads bring about.
    private func turns(until holds: () -> Bool) async {
        while !holds() {
            await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
        }
    }

    @Test("what is left alone is drawn, and shown in pixels of its scale")
    func drawn() async {
        let layer = makeLayer()
        layer.contentsScale = 2.5
        layer.setNeedsDisplay()
        layer.setNeedsDisplay()
        await turns { delegate.gates.count == 1 }
        delegate.gates[0].open()
        await turns { delegate.events.count == 2 }
        #expect(delegate.events == ["0 begins", "0 ends shown"])
        #expect(layer.contents?.pixelWidth == 10)
        #expect(layer.contents?.pixelHeight == 8)
    }

    @Test("invalidated before each draw is done, it never shows anything")
    func noProgress() async {
        let layer = makeLayer()
        layer.setNeedsDisplay()
        for round in 0..<20 {
            await turns { delegate.gates.count == round + 1 }
            delegate.gates[round].waitForArrivals()
            layer.setNeedsDisplay()
            delegate.gates[round].open()
            #expect(layer.contents == nil)
        }
        await turns { delegate.gates.count == 21 }
        delegate.gates[20].open()
        await turns { layer.contents != nil }
        #expect(delegate.events.count { $0.hasSuffix("stopped drawing") } == 20)
        #expect(delegate.events.count { $0.hasSuffix("ends stale") } == 20)
        #expect(delegate.events.last == "20 ends shown")
    }

    @Test("stale before its turn on the queue, a pass ends without notice")
    func silentEnd() async {
        let held = Gate()
        queues.next().async { held.pass() }
        held.waitForArrivals()
        let layer = makeLayer()
        layer.setNeedsDisplay()
        await turns { delegate.gates.count == 1 }
        layer.setNeedsDisplay()
        await turns { delegate.gates.count == 2 }
        held.open()
        delegate.gates[1].open()
        await turns { layer.contents != nil }
        #expect(
            delegate.events == ["0 begins", "1 begins", "0 stopped waiting", "1 ends shown"],
            "the first pass has no didDisplay")
    }

    @Test("a layer that is released is drawn all the same, since its draw in the queue retains it")
    func heldLayer() async {
        let held = Gate()
        queues.next().async { held.pass() }
        var layer: YYAsyncLayer<BitmapRenderer>? = makeLayer()
        layer?.setNeedsDisplay()
        await turns { delegate.gates.count == 1 }
        weak let abandoned = layer
        layer = nil
        #expect(abandoned != nil)
        held.open()
        delegate.gates[0].open()
        await turns { delegate.events.count == 2 }
        #expect(delegate.events == ["0 begins", "0 ends shown"])
        await turns { abandoned == nil }
    }

    @Test("less than a point wide it is emptied and says so; without a task it is emptied")
    func empty() async {
        let layer = makeLayer()
        layer.setNeedsDisplay()
        await turns { delegate.gates.count == 1 }
        delegate.gates[0].open()
        await turns { layer.contents != nil }
        layer.size.width = 0.9
        layer.setNeedsDisplay()
        await turns { delegate.events.count == 4 }
        #expect(delegate.events.last == "1 ends shown")
        #expect(layer.contents == nil)

        layer.size.width = 4
        layer.setNeedsDisplay()
        await turns { delegate.gates.count == 3 }
        delegate.gates[2].open()
        await turns { layer.contents != nil }
        delegate.hasTask = false
        layer.setNeedsDisplay()
        await turns { layer.contents == nil }
    }

    @Test("opaque layers are filled: white where the background is missing or lets light through")
    func background() async throws {
        let clear = Color(red: 1, green: 0, blue: 0, alpha: 0)
        for (color, expected) in [
            (nil, 255), (.black, 0), (clear, 255),
        ] as [(Color?, UInt8)] {
            let layer = makeLayer()
            let painter = Painter()
            layer.delegate = painter
            layer.isOpaque = true
            layer.backgroundColor = color
            layer.setNeedsDisplay()
            await turns { layer.contents != nil }
            let pixel = try #require(layer.contents)[x: 1, y: 1]
            #expect(pixel == Bitmap.Pixel(red: expected, green: expected, blue: expected, alpha: 255))
        }
    }

    /// Draws nothing at all.
    private final class Eraser: YYAsyncLayerDelegate {
        var events: [String] = []

        func displayTask(for layer: YYAsyncLayer<BitmapRenderer>) -> YYAsyncLayerTask<BitmapRenderer>? {
            YYAsyncLayerTask(
                willDisplay: { self.events.append("begins") }, draw: nil,
                didDisplay: { self.events.append("ends \($0 ? "shown" : "stale")") })
        }
    }

    @Test("a task without a draw closure empties the layer, and its callbacks are called")
    func withoutDraw() async {
        let layer = makeLayer()
        let eraser = Eraser()
        layer.delegate = eraser
        layer.setNeedsDisplay()
        await turns { !eraser.events.isEmpty }
        #expect(eraser.events == ["begins", "ends shown"])
        #expect(layer.contents == nil)
    }

    /// Paints nothing.
    private final class Painter: YYAsyncLayerDelegate {
        func displayTask(for layer: YYAsyncLayer<BitmapRenderer>) -> YYAsyncLayerTask<BitmapRenderer>? {
            YYAsyncLayerTask(draw: { _, _ in })
        }
    }

    @Test(
        "queues are used in turn, one for each core and at most 16",
        arguments: [
            (1, 1), (3, 3), (16, 16), (64, 16), (0, 1),
        ])
    func queues(count: Int, expected: Int) {
        let queues = YYDispatchQueuePool(count: count)
        let labels = (0..<(3 * expected)).map { _ in queues.next().label }
        #expect(Set(labels).count == expected)
        for turn in 0..<(2 * expected) { #expect(labels[turn] == labels[turn + expected]) }
    }
}

/// A door at which draws wait until the test opens it; it stays open. *Thread-safe.*
private final class Gate: Sendable {
    private let opened = DispatchSemaphore(value: 0)
    private let arrivals = DispatchSemaphore(value: 0)

    func pass() {
        arrivals.signal()
        opened.wait()
        opened.signal()
    }

    func open() { opened.signal() }

    func waitForArrivals() { arrivals.wait() }
}
