import ManualPools
import TestSupport
import Testing
import QueuePoolsTransactions

@testable import AsyncLayers

/// By which of its passes a layer of a group counts, where there are several.
extension GroupTests {
    /// Lets something happen on the main actor while the first pass, a layer's own, draws: a draw that does
    /// not look whether it is stale.
    private func whileFirstPassDraws(_ body: @escaping @MainActor @Sendable () -> Void) {
        bench.makeTask = { [unowned bench] number in
            bench.task { context, _ in
                context.commands.append("draw \(number)")
                if number == 1 { MainActor.assumeIsolated { body() } }
            }
        }
    }

    @Test("a layer that is cancelled delays no other, though its draw continues")
    func cancelledWhileDrawing() {
        let results = Recorder<DisplayGroupResult>()
        whileFirstPassDraws { [unowned bench, layers] in
            layers[0].cancelDisplay()
            bench.settle()
            #expect(layers.map { $0.contents != nil } == [false, true, true])
            #expect(results.elements == [DisplayGroupResult(together: 2, cancelled: 1)])
        }
        group.display { results.append($0) }
        bench.settle()
        #expect(results.elements.count == 1)
    }

    @Test("a layer whose newest pass has failed delays no other, though an older one still draws")
    func olderPassDraws() {
        let results = Recorder<DisplayGroupResult>()
        whileFirstPassDraws { [unowned bench, layers, group] in
            layers[0].contentsScale = .nan
            group.display { results.append($0) }
            bench.settle()
            #expect(results.elements == [DisplayGroupResult(together: 2, failed: 1)])
        }
        layers[0].display()
        bench.settle()
        #expect(results.elements.count == 1)
    }

    @Test("an interim picture does not appear before the group, which waits for what was asked for last")
    func interim() {
        let results = Recorder<DisplayGroupResult>()
        whileFirstPassDraws { [group] in group.display { results.append($0) } }
        layers[0].display()
        drawNext(3)
        #expect(shown == [false, false, false])
        drawNext()
        #expect(results.elements == [DisplayGroupResult(together: 3)])
        #expect(layers[0].contents?.commands == ["draw 2"])
    }

    @Test("a picture that waits for the group is not kept as an interim one")
    func heldIsNotInterim() {
        let results = Recorder<DisplayGroupResult>()
        group.display { results.append($0) }
        drawNext()
        layers[0].setNeedsDisplay()
        bench.transactions.flush()
        #expect(bench.outcomes == ["superseded while committing"])
        bench.settle()
        #expect(results.elements == [DisplayGroupResult(together: 3)])
        #expect(layers[0].contents?.commands == ["draw 4"])
    }

    @Test("a layer that is released while its picture waits leaves the group")
    func gone() {
        let results = Recorder<DisplayGroupResult>()
        let group = DisplayGroup(timeLimit: .milliseconds(50), host: bench.host)
        var gone: AsyncLayer<RecordingRenderer>? = AsyncLayer(renderer: RecordingRenderer(), host: bench.host)
        gone?.size = layers[0].size
        gone?.delegate = bench
        gone?.displaysAsynchronously = false
        group.add(gone!)
        group.add(layers[0])
        group.display { results.append($0) }
        gone = nil
        bench.main.runAll()
        drawNext()
        #expect(results.elements == [DisplayGroupResult(together: 1, cancelled: 1)])
    }

    @Test("the time limit counts from the call, however long beginning takes")
    func timeLimitFromCall() {
        layers[0].displaysAsynchronously = false
        bench.makeTask = { [unowned bench] number in
            bench.task { [main = bench.main] _, _ in if number == 1 { main.advance(by: .milliseconds(60)) } }
        }
        group.display { _ in }
        bench.main.runAll()
        #expect(shown == [true, false, false])
        bench.settle()
    }

    @Test("the deadlines of a group's layers are waited for together")
    func deadlines() {
        for layer in layers { layer.displayTimeLimit = .milliseconds(4) }
        let start = bench.main.now
        group.display { _ in }
        #expect(bench.main.now == start + .milliseconds(4))
        bench.settle()
        bench.main.whileAsleep { [pool = bench.pool] in pool.runAll() }
        group.display { _ in }
        #expect(bench.outcomes.count == 6, "in time, and so in the same step")
        #expect(bench.main.now == start + .milliseconds(4))
    }

    @Test(
        "a layer that holds a picture and is displayed again is waited for, though the older picture is there"
    )
    func displayedAgainSynchronously() {
        let results = Recorder<DisplayGroupResult>()
        layers[0].displaysAsynchronously = false
        group.display { results.append($0) }
        layers[0].displaysAsynchronously = true
        layers[0].display()
        drawNext(2)
        #expect(shown == [false, false, false])
        drawNext()
        #expect(shown == [true, true, true])
        #expect(layers[0].contents?.commands == ["draw 4"])
        #expect(results.elements == [DisplayGroupResult(together: 3)])
    }

