import QueuePools
import QueuePoolsTransactions
import ManualPools
import TestSupport
import Testing

@testable import AsyncLayers

/// A caller that awaits a layer raises its passes to the caller's tier.
extension AwaitingTests {
    @Test("a pass is moved while it waits; a draw that layers share is on the highest of their tiers")
    func lowered() {
        let layers = (0..<3).map { _ in bench.addLayer() }
        bench.makeTask = { [unowned bench] number in
            var task = bench.task { context, _ in context.commands.append("draw \(number)") }
            if number > 1 { task.key = ContentKey("shared") }
            return task
        }
        for layer in layers { layer.display() }
        layers[0].qos = .utility
        layers[1].qos = .background
        bench.pool.runNext()
        bench.settle()
        #expect(bench.outcomes == Array(repeating: "committed", count: 3))
        #expect(bench.reports.all.map(\.qos) == [.userInitiated, .userInitiated, .utility])
    }

    @Test("a draw that layers share is moved to the next tier when the layer with the highest one leaves")
    func highestLeaves() {
        let layers = (0..<3).map { _ in bench.addLayer() }
        bench.makeTask = { [unowned bench] number in
            var task = bench.task { context, _ in context.commands.append("draw \(number)") }
            task.key = ContentKey("shared")
            task.qos = [.utility, .userInteractive, .default][number - 1]
            return task
        }
        for layer in layers { layer.display() }
        layers[1].cancelDisplay()
        bench.settle()
        #expect(bench.outcomes == ["cancelled while waiting", "committed", "committed"])
        #expect(bench.reports.all.map(\.qos) == [.userInteractive, .default, .default])
    }

    @Test("a waiter raises a pass of a low tier, and the user moves one that waits")
    func priorities() async throws {
        let (pool, main) = (bench.pool, bench.main)
        bench.makeTask = { [unowned bench] number in
            var task = bench.task { context, _ in context.commands.append("draw \(number)") }
            task.qos = .background
            return task
        }
        layer.display()
        layer.qos = .utility
        pool.runAll(qos: .background)
        main.runAll()
        #expect(bench.outcomes.isEmpty)
        let task = Task { @MainActor in try await layer.displayed() }
        await waitWhile(layer.pipeline.observers?.hasWaiters != true)
        pool.runAll(qos: .utility)
        main.runAll()
        #expect(bench.outcomes.isEmpty)
        pool.runAll(qos: .userInitiated)
        layer.qos = .userInteractive  // too late
        main.runAll()
        try await task.value
        #expect(bench.outcomes == ["committed"])

        layer.displayTimeLimit = .milliseconds(5)
        main.whileAsleep { pool.runAll(qos: .userInteractive) }
        layer.display()
        #expect(layer.contents?.commands == ["draw 2"], "a deadline raises it to the highest tier")
    }

    @Test("a caller that waits before the pass begins, or over several passes, raises each of them")
    func raisesLaterPasses() async {
        useLowestTier()
        layer.setNeedsDisplay()
        let waiter = await waiter()
        bench.transactions.flush()
        layer.display()
        bench.settle()
        #expect(await waiter.value == "displayed")
        #expect(bench.reports.all.map(\.qos) == [.userInitiated, .userInitiated])
        layer.display()
        bench.settle()
        #expect(bench.reports.all.last?.qos == .background, "no caller waits now")
    }

    @Test("a caller that awaits a group raises its passes, too")
    func raisesGroup() async {
        useLowestTier()
        let group = DisplayGroup(host: bench.host)
        group.add(layer)
        let task = Task { @MainActor in await group.display() }
        await waitWhile(bench.requests == 0)
        bench.settle()
        #expect(await task.value == DisplayGroupResult(together: 1))
        group.display { _ in }
        bench.settle()
        #expect(bench.reports.all.map(\.qos) == [.userInitiated, .background])
    }

    @Test("an awaited pass that was held back, and then shares the drawing of another layer, is raised")
    func heldBackShares() async throws {
        let bench = try LayerBench()
        let a = bench.addLayer(), b = bench.addLayer()
        bench.makeTask = { number in
            guard number == 1 else { return DisplayTask(key: "k", qos: .utility) { _, _ in } }
            return DisplayTask { _, _ in
                MainActor.assumeIsolated {
                    a.display()  // held back: no draw of it has ended yet
                    b.display()
                }
            }
        }
        a.display()
        let waiter = Task { try await a.displayed() }
        await waitWhile(!a.pipeline.isAwaited)
        bench.pool.runNext()
        bench.main.runAll()
        let drawing = a.pipeline.machine.current?.drawing
        #expect(drawing != nil && drawing === b.pipeline.machine.current?.drawing)
        #expect(drawing?.tier == .userInitiated)
        bench.settleTurns()
        try await waiter.value
    }
}
