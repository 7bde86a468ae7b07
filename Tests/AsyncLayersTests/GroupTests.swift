import TestSupport
import Testing
import Transactions

@testable import AsyncLayers

@MainActor
@Suite("Layers that appear together", .timeLimit(.minutes(5)))
struct GroupTests {
    let bench: LayerBench
    let layers: [AsyncLayer<RecordingRenderer>]
    let group: DisplayGroup
    let appearances = Recorder<String>()

    init() throws {
        let bench = try LayerBench()
        self.bench = bench
        layers = (0..<3).map { _ in
            let layer = AsyncLayer(renderer: RecordingRenderer(), host: bench.host, cache: bench.cache)
            layer.bounds = bench.layer.bounds
            layer.delegate = bench
            return layer
        }
        group = DisplayGroup(timeLimit: .milliseconds(50), host: bench.host)
        for layer in layers { group.add(layer) }
    }

    private var shown: [Bool] { layers.map { $0.contents != nil } }

    private func drawNext(_ count: Int = 1) {
        for _ in 0..<count { bench.queue.runNext() }
        bench.main.runAll()
    }

    @Test("pictures wait for one another and appear in one step, in the order of the group")
    func together() {
        let results = Recorder<DisplayGroupResult>()
        group.display { results.append($0) }
        drawNext(2)
        #expect(shown == [false, false, false])
        #expect(bench.outcomes.isEmpty)
        drawNext()
        #expect(shown == [true, true, true])
        #expect(results.elements == [DisplayGroupResult(together: 3)])
    }

    @Test("after the time limit what is there appears, and what is late when it comes")
    func timeLimit() {
        let results = Recorder<DisplayGroupResult>()
        group.display { results.append($0) }
        drawNext()
        bench.main.advance(by: .milliseconds(49))
        bench.main.runAll()
        #expect(shown == [false, false, false])
        bench.main.advance(by: .milliseconds(1))
        bench.main.runAll()
        #expect(shown == [true, false, false])
        drawNext()
        #expect(shown == [true, true, false])
        #expect(results.elements.isEmpty)
        drawNext()
        #expect(results.elements == [DisplayGroupResult(together: 1, late: 2)])
    }

    @Test("with no time to wait, pictures appear as they come", arguments: [0, -1])
    func noTime(milliseconds: Int) {
        let group = DisplayGroup(timeLimit: .milliseconds(milliseconds), host: bench.host)
        for layer in layers { group.add(layer) }
        group.display()
        drawNext()
        #expect(shown == [true, false, false])
        bench.settle()
    }

    @Test("failed, cancelled, suspended and dead layers hold nobody up")
    func othersFail() {
        let results = Recorder<DisplayGroupResult>()
        bench.makeTask = { [unowned bench] number in
            bench.task { _, _ in if number == 1 { throw CancellationError() } }
        }
        layers[2].suspend()
        var gone: AsyncLayer<RecordingRenderer>? = AsyncLayer(
            renderer: RecordingRenderer(), host: bench.host)
        group.add(gone!)
        gone = nil
        bench.main.runAll()
        group.display { results.append($0) }
        drawNext()
        #expect(shown == [false, false, false])
        drawNext()
        #expect(shown == [false, true, false])
        #expect(results.elements == [DisplayGroupResult(together: 1, failed: 1, cancelled: 2)])
    }

    @Test("a layer that is displayed again meanwhile appears with the group, with its newer picture")
    func displayedAgain() {
        let results = Recorder<DisplayGroupResult>()
        group.display { results.append($0) }
        drawNext()
        layers[0].setNeedsDisplay()
        layers[1].setNeedsDisplay()
        bench.transactions.flush()
        #expect(bench.outcomes == ["superseded while committing", "superseded while waiting"])
        bench.queue.runAll()
        bench.main.runAll()
        #expect(shown == [true, true, true])
        #expect(layers[0].contents?.commands == ["draw 4"])
        #expect(results.elements == [DisplayGroupResult(together: 3)])
    }

    @Test("cached, empty and synchronous pictures wait for the others too")
    func instantPictures() {
        layers[0].displaysAsynchronously = false
        layers[1].bounds = .zero
        let results = Recorder<DisplayGroupResult>()
        group.display { results.append($0) }
        #expect(shown == [false, false, false])
        #expect(bench.outcomes.isEmpty)
        drawNext()
        #expect(shown == [true, false, true])
        #expect(results.elements == [DisplayGroupResult(together: 3)])
    }

    @Test("a group displayed anew takes its layers from the round before")
    func secondRound() {
        let results = Recorder<DisplayGroupResult>()
        group.display { results.append($0) }
        group.display { results.append($0) }
        #expect(results.elements == [DisplayGroupResult(cancelled: 3)])
        bench.settle()
        #expect(results.elements.last == DisplayGroupResult(together: 3))
    }

    @Test("an empty group is done at once")
    func empty() async {
        let group = DisplayGroup(host: bench.host)
        #expect(await group.display() == DisplayGroupResult())
    }

    @Test("a group of a subtree has all layers below one, and tells when all are done")
    func subtree() async {
        layers[0].addSublayer(layers[1])
        layers[1].addSublayer(layers[2])
        let group = DisplayGroup(subtree: layers[0], host: bench.host)
        let bench = bench
        bench.main.perform { bench.queue.runAll() }
        Task { @MainActor in bench.main.runAll() }
        #expect(await group.display() == DisplayGroupResult(together: 3))
    }
}
