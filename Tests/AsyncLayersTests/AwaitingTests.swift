import QueuePools
import TestSupport
import Testing
import Transactions

@testable import AsyncLayers

@MainActor
@Suite("Awaiting a layer", .timeLimit(.minutes(5)))
struct AwaitingTests {
    let bench: LayerBench
    var layer: AsyncLayer<RecordingRenderer> { bench.layer }

    init() throws { bench = try LayerBench() }

    /// Begins to wait, and returns when the waiting has begun.
    private func waiter() async -> Task<String, Never> {
        let layer = layer
        let task = Task { @MainActor in
            do {
                try await layer.displayed()
                return "displayed"
            } catch {
                return "\(error)"
            }
        }
        await Task.yield()
        while layer.pipeline.observers?.hasWaiters != true { await Task.yield() }
        return task
    }

    @Test("a layer with nothing to do is displayed already")
    func idle() async throws {
        try await layer.displayed()
    }

    @Test("waiting lasts until the newest state is shown, over passes that are superseded")
    func newest() async {
        layer.setNeedsDisplay()
        let waiter = await waiter()
        bench.transactions.flush()
        layer.display()
        bench.settle()
        #expect(await waiter.value == "displayed")
        #expect(layer.contents?.commands == ["draw 2"])
    }

    @Test("an interim picture is not what was waited for")
    func interim() async {
        layer.maximumStaleness = .zero
        layer.display()
        let waiter = await waiter()
        layer.setNeedsDisplay()
        bench.settle()
        #expect(layer.contents?.commands == ["draw 1"])
        #expect(layer.pipeline.observers?.hasWaiters == true)
        bench.transactions.flush()
        bench.settle()
        #expect(await waiter.value == "displayed")
        #expect(layer.contents?.commands == ["draw 2"])
    }

    @Test("a failure and a cancellation of the pass are thrown")
    func errors() async {
        bench.makeTask = { [unowned bench] _ in bench.task { _, _ in throw DisplayError.invalidScale(0) } }
        layer.display()
        let first = await waiter()
        bench.settle()
        #expect(await first.value == "\(DisplayError.invalidScale(0))")
        layer.display()
        let second = await waiter()
        layer.cancelDisplay()
        #expect(await second.value == "\(CancellationError())")
        layer.setNeedsDisplay()
        let third = await waiter()
        layer.cancelDisplay()
        #expect(await third.value == "\(CancellationError())")
        bench.settle()
    }

    @Test("cancelling the surrounding task cancels the pass, unless somebody else waits for it")
    func taskCancellation() async {
        layer.display()
        let first = await waiter()
        let second = await waiter()
        first.cancel()
        bench.main.runAll()
        #expect(await first.value == "\(CancellationError())")
        #expect(bench.outcomes.isEmpty)
        second.cancel()
        bench.main.runAll()
        #expect(await second.value == "\(CancellationError())")
        #expect(bench.outcomes == ["cancelled while waiting"])
        bench.settle()
    }

    @Test("a task that is cancelled before it waits cancels the pass too")
    func cancelledBefore() async {
        layer.display()
        let layer = layer
        let task = Task { @MainActor in
            withUnsafeCurrentTask { $0?.cancel() }
            try await layer.displayed()
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        bench.main.runAll()
        #expect(bench.outcomes == ["cancelled while waiting"])
        bench.settle()
    }

    @Test("a layer that goes wakes those who wait, and ends its streams")
    func gone() async {
        layer.display()
        let pipeline = layer.pipeline
        var outcomes = layer.outcomes().makeAsyncIterator()
        let task = Task { @MainActor in
            try await withCheckedThrowingContinuation { continuation in
                let observers = pipeline.observers ?? LayerObservers()
                observers.wait(observers.nextID(), continuation)
            }
        }
        while pipeline.observers?.hasWaiters != true { await Task.yield() }
        bench.dropLayer()
        bench.settle()
        await #expect(throws: CancellationError.self) { try await task.value }
        let last = await outcomes.next()?.description
        #expect(last == "cancelled while waiting")
        #expect(await outcomes.next() == nil)
    }

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

    @Test("a waiter raises a pass of a low tier, and the user moves one that waits")
    func priorities() async throws {
        let queues = Dictionary(uniqueKeysWithValues: QoSTier.allCases.map { ($0, ManualQueue()) })
        let pool = try QueuePool(.init(label: "tiers", queuesPerTier: .exactly(1))) { _, tier, _ in
            queues[tier] ?? ManualQueue()
        }
        let main = ManualLoop()
        let host = DisplayHost(pool: pool, transactions: bench.transactions, loop: main)
        let layer = AsyncLayer(renderer: RecordingRenderer(), host: host)
        layer.bounds = bench.layer.bounds
        layer.delegate = bench
        bench.makeTask = { [unowned bench] number in
            var task = bench.task { context, _ in context.commands.append("draw \(number)") }
            task.tier = .background
            return task
        }
        layer.display()
        layer.move(to: .utility)
        queues[.background]?.runAll()
        main.runAll()
        #expect(bench.outcomes.isEmpty)
        let task = Task { @MainActor in try await layer.displayed() }
        while layer.pipeline.observers?.hasWaiters != true { await Task.yield() }
        queues[.utility]?.runAll()
        main.runAll()
        #expect(bench.outcomes.isEmpty)
        queues[.userInitiated]?.runAll()
        layer.move(to: .userInteractive)  // too late
        main.runAll()
        try await task.value
        #expect(bench.outcomes == ["committed"])

        layer.displayDeadline = .milliseconds(5)
        main.whileAsleep { queues[.userInteractive]?.runAll() }
        layer.display()
        #expect(layer.contents?.commands == ["draw 2"], "a deadline raises it to the highest tier")
        main.close()
    }
}
