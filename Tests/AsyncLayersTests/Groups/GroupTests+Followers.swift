import ManualPools
import QueuePools
import QueuePoolsTransactions
import TestSupport
import Testing

@testable import AsyncLayers

/// Displays that come when one that has a layer in common with them is being drawn.
extension GroupTests {
    private var texts: [String?] { layers.map { $0.contents?.commands.last } }

    @Test("a storm of displays shows pictures at the rate at which the group can be drawn, never a part")
    func storm() {
        let results = Recorder<DisplayGroupResult>()
        let group = makeGroup([0, 1, 2], timeLimit: .seconds(3_600))
        let shown = Recorder<[String?]>()
        for _ in 0..<90 {
            group.display { results.append($0) }
            drawNext()
            if shown.elements.last != texts { shown.append(texts) }
        }
        // Three draws for each, and none of them was wasted. Before the first, nothing is shown.
        #expect(shown.elements.count == 31)
        #expect(shown.elements.dropFirst().allSatisfy { !$0.contains(nil) })
        #expect(bench.host.metrics.snapshot().wastedDraws == 0)
        bench.settle()
        #expect(results.elements == Array(repeating: DisplayGroupResult(together: 3), count: 90))
        let newest = (bench.requests - 2...bench.requests).map { "draw \($0)" }
        #expect(texts == newest, "the newest are shown at rest")
    }

    @Test("displays that follow one begin when it has appeared, and appear together")
    func followersAppearTogether() {
        let results = Recorder<String>()
        makeGroup([0, 1]).display { results.append("first: \($0.together)") }
        drawNext()
        makeGroup([1, 2]).display { results.append("second: \($0.together)") }
        makeGroup([2, 0]).display { results.append("third: \($0.together)") }
        #expect(bench.requests == 2)
        drawNext()
        #expect(texts == ["draw 1", "draw 2", nil])
        #expect(bench.outcomes == ["committed in the interim", "committed in the interim"])
        #expect(results.elements == ["first: 2"])
        drawNext(2)
        #expect(texts == ["draw 1", "draw 2", nil])
        drawNext()
        #expect(texts == ["draw 5", "draw 3", "draw 4"])
        #expect(results.elements == ["first: 2", "second: 2", "third: 2"])
    }

    @Test("a display that shares layers with two that are drawn follows the first, and joins the other then")
    func followsTwo() {
        let late = bench.addLayer()
        let others = makeGroup([2])
        others.add(late)
        makeGroup([0, 1]).display { _ in }
        drawNext()
        others.display { _ in }
        let results = Recorder<DisplayGroupResult>()
        makeGroup([1, 2]).display { results.append($0) }
        drawNext(2)
        #expect(shown == [true, true, false] && bench.requests == 6)
        drawNext(2)
        #expect(texts == ["draw 1", "draw 2", nil] && late.contents == nil)
        drawNext()
        #expect(texts == ["draw 1", "draw 5", "draw 6"] && late.contents != nil)
        bench.settle()
        #expect(bench.requests == 6)
        #expect(results.elements == [DisplayGroupResult(together: 2)])
    }

    @Test(
        "a display begins, whenever during the call the one that it would follow appears", arguments: 0..<12)
    func appearsDuringCall(looks: Int) {
        let results = Recorder<String>()
        let group = makeGroup([0, 1, 2])
        group.display { _ in results.append("first") }
        drawNext()
        bench.main.advance(by: .milliseconds(50) - .microseconds(looks))
        bench.main.setTick(.microseconds(1))
        group.display { _ in results.append("second") }
        bench.main.setTick(.zero)
        bench.settleTurns()
        #expect(results.elements == ["first", "second"])
        #expect(layers.allSatisfy { $0.contents != nil })
    }

