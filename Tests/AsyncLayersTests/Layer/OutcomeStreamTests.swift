import TestSupport
import Testing

@testable import AsyncLayers

@MainActor
@Suite("The outcomes of a layer's passes, as a stream", .timeLimit(.minutes(15)))
struct OutcomeStreamTests {
    let bench: LayerBench
    var layer: AsyncLayer<RecordingRenderer> { bench.layer }

    init() throws { bench = try LayerBench() }

    @Test("streams have every outcome from their making on")
    func outcomes() async {
        layer.display()
        bench.settle()
        var first = layer.outcomes().makeAsyncIterator()
        layer.display()
        layer.display()
        bench.settle()
        #expect(await first.next()?.description == "superseded while waiting")
        #expect(await first.next()?.description == "committed")
    }

    @Test(
        "a stream has outcomes in the order in which passes end, also of those that end within a callback")
    func orderOfOutcomes() async {
        var outcomes = layer.outcomes().makeAsyncIterator()
        let layer = layer
        bench.makeTask = { number in
            DisplayTask(
                onEnd: { _ in
                    guard number == 1 else { return }
                    layer.contentsScale = 1
                    layer.displaysAsynchronously = false
                    layer.display()
                }, draw: { _, _ in })
        }
        layer.contentsScale = -1
        layer.display()
        #expect(await outcomes.next()?.description == "failed: \(DisplayError.invalidScale(-1))")
        #expect(await outcomes.next()?.description == "committed")
    }

    @Test("a stream has the outcome of the pass whose picture is the layer's last")
    func outcomeOfReleased() async {
        var last: AsyncLayer<RecordingRenderer>? = bench.newLayer()
        let stream = last?.outcomes()
        last?.onContentsChange = { [bench] _ in
            last = nil
            bench.main.runAll()
        }
        last?.display()
        for _ in 0..<2 { bench.settle() }
        var outcomes: [String] = []
        for await outcome in stream.unsafelyUnwrapped { outcomes.append("\(outcome)") }
        #expect(outcomes == ["committed"])
    }

    @Test("streams end with the layer in the order in which they were made, also if some have left")
    func orderOfStreams() {
        let (observers, order) = (LayerObservers(), Recorder<UInt64>())
        let streams = (1...40 as ClosedRange<UInt64>).map { id in
            let (stream, continuation) = AsyncStream.makeStream(of: DisplayOutcome.self)
            continuation.onTermination = { _ in order.append(id) }
            observers.add(continuation, id)
            return stream
        }
        for id in [1, 20, 40] as [UInt64] { observers.removeStream(id) }
        withExtendedLifetime(streams) {
            observers.finish()
            // A stream that was removed ends when it is released.
            #expect(order.elements == (2...39).filter { $0 != 20 })
        }
    }

    @Test("each of many streams that end costs what each of few costs")
    func manyStreams() async {
        let isLinear = await isLinear { count in
            let observers = LayerObservers()
            for id in 1...count {
                observers.add(AsyncStream.makeStream(of: DisplayOutcome.self).continuation, id)
            }
            return ContinuousClock().measure { for id in 1...count { observers.removeStream(id) } }
        }
        #expect(isLinear)
    }
}
