import ManualPools
import QueuePools
import QueuePoolsSentinels
import TestSupport
import Testing
import QueuePoolsTransactions

@testable import AsyncLayers

@MainActor
@Suite("Awaiting a layer", .timeLimit(.minutes(15)))
struct AwaitingTests {
    let bench: LayerBench
    var layer: AsyncLayer<RecordingRenderer> { bench.layer }

    init() throws { bench = try LayerBench() }

    /// Begins to wait, and returns when the waiting has begun.
    func waiter() async -> Task<String, Never> {
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
        await waitWhile(layer.pipeline.observers?.hasWaiters != true)
        return task
    }

    func useLowestTier() {
        bench.makeTask = { [unowned bench] _ in
            var task = bench.task { _, _ in }
            task.qos = .background
            return task
        }
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

    @Test("cancelling the surrounding task cancels the pass, unless another caller waits for it")
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

    @Test("a layer that is released resumes its waiting callers, and ends its streams")
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
        await waitWhile(pipeline.observers?.hasWaiters != true)
        bench.dropLayer()
        bench.main.runAll()
        await #expect(throws: CancellationError.self) { try await task.value }
        let last = await outcomes.next()?.description
        #expect(last == "cancelled while waiting")
        #expect(await outcomes.next() == nil)
    }

    @Test("the newest pass decides, though an older one is the last to end")
    func olderEndsLast() async {
        layer.display()
        bench.pool.runNext()
        layer.cancelDisplay()
        layer.setNeedsDisplay()
        let waiter = await waiter()
        layer.displaysAsynchronously = false
        bench.transactions.flush()
        bench.main.runAll()
        #expect(bench.outcomes == ["committed", "cancelled while committing"])
        #expect(await waiter.value == "displayed")
    }

    @Test("a stale draw that fails does not end the wait for the newest")
    func staleFailure() async {
        bench.makeTask = { [unowned bench] number in
            bench.task { context, _ in
                if number == 1 { throw DisplayError.invalidScale(0) }
                context.commands.append("draw \(number)")
            }
        }
        layer.display()
        bench.pool.runNext()
        let waiter = await waiter()
        layer.displaysAsynchronously = false
        layer.display()
        bench.main.runAll()
        #expect(bench.outcomes == ["committed", "failed: \(DisplayError.invalidScale(0))"])
        #expect(await waiter.value == "displayed")
    }

    @Test("the failure of the newest pass is thrown, though an older one ends well, and also when it is over")
    func newestFails() async throws {
        layer.display()
        bench.pool.runNext()
        let during = await waiter()
        layer.contentsScale = -1
        layer.display()
        bench.main.runAll()
        #expect(await during.value == "\(DisplayError.invalidScale(-1))")
        await #expect(throws: DisplayError.invalidScale(-1)) { try await layer.displayed() }
        layer.contentsScale = 1
        layer.display()
        bench.settle()
        try await layer.displayed()
    }

    @Test("a cancelled display is over immediately, though its draw does not check")
    func cancelledWhileDrawing() async {
        let layer = layer
        let outcomes = Recorder<String>()
        bench.makeTask = { [unowned bench] _ in
            bench.task { _, _ in
                MainActor.assumeIsolated {
                    layer.cancelDisplay()
                    outcomes.append("settled: \(layer.pipeline.isSettled)")
                }
            }
        }
        layer.display()
        bench.settle()
        #expect(outcomes.elements == ["settled: true"])
        #expect(bench.outcomes == ["cancelled while drawing"])
    }

    @Test("a task that is cancelled leaves the pass to a group that waits for its picture")
    func cancelledInGroup() async {
        let results = Recorder<DisplayGroupResult>()
        let group = DisplayGroup(host: bench.host)
        group.add(layer)
        group.display { results.append($0) }
        let waiter = await waiter()
        waiter.cancel()
        bench.main.runAll()
        #expect(await waiter.value == "\(CancellationError())")
        #expect(bench.outcomes.isEmpty)
        bench.settle()
        #expect(results.elements == [DisplayGroupResult(together: 1)])
    }

    @Test("withdrawing a display while the next one begins does not end the wait for that one")
    func cancelledWhileBeginning() async {
        let layer = layer
        bench.makeTask = { [unowned bench] number in
            bench.task(onStart: { if number == 2 { layer.cancelDisplay() } }) { context, _ in
                context.commands.append("draw \(number)")
            }
        }
        layer.display()
        bench.pool.runNext()
        let waiter = await waiter()
        layer.setNeedsDisplay()
        bench.transactions.flush()
        bench.settle()
        #expect(await waiter.value == "displayed")
        #expect(layer.contents?.commands == ["draw 2"])
    }

    @Test(
        "what is requested after the waiting task was cancelled is displayed", arguments: [false, true])
    func requestAfterCancellation(isDisplayed: Bool) async throws {
        layer.setNeedsDisplay()
        let waiter = await waiter()
        waiter.cancel()
        if isDisplayed { layer.display() } else { layer.setNeedsDisplay() }
        bench.main.runAll()
        bench.settleTurns()
        #expect(layer.contents != nil)
        #expect(await waiter.value == "CancellationError()")
    }

    @Test("each of many callers that are cancelled costs what each of few costs")
    func manyCancelled() async {
        let isLinear = await isLinear { count in
            let (observers, waiting) = (LayerObservers(), Counter())
            let tasks = (0..<count).map { _ in
                Task { @MainActor in
                    try await withCheckedThrowingContinuation {
                        observers.wait(observers.nextID(), $0)
                        waiting.increment()
                    }
                }
            }
            await waitWhile(waiting.value < count)
            let time = ContinuousClock().measure {
                for id in (1...count).reversed() { _ = observers.cancel(id) }
            }
            for task in tasks { _ = await task.result }
            return time
        }
        #expect(isLinear)
    }

    @Test("a caller that is cancelled just before the turn's end cancels what begins then")
    func cancelledBeforeFlush() async throws {
        let bench = try LayerBench()
        let layer = try #require(bench.layer)
        layer.setNeedsDisplay()
        let waiter = Task { try await layer.displayed() }
        await waitWhile(!layer.pipeline.isAwaited)
        waiter.cancel()
        bench.transactions.flush()
        bench.main.runAll()
        bench.settle()
        #expect(bench.outcomes == ["cancelled while waiting"])
        await #expect(throws: CancellationError.self) { try await waiter.value }
    }
}