    @Test("followers of two displays that have become one begin when the first of these appears")
    func mergedFollowers() {
        let results = Recorder<String>()
        let extra = (0..<4).map { _ in bench.addLayer() }
        func display(_ members: [Int], _ others: [AsyncLayer<RecordingRenderer>], _ name: String) {
            let group = makeGroup(members, timeLimit: .seconds(3_600))
            for layer in others { group.add(layer) }
            group.display { _ in results.append(name) }
        }
        display([0], [extra[0]], "one")
        drawNext()
        // Goes before the other layer of the first.
        bench.makeTask = { number in
            DisplayTask(qos: .userInteractive) { context, _ in context.commands.append("draw \(number)") }
        }
        display([1], [extra[1]], "two")
        drawNext()
        display([0], [extra[2]], "three")
        display([1], [extra[3]], "four")
        display([], [extra[2], extra[3]], "five")
        #expect(bench.requests == 4)
        drawNext()
        #expect(results.elements == ["two"])
        #expect(bench.requests == 8)
        bench.settleTurns()
        #expect(results.elements.count == 5 && Set(results.elements).count == 5)
    }

    @Test("a layer that fails while a newer display of it follows leaves only the display that has begun")
    func failsBeforeFollower() {
        struct OutOfInk: Error {}
        let results = Recorder<DisplayGroupResult>()
        bench.makeTask = { number in
            DisplayTask { context, _ in
                if number == 2 { throw OutOfInk() }
                context.commands.append("draw \(number)")
            }
        }
        let group = makeGroup([0, 1], timeLimit: .seconds(3_600))
        group.display { results.append($0) }
        drawNext()
        group.display { results.append($0) }
        layers[1].setNeedsDisplay()
        drawNext()
        bench.transactions.flush()
        #expect(bench.requests == 4, "the display that follows draws the edit")
        #expect(texts == ["draw 1", nil, nil])
        #expect(results.elements == [DisplayGroupResult(together: 1, failed: 1)])
        drawNext(2)
        #expect(texts == ["draw 3", "draw 4", nil])
        #expect(results.elements.last == DisplayGroupResult(together: 2))
    }

    @Test("a picture that waits appears although its layer is invalidated, if a newer display of it follows")
    func invalidatedWhileFollowed() {
        let group = makeGroup([0, 1], timeLimit: .seconds(3_600))
        group.display { _ in }
        drawNext()
        group.display { _ in }
        layers[0].setNeedsDisplay()
        drawNext()
        #expect(texts == ["draw 1", "draw 2", nil])
        #expect(bench.outcomes == ["committed in the interim", "committed in the interim"])
        layers[0].setNeedsDisplay()
        bench.settleTurns()
        #expect(texts == ["draw 5", "draw 4", nil])
    }

    @Test("a display that is requested while layers of another one are asked for their tasks joins that")
    func displayedWhileAsked() {
        let results = Recorder<DisplayGroupResult>()
        let another = makeGroup([1, 2])
        layers[1].display()
        bench.pool.runNext()
        bench.makeTask = { number in
            if number == 2 { another.display { results.append($0) } }
            return DisplayTask { context, _ in context.commands.append("draw \(number)") }
        }
        makeGroup([0, 1]).display { results.append($0) }
        for _ in 0..<3 where shown == [false, false, false] { drawNext() }
        #expect(texts == ["draw 2", "draw 5", "draw 4"])
        bench.settle()
        #expect(results.elements == Array(repeating: DisplayGroupResult(together: 2), count: 2))
    }

    @Test("a display follows others also by a layer that waits only to follow")
    func followsFollower() {
        makeGroup([0, 1]).display { _ in }
        drawNext()
        makeGroup([1, 2]).display { _ in }
        let fourth = bench.addLayer()
        let group = makeGroup([2])
        group.add(fourth)
        group.display { _ in }
        #expect(bench.requests == 2)
        drawNext()
        #expect(bench.requests == 5)
        drawNext(2)
        #expect(shown == [true, true, false] && fourth.contents == nil)
        drawNext()
        #expect(shown == [true, true, true] && fourth.contents != nil)
    }

