import QueuePools
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

    init() throws {
        let bench = try LayerBench()
        self.bench = bench
        layers = (0..<3).map { _ in bench.addLayer() }
        group = DisplayGroup(timeLimit: .milliseconds(50), host: bench.host)
        for layer in layers { group.add(layer) }
    }

    var shown: [Bool] { layers.map { $0.contents != nil } }

    func drawNext(_ count: Int = 1) {
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
        group.display { _ in }
        drawNext()
        #expect(shown == [true, false, false])
        bench.settle()
    }

    @Test("what was equal to what is shown appears with the group, though an interim picture came between")
    func unchangedAfterInterim() {
        let layer = layers[0]
        bench.makeTask = { [unowned bench, group] number in
            var task = bench.task { context, _ in
                context.commands.append("draw \(number)")
                if number == 2 { MainActor.assumeIsolated { group.display { _ in } } }
            }
            if number != 2 { task.key = ContentKey(number == 1 ? 3 : number) }
            return task
        }
        layer.display()
        bench.settle()
        layer.display()
        drawNext(3)
        #expect(shown == [true, true, true])
        #expect(
            bench.outcomes == ["committed", "committed in the interim"]
                + Array(repeating: "committed", count: 3))
        #expect(layer.contents?.commands == ["draw 1"])
        #expect(layer.pipeline.display.key != nil)
        bench.settle()
    }

    @Test("a layer whose pass was stale, and that withdraws the next one, delays no other")
    func displayTakenBack() {
        let results = Recorder<DisplayGroupResult>()
        group.display { results.append($0) }
        layers[0].setNeedsDisplay()
        bench.settle()
        #expect(shown == [false, false, false], "the layer's newer picture is waited for")
        layers[0].cancelDisplay()
        #expect(shown == [false, true, true])
        #expect(results.elements == [DisplayGroupResult(together: 2, cancelled: 1)])
    }

    @Test("a layer that is suspended meanwhile delays no other, also if its draw has not stopped yet")
    func suspendedMeanwhile() {
        let results = Recorder<DisplayGroupResult>()
        let layer = layers[0]
        bench.makeTask = { [unowned bench, group] number in
            bench.task { context, _ in
                guard number == 1 else { return }
                // What the main actor does while this pass draws.
                MainActor.assumeIsolated {
                    group.display { results.append($0) }
                    layer.suspend()
                    group.display { results.append($0) }
                }
            }
        }
        layer.display()
        drawNext()
        #expect(results.elements == [DisplayGroupResult(cancelled: 3)], "taken over by the second display")
        bench.settle()
        #expect(results.elements.last == DisplayGroupResult(together: 2, cancelled: 1))
        #expect(results.elements.count == 2)
    }

    @Test("a layer that was drawn synchronously and is suspended meanwhile shows its picture and leaves")
    func suspendedWithSynchronousPicture() {
        let results = Recorder<DisplayGroupResult>()
        layers[0].displaysAsynchronously = false
        group.display { results.append($0) }
        #expect(shown == [false, false, false])
        layers[0].suspend()
        #expect(shown == [true, false, false])
        bench.settle()
        #expect(results.elements == [DisplayGroupResult(together: 2, cancelled: 1)])
    }

    @Test("of two pictures that a layer holds, the older one appears in time if the newer one is cancelled")
    func olderPictureOfTwo() {
        let results = Recorder<DisplayGroupResult>()
        let group = DisplayGroup(timeLimit: .milliseconds(50), host: bench.host)
        group.add(layers[0])
        group.add(layers[1])
        layers[0].displaysAsynchronously = false
        group.display { results.append($0) }
        layers[0].displaysAsynchronously = true
        layers[0].display()
        layers[1].move(to: .utility)  // behind the other
        drawNext(2)  // the first of them has left its place
        layers[0].cancelDisplay()
        #expect(bench.outcomes == ["cancelled while committing"])
        bench.main.advance(by: .milliseconds(50))
        bench.main.runAll()
        #expect(layers[0].contents?.commands == ["draw 1"])
        bench.settle()
        #expect(results.elements == [DisplayGroupResult(together: 1, late: 1)])
    }

    @Test("failed, cancelled, suspended and released layers delay no other")
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
        #expect(results.elements == [DisplayGroupResult(together: 1, failed: 1, cancelled: 1)])
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

    @Test("a group displayed again takes its layers from its earlier display")
    func secondRound() {
        let results = Recorder<DisplayGroupResult>()
        group.display { results.append($0) }
        group.display { results.append($0) }
        #expect(results.elements == [DisplayGroupResult(cancelled: 3)])
        bench.settle()
        #expect(results.elements.last == DisplayGroupResult(together: 3))
    }

    @Test("a layer that another group displays while its pass begins is waited for by that group")
    func takenWhileBeginning() {
        let results = Recorder<DisplayGroupResult>()
        let layer = layers[0]
        let other = DisplayGroup(timeLimit: .milliseconds(50), host: bench.host)
        other.add(layer)
        bench.makeTask = { [unowned bench] number in
            switch number {
            case 1: bench.task(willDisplay: { other.display { results.append($0) } }) { _, _ in }
            // It ends at once, and the layer is to be displayed again.
            case 2: bench.task(willDisplay: { layer.setNeedsDisplay() }, draw: nil)
            default: bench.task { context, _ in context.commands.append("draw \(number)") }
            }
        }
        let group = DisplayGroup(timeLimit: .milliseconds(50), host: bench.host)
        group.add(layer)
        group.display { results.append($0) }
        #expect(results.elements == [DisplayGroupResult(cancelled: 1)])
        bench.transactions.flush()
        bench.settle()
        #expect(layer.contents?.commands == ["draw 3"])
        #expect(results.elements.last == DisplayGroupResult(late: 1))
        #expect(results.elements.count == 2)
    }

    @Test("a layer that leaves one group, and is displayed by a third for that reason, is the third one's")
    func takenWhileTakenOver() {
        let results = Recorder<String>()
        let groups = (0..<3).map { _ in DisplayGroup(timeLimit: .milliseconds(50), host: bench.host) }
        for group in groups { group.add(layers[0]) }
        groups[0].display { result in
            results.append("first: \(result.cancelled) cancelled")
            groups[2].display { results.append("third: \($0.together) together") }
        }
        groups[1].display { results.append("second: \($0.cancelled) cancelled") }
        #expect(results.elements == ["first: 1 cancelled", "second: 1 cancelled"])
        bench.settle()
        #expect(results.elements.last == "third: 1 together")
        #expect(bench.requests == 2)
    }

    @Test("a layer that another group takes while the first one appears waits for that other group")
    func takenWhileAppearing() {
        let other = DisplayGroup(timeLimit: .milliseconds(50), host: bench.host)
        other.add(layers[1])
        other.add(layers[2])
        layers[1].displaysAsynchronously = false
        let group = DisplayGroup(timeLimit: .milliseconds(50), host: bench.host)
        group.add(layers[0])
        group.add(layers[1])
        layers[0].contentsDidChange = { _ in other.display { _ in } }
        group.display { _ in }
        drawNext()
        layers[0].contentsDidChange = nil
        #expect(shown == [true, false, false])
        bench.settle()
        #expect(shown == [true, true, true])
    }

    @Test("an empty group is done at once")
    func empty() async {
        let group = DisplayGroup(host: bench.host)
        #expect(await group.display() == DisplayGroupResult())
    }

    @Test("a group of a subtree has all layers below one, and reports when all are done")
    func subtree() async {
        layers[0].addSublayer(layers[1])
        layers[1].addSublayer(layers[2])
        let group = DisplayGroup(subtree: layers[0], host: bench.host)
        let bench = bench
        bench.main.perform { bench.queue.runAll() }
        Task { @MainActor in bench.main.runAll() }
        #expect(await group.display() == DisplayGroupResult(together: 3))
    }

    @Test("a group releases a member that is removed, and retains none")
    func members() throws {
        weak var pipeline: DisplayPipeline?
        do {
            let layer = AsyncLayer(renderer: RecordingRenderer(), host: bench.host)
            pipeline = layer.pipeline
            group.add(layer)
            #expect(group.prune().count == 4)
        }
        bench.main.runAll()
        #expect(pipeline == nil)
        for _ in 0..<100 { group.add(layers[2]) }
        group.remove(layers[0])
        #expect(
            group.prune().map { ObjectIdentifier($0) } == layers[1...].map { ObjectIdentifier($0.pipeline) }
        )
    }

    @Test("a group of a subtree has the layers from above to below, each once, however deep they lie")
    func deepSubtree() {
        var chain = [AsyncLayer(renderer: RecordingRenderer(), host: bench.host)]
        for _ in 0..<200_000 {
            let superlayer = AsyncLayer(renderer: RecordingRenderer(), host: bench.host)
            superlayer.addSublayer(chain[chain.count - 1])
            chain.append(superlayer)
        }
        chain.reverse()
        let side = AsyncLayer(renderer: RecordingRenderer(), host: bench.host)
        chain[0].addSublayer(side)
        let group = DisplayGroup(subtree: chain[0], host: bench.host)
        group.add(side)
        let expected = (chain + [side]).map { ObjectIdentifier($0.pipeline) }
        #expect(group.prune().map { ObjectIdentifier($0) } == expected)
        chain = []
        bench.main.runAll()
    }
}
