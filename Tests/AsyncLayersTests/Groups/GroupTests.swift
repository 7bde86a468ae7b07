import ManualPools
import QueuePools
import TestSupport
import Testing
import QueuePoolsTransactions

@testable import AsyncLayers

@MainActor
@Suite("Layers that appear together", .timeLimit(.minutes(15)))
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

    func makeGroup(_ members: [Int], timeLimit: Duration = .milliseconds(50)) -> DisplayGroup {
        let group = DisplayGroup(timeLimit: timeLimit, host: bench.host)
        for member in members { group.add(layers[member]) }
        return group
    }

    func drawNext(_ count: Int = 1) {
        for _ in 0..<count { bench.pool.runNext() }
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

    @Test("what is equal to what is shown stays until the group appears: no interim picture comes between")
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
            bench.outcomes == ["committed", "superseded while committing"]
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
        bench.settle()
        #expect(results.elements == Array(repeating: DisplayGroupResult(together: 2, cancelled: 1), count: 2))
    }

    @Test("a layer that was drawn synchronously and is suspended meanwhile leaves, and displays on resume")
    func suspendedWithSynchronousPicture() {
        let results = Recorder<DisplayGroupResult>()
        layers[0].displaysAsynchronously = false
        group.display { results.append($0) }
        #expect(shown == [false, false, false])
        layers[0].suspend()
        bench.settle()
        #expect(shown == [false, true, true])
        #expect(results.elements == [DisplayGroupResult(together: 2, cancelled: 1)])
        layers[0].resume()
        bench.transactions.flush()
        #expect(shown == [true, true, true])
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
        bench.pool.runAll()
        bench.main.runAll()
        #expect(shown == [true, true, true])
        #expect(layers[0].contents?.commands == ["draw 4"])
        #expect(results.elements == [DisplayGroupResult(together: 3)])
    }

    @Test("cached, empty and synchronous pictures wait for the others too")
    func instantPictures() {
        layers[0].displaysAsynchronously = false
        layers[1].size = .zero
        let results = Recorder<DisplayGroupResult>()
        group.display { results.append($0) }
        #expect(shown == [false, false, false])
        #expect(bench.outcomes.isEmpty)
        drawNext()
        #expect(shown == [true, false, true])
        #expect(results.elements == [DisplayGroupResult(together: 3)])
    }

    @Test("a group that is displayed again while it waits is extended")
    func secondRound() {
        let results = Recorder<DisplayGroupResult>()
        group.display { results.append($0) }
        group.display { results.append($0) }
        #expect(results.elements.isEmpty)
        bench.settle()
        #expect(results.elements == Array(repeating: DisplayGroupResult(together: 3), count: 2))
    }

    @Test("groups that share a layer appear together, if nothing was drawn when the second one was displayed")
    func sharedLayer() {
        let results = Recorder<String>()
        let groups = [[0, 1], [1, 2]].map { makeGroup($0) }
        groups[0].display { results.append("first: \($0.together)") }
        groups[1].display { results.append("second: \($0.together)") }
        drawNext(2)
        #expect(shown == [false, false, false], "the first layer does not appear alone")
        drawNext()
        #expect(shown == [true, true, true])
        #expect(results.elements == ["first: 2", "second: 2"])
    }

    @Test("a group that is extended again and again appears after four of its time limits")
    func longestExtension() {
        let results = Recorder<DisplayGroupResult>()
        group.display { results.append($0) }
        let first = layers[0]
        group.remove(first)
        for _ in 0..<5 {
            bench.main.runAll()
            #expect(first.pipeline.member?.display != nil)
            bench.main.advance(by: .milliseconds(39))
            group.display { _ in }
        }
        #expect(bench.main.timerCount == 1)
        bench.main.advance(by: .milliseconds(5))
        bench.main.runAll()
        #expect(first.pipeline.member?.display == nil, "after 200 ms")
        drawNext()
        #expect(shown == [true, false, false])
        bench.settle()
        #expect(results.elements == [DisplayGroupResult(late: 3)])
    }

    @Test("a group that has appeared leaves no timer behind")
    func timers() {
        for _ in 0..<100 {
            group.display { _ in }
            bench.settle()
        }
        #expect(bench.main.timerCount == 0)
    }

    @Test("suspending a group suspends all of its layers, and resuming it displays them")
    func suspendedGroup() {
        let results = Recorder<DisplayGroupResult>()
        group.display { results.append($0) }
        group.suspend()
        #expect(layers.allSatisfy { $0.isSuspended })
        bench.settle()
        #expect(shown == [false, false, false])
        #expect(results.elements == [DisplayGroupResult(cancelled: 3)])
        group.resume()
        bench.transactions.flush()
        bench.settle()
        #expect(shown == [true, true, true])
    }

    @Test("a layer that another group displays while its pass begins is waited for by both")
    func takenWhileBeginning() {
        let results = Recorder<DisplayGroupResult>()
        let layer = layers[0]
        let other = DisplayGroup(timeLimit: .milliseconds(50), host: bench.host)
        other.add(layer)
        bench.makeTask = { [unowned bench] number in
            switch number {
            case 1: bench.task(onStart: { other.display { results.append($0) } }) { _, _ in }
            // It ends at once, and the layer is to be displayed again.
            case 2: bench.task(onStart: { layer.setNeedsDisplay() }, draw: nil)
            default: bench.task { context, _ in context.commands.append("draw \(number)") }
            }
        }
        let group = DisplayGroup(timeLimit: .milliseconds(50), host: bench.host)
        group.add(layer)
        group.display { results.append($0) }
        #expect(results.elements.isEmpty)
        bench.settleTurns()
        #expect(layer.contents?.commands == ["draw 3"])
        #expect(results.elements == Array(repeating: DisplayGroupResult(together: 1), count: 2))
    }

    @Test("the callback of a group may display its layers in another one")
    func takenWhileTakenOver() {
        let results = Recorder<String>()
        let groups = (0..<3).map { _ in DisplayGroup(timeLimit: .milliseconds(50), host: bench.host) }
        for group in groups { group.add(layers[0]) }
        groups[0].display { result in
            results.append("first: \(result.together) together")
            groups[2].display { results.append("third: \($0.together) together") }
        }
        groups[1].display { results.append("second: \($0.together) together") }
        for _ in 0..<2 { bench.settle() }
        #expect(results.elements == ["first: 1 together", "second: 1 together", "third: 1 together"])
        #expect(bench.requests == 3)
    }

    @Test("a layer that a callback displays in another group has appeared with the first one")
    func takenWhileAppearing() {
        let other = DisplayGroup(timeLimit: .milliseconds(50), host: bench.host)
        other.add(layers[1])
        other.add(layers[2])
        layers[1].displaysAsynchronously = false
        let group = DisplayGroup(timeLimit: .milliseconds(50), host: bench.host)
        group.add(layers[0])
        group.add(layers[1])
        layers[0].onContentsChange = { _ in other.display { _ in } }
        group.display { _ in }
        drawNext()
        layers[0].onContentsChange = nil
        #expect(shown == [true, true, false])
        bench.settle()
        #expect(shown == [true, true, true])
    }

    @Test("an empty group is done at once")
    func empty() async {
        let group = DisplayGroup(host: bench.host)
        #expect(await group.display() == DisplayGroupResult())
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
}