    @Test("a layer that is displayed by itself meanwhile appears with the display that follows")
    func displayedByItself() {
        makeGroup([0, 1]).display { _ in }
        drawNext()
        makeGroup([1, 2]).display { _ in }
        layers[0].setNeedsDisplay()
        for layer in layers.suffix(2) {
            layer.display()
            layer.setNeedsDisplay()
        }
        bench.transactions.flush()
        #expect(bench.requests == 3, "the first layer alone does not follow")
        drawNext(2)
        #expect(texts == ["draw 3", "draw 2", nil])
        drawNext()
        #expect(texts == ["draw 3", "draw 2", nil])
        drawNext()
        #expect(texts == ["draw 3", "draw 4", "draw 5"])
        bench.transactions.flush()
        #expect(bench.requests == 5)
    }

    @Test("a display joins one that waits for a layer which was invalidated, and is still to be drawn again")
    func invalidatedBefore() {
        let results = Recorder<DisplayGroupResult>()
        makeGroup([0, 1]).display { results.append($0) }
        drawNext()
        layers[0].setNeedsDisplay()
        drawNext()
        #expect(shown == [false, false, false])
        makeGroup([0, 2]).display { results.append($0) }
        bench.transactions.flush()
        drawNext()
        #expect(shown == [false, false, false])
        drawNext()
        #expect(texts == ["draw 3", "draw 2", "draw 4"], "the first layer's new picture is of both")
        #expect(results.elements == Array(repeating: DisplayGroupResult(together: 2), count: 2))
    }

    @Test("a layer that is stopped before a display that follows begins leaves that", arguments: 0..<4)
    func stopped(how: Int) {
        let results = Recorder<DisplayGroupResult>()
        let another = DisplayGroup(timeLimit: .milliseconds(50), host: bench.host)
        var mortal: AsyncLayer? = AsyncLayer(renderer: RecordingRenderer(), host: bench.host)
        mortal?.size = layers[0].size
        mortal?.delegate = bench
        if let mortal { another.add(mortal) }
        another.add(layers[1])
        makeGroup([0, 1]).display { _ in }
        drawNext()
        another.display { results.append($0) }
        switch how {
        case 0: mortal?.cancelDisplay()
        case 1: mortal?.suspend()
        case 2: mortal?.removeContents()
        default: mortal = nil
        }
        drawNext()
        bench.settle()
        #expect(results.elements == [DisplayGroupResult(together: 1, cancelled: 1)])
        #expect(mortal?.contents == nil && bench.requests == 3)
        mortal?.resume()
        bench.settleTurns()
        #expect((mortal?.contents != nil) == (how == 1))
    }

    @Test("a group whose layers are all stopped lets those begin that follow it")
    func stoppedFormer() {
        let results = Recorder<DisplayGroupResult>()
        makeGroup([0, 1]).display { results.append($0) }
        drawNext()
        makeGroup([1, 2]).display { results.append($0) }
        for layer in layers.prefix(2) { layer.cancelDisplay() }
        bench.settle()
        #expect(texts == [nil, nil, "draw 3"])
        let leaving = DisplayGroupResult(together: 1, cancelled: 1)
        #expect(results.elements == [DisplayGroupResult(cancelled: 2), leaving])
    }

    @Test("the time limit of a display that follows counts from its beginning")
    func timeLimitOfFollower() {
        let results = Recorder<DisplayGroupResult>()
        group.display { results.append($0) }
        drawNext()
        bench.main.advance(by: .milliseconds(49))
        group.display { results.append($0) }
        bench.main.advance(by: .milliseconds(1))
        bench.main.runAll()
        #expect(shown == [true, false, false], "what it follows is not extended")
        drawNext(2)
        bench.main.advance(by: .milliseconds(49))
        bench.main.runAll()
        #expect(results.elements.isEmpty && bench.main.timerCount == 1)
        bench.settle()
        #expect(texts == ["draw 4", "draw 5", "draw 6"])
        #expect(results.elements.last == DisplayGroupResult(together: 3))
    }