    @Test(
        "a layer whose picture waits and whose newer pass ends without one leaves", arguments: [true, false])
    func newerFails(cancelled: Bool) {
        let results = Recorder<DisplayGroupResult>()
        layers[0].displaysAsynchronously = false
        group.display { results.append($0) }
        if cancelled {
            layers[0].displaysAsynchronously = true
            layers[0].display()
            layers[0].cancelDisplay()
        } else {
            layers[0].contentsScale = -1
            layers[0].display()
        }
        #expect(shown == [false, false, false])
        bench.settle()
        #expect(shown == [false, true, true])
        let leaving = DisplayGroupResult(together: 2, failed: cancelled ? 0 : 1, cancelled: cancelled ? 1 : 0)
        #expect(results.elements == [leaving])
    }

    @Test("a synchronous draw that displays its layer again, for a later draw, waits for that one")
    func displayedWithinDraw() {
        let results = Recorder<DisplayGroupResult>()
        layers[2].displaysAsynchronously = false
        bench.makeTask = { [unowned bench, layers] number in
            bench.task { context, _ in
                context.commands.append("draw \(number)")
                guard number == 3 else { return }
                MainActor.assumeIsolated {
                    layers[2].displaysAsynchronously = true
                    layers[2].display()
                }
            }
        }
        group.display { results.append($0) }
        drawNext(2)
        #expect(shown == [false, false, false])
        bench.transactions.flush()
        drawNext()
        #expect(results.elements == [DisplayGroupResult(together: 3)])
        #expect(layers[2].contents?.commands == ["draw 4"])
    }

    @Test(
        "a picture that is stale by then does not appear, before any notification", arguments: [2, 1])
    func invalidatedWhileHeld(count: Int) {
        let results = Recorder<DisplayGroupResult>()
        group.display { results.append($0) }
        drawNext(count)
        layers[0].setNeedsDisplay()
        if count == 2 {
            drawNext()
        } else {
            bench.main.advance(by: .milliseconds(50))
            bench.main.runAll()
        }
        #expect(shown == [false, false, false])
        #expect(bench.outcomes == ["superseded while committing"])
        bench.transactions.flush()
        bench.settle()
        #expect(
            results.elements == [DisplayGroupResult(together: count == 2 ? 3 : 0, late: count == 2 ? 0 : 3)])
        #expect(layers[0].contents?.commands == ["draw 4"])
    }

    @Test("a layer that is gone by then is cancelled, before any notification")
    func goneWhileHeld() {
        let results = Recorder<DisplayGroupResult>()
        var mortal: AsyncLayer? = AsyncLayer(renderer: RecordingRenderer(), host: bench.host)
        mortal?.size = layers[0].size
        mortal?.delegate = bench
        let group = DisplayGroup(timeLimit: .milliseconds(50), host: bench.host)
        if let mortal { group.add(mortal) }
        group.add(layers[0])
        group.display { results.append($0) }
        bench.pool.runNext()
        bench.main.runAll()
        bench.pool.runNext()
        mortal = nil
        bench.main.runAll()
        #expect(bench.outcomes == ["cancelled while committing", "committed"])
        #expect(results.elements == [DisplayGroupResult(together: 1, cancelled: 1)])
        bench.settle()
    }

    @Test("a layer that draws an older pass synchronously, and holds a newer one already, delays no other")
    func synchronousAfterNewer() {
        let results = Recorder<DisplayGroupResult>()
        bench.makeTask = { [unowned bench, layers] number in
            DisplayTask(
                onEnd: { outcome in
                    bench.log.append("did \(outcome)")
                    if number == 1 { layers[0].display() }
                }, draw: { context, _ in context.commands.append("draw \(number)") })
        }
        group.display { results.append($0) }
        layers[0].displaysAsynchronously = false
        layers[0].display()
        bench.settle()
        #expect(results.elements == [DisplayGroupResult(together: 3)])
        #expect(layers[0].contents?.commands == ["draw 5"])
    }

    @Test("a layer whose older pass fails in the callback of its former group is displayed by the new one")
    func failsInCallback() {
        struct Failure: Error {}
        bench.makeTask = { [unowned bench] number in
            bench.task { context, _ in
                if number == 1 { throw Failure() }
                context.commands.append("draw \(number)")
            }
        }
        let former = DisplayGroup(timeLimit: .zero, host: bench.host)
        former.add(layers[0])
        former.display { [bench] _ in bench.settle() }
        let results = Recorder<DisplayGroupResult>()
        let new = DisplayGroup(host: bench.host)
        new.add(layers[0])
        new.display { results.append($0) }
        bench.settle()
        #expect(results.elements == [DisplayGroupResult(together: 1)])
        #expect(layers[0].contents?.commands == ["draw 2"])
    }

    @Test("any number of layers may be released when their group appears")
    func manyGone() {
        let results = Recorder<DisplayGroupResult>()
        let group = DisplayGroup(timeLimit: .milliseconds(50), host: bench.host)
        var mortals = (0..<10_000).map { _ in AsyncLayer(renderer: RecordingRenderer(), host: bench.host) }
        for mortal in mortals {
            mortal.size = Size(width: 1, height: 1)
            mortal.delegate = bench
            group.add(mortal)
        }
        group.add(layers[0])
        group.display { results.append($0) }
        drawNext(10_000)
        bench.pool.runNext()
        mortals = []
        bench.main.runAll()
        #expect(results.elements == [DisplayGroupResult(together: 1, cancelled: 10_000)])
    }
}