    @Test("a display in the callback of the one that is followed begins with those that follow")
    func callback() {
        let results = Recorder<String>()
        makeGroup([0, 1]).display { [group = makeGroup([2, 0])] _ in
            group.display { results.append("callback: \($0.together)") }
        }
        drawNext()
        makeGroup([1, 2]).display { results.append("follower: \($0.together)") }
        drawNext()
        #expect(bench.requests == 5)
        bench.settle()
        #expect(results.elements == ["follower: 2", "callback: 2"])
    }

    @Test("an awaited display raises the passes that it follows, and its own")
    func raised() async {
        bench.makeTask = { number in
            DisplayTask(qos: .background) { context, _ in context.commands.append("draw \(number)") }
        }
        group.display { _ in }
        drawNext()
        async let result = group.display()
        while !layers[1].pipeline.isFollowing { await Task.yield() }
        #expect(bench.pool.runAll(qos: .userInitiated) == 2)
        bench.main.runAll()
        #expect(bench.pool.runAll(qos: .userInitiated) == 3)
        bench.main.runAll()
        #expect(await result == DisplayGroupResult(together: 3))
    }

    @Test("a layer that follows can be moved to another tier before its pass begins")
    func moved() {
        makeGroup([0, 1]).display { _ in }
        drawNext()
        makeGroup([1, 2]).display { _ in }
        layers[2].qos = .background
        drawNext()
        #expect(bench.pool.runAll(qos: .background) == 1)
        bench.settle()
        #expect(texts == ["draw 1", "draw 3", "draw 4"])
    }

    @Test("a caller that waits for a layer which follows, and is cancelled, does not cancel the display")
    func cancelledWaiter() async {
        let results = Recorder<DisplayGroupResult>()
        makeGroup([0, 1]).display { _ in }
        drawNext()
        makeGroup([1, 2]).display { results.append($0) }
        let layer = layers[2]
        let waiter = Task { try await layer.displayed() }
        while !layer.pipeline.isAwaited { await Task.yield() }
        waiter.cancel()
        while layer.pipeline.isAwaited {
            bench.main.runAll()
            await Task.yield()
        }
        bench.settleTurns()
        #expect(results.elements == [DisplayGroupResult(together: 2)])
    }

    @Test("a display follows one of another host, whose clock differs")
    func followsOtherHost() throws {
        let other = try LayerBench()
        other.main.advance(by: .seconds(1000))
        let theirs = other.addLayer()
        let group = DisplayGroup(timeLimit: .milliseconds(50), host: other.host)
        group.add(layers[1])
        group.add(theirs)
        let results = Recorder<DisplayGroupResult>()
        makeGroup([0, 1]).display { _ in }
        drawNext()
        group.display { results.append($0) }
        #expect(other.requests == 0)
        drawNext()
        #expect(shown == [true, true, false] && bench.requests == 3 && other.requests == 1)
        other.main.advance(by: .milliseconds(49))
        other.settle()
        #expect(theirs.contents == nil)
        drawNext()
        #expect(theirs.contents != nil && texts[1] == "draw 3")
        other.main.runAll()
        #expect(results.elements == [DisplayGroupResult(together: 2)])
    }

    @Test("a layer that follows is not up to date")
    func notSettled() async throws {
        makeGroup([0, 1]).display { _ in }
        drawNext()
        makeGroup([1, 2]).display { _ in }
        let layer = layers[2]
        async let text = { @MainActor in
            try await layer.displayed()
            return layer.contents?.commands.last
        }()
        while !layer.pipeline.isAwaited { await Task.yield() }
        for _ in 0..<2 { bench.settle() }
        #expect(try await text == "draw 4")
    }
}
