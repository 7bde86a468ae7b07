import ManualPools
import Dispatch
import Foundation
import QueuePoolsLocks
import QueuePools
import Synchronization
import TestSupport
import Testing
import QueuePoolsTransactions

@testable import AsyncLayers

/// A loop whose `perform` off the main thread returns only when the main thread has run what waits.
private final class HandoverLoop: HostLoop {
    let manual = ManualLoop()
    let arrived = DispatchSemaphore(value: 0)
    let done = DispatchSemaphore(value: 0)
    let mainThread = pthread_self()
    var isMain: Bool { pthread_equal(mainThread, pthread_self()) != 0 }
    var now: Duration { manual.now }
    func perform(_ work: @escaping @MainActor @Sendable () -> Void) {
        manual.perform(work)
        guard !isMain else { return }
        arrived.signal()
        done.wait()
    }
    func perform(at time: Duration, _ work: @escaping @MainActor @Sendable () -> Void) -> HostTimer {
        manual.perform(at: time, work)
    }
    @MainActor func sleep(until time: Duration) { manual.sleep(until: time) }
    func wake() {}
}

@MainActor
@Suite("Combinations of what may happen to draws", .timeLimit(.minutes(15)))
struct DrawCombinationTests {
    let bench: LayerBench
    var layer: AsyncLayer<RecordingRenderer> { bench.layer }
    init() throws { bench = try LayerBench() }

    @Test("a layer that displays itself while it is drawn synchronously is displayed again in the next turn")
    func displayWhileDrawing() {
        let drawn = Recorder<Int>()
        layer.displaysAsynchronously = false
        bench.makeTask = { [unowned bench] number in
            bench.task { context, _ in
                drawn.append(number)
                context.commands.append("draw \(number)")
                if number == 1 { MainActor.assumeIsolated { for _ in 0..<2 { bench.layer.display() } } }
            }
        }
        layer.display()
        #expect(drawn.elements == [1] && layer.contents?.commands == ["draw 1"])
        bench.settleTurns()
        #expect(drawn.elements == [1, 2])
        #expect(bench.outcomes == ["committed in the interim", "committed"])
        #expect(bench.budget.bytesInUse == 0)
    }

    @Test("equal requests while one is drawn share that draw, also without a cache")
    func equalWithoutCache() {
        let drawn = Recorder<Int>()
        let layer = AsyncLayer(renderer: RecordingRenderer(), host: bench.host)
        layer.size = Size(width: 10, height: 20)
        layer.delegate = bench
        bench.makeTask = { [unowned bench, unowned layer] number in
            DisplayTask(
                key: "equal", onEnd: { bench.log.append("did \(number) \($0)") },
                draw: { _, _ in
                    drawn.append(number)
                    if number == 1 { MainActor.assumeIsolated { for _ in 0..<2 { layer.display() } } }
                })
        }
        layer.display()
        for _ in 0..<3 { bench.settle() }
        #expect(drawn.elements == [1], "\(bench.outcomes)")
    }

    @Test("a task's closures are released on the main thread")
    func closuresDieOnMain() throws {
        let loop = HandoverLoop()
        let host = DisplayHost(
            pool: bench.pool, transactions: bench.transactions, loop: loop, budget: bench.budget,
            metrics: DisplayMetrics())
        let layer = AsyncLayer(renderer: RecordingRenderer(), host: host)
        layer.size = Size(width: 10, height: 20)
        layer.delegate = bench
        let onMain = Recorder<Bool>()
        bench.makeTask = { [unowned bench] _ in
            let probe = LifetimeProbe { onMain.append(loop.isMain) }
            return DisplayTask(
                onEnd: { outcome in
                    probe.touch()
                    bench.log.append("did \(outcome)")
                }, draw: { _, _ in })
        }
        layer.display()
        let finished = DispatchSemaphore(value: 0)
        Foundation.Thread.detachNewThread { [pool = bench.pool] in
            pool.runAll()
            finished.signal()
        }
        loop.arrived.wait()
        loop.manual.runAll()
        loop.done.signal()
        finished.wait()
        bench.settle()
        #expect(bench.outcomes == ["committed"])
        #expect(onMain.elements == [true])
        loop.manual.close()
    }

    @Test("draws that a pool drops at its shutdown fail, and leave nothing behind")
    func poolDropsJobs() async throws {
        bench.makeTask = { [unowned bench] number in
            DisplayTask(key: "k", onEnd: { bench.log.append("did \(number) \($0)") }, draw: { _, _ in })
        }
        let other = try LayerBench()
        let follower = AsyncLayer(renderer: RecordingRenderer(), host: other.host, cache: bench.cache)
        follower.size = layer.size
        follower.delegate = other
        other.makeTask = { [unowned other] number in
            DisplayTask(
                key: "k", onEnd: { other.log.append("did other \(number) \($0)") }, draw: { _, _ in })
        }
        layer.display()
        let pool = bench.pool
        let end = Task { await pool.hasShutDown(waitingJobs: .cancel) }
        for _ in 0..<1000 { await Task.yield() }
        bench.pool.runAll()
        _ = await end.value
        for _ in 0..<3 { bench.settle() }
        #expect(bench.outcomes.count == 1, "\(bench.outcomes)")
        layer.display()
        for _ in 0..<3 { bench.settle() }
        #expect(bench.outcomes.count == 2, "\(bench.outcomes)")
        follower.display()
        for _ in 0..<3 { other.settle() }
        #expect(other.outcomes.count == 1, "a layer of another pool, by the cache")
        #expect(bench.budget.bytesInUse == 0)
        #expect(bench.sharedDrawCount == 0)
    }

    @Test("a layer that the comparison of its key displays is displayed again in the next turn")
    func displayedByItsKey() throws {
        struct Key: Hashable, Sendable {
            let compared: @Sendable () -> Void
            static func == (left: Key, _: Key) -> Bool {
                left.compared()
                return true
            }
            func hash(into hasher: inout Hasher) {}
        }
        let bench = try LayerBench()
        bench.makeTask = { [unowned bench] number in
            var task = bench.task { context, _ in context.commands.append("draw \(number)") }
            guard number == 1 else { return task }
            task.key = ContentKey(
                Key { [unowned bench] in
                    MainActor.assumeIsolated { if bench.requests == 1 { bench.layer.display() } }
                })
            return task
        }
        bench.layer.display()
        #expect(bench.requests == 1)
        bench.settleTurns()
        #expect(bench.requests == 2)
        #expect(bench.outcomes == ["committed in the interim", "committed"])
        #expect(bench.layer.contents?.commands == ["draw 2"])
    }

    @Test("a draw that is cancelled as its key is found in the cache leaves the picture that it found")
    func cancelledByItsKey() throws {
        struct Key: Hashable, Sendable {
            let number: Int
            let compared: @Sendable () -> Void
            static func == (left: Key, right: Key) -> Bool {
                left.compared()
                right.compared()
                return left.number == right.number
            }
            func hash(into hasher: inout Hasher) {}
        }
        let bench = try LayerBench()
        let (cancels, released) = (Counter(), Counter())
        var renderer = RecordingRenderer()
        renderer.onRelease = { released.increment() }
        let layers = (0..<2).map { _ in bench.newLayer(renderer) }
        let (number, inDraw) = (Counter(), Recorder<@MainActor @Sendable () -> Void>())
        bench.makeTask = { [unowned bench] _ in
            let key = Key(number: number.value) {
                guard cancels.value == 1 else { return }
                cancels.increment()
                MainActor.assumeIsolated { layers[0].cancelDisplay() }
            }
            return DisplayTask(key: key) { _, _ in
                bench.main.advance(by: .milliseconds(200))  // so that one draw waits for the other
                if let call = inDraw.elements.last, number.value == 1 {
                    MainActor.assumeIsolated { call() }
                }
            }
        }
        layers[0].display()
        bench.settle()
        layers[0].display()
        number.increment()
        inDraw.append {
            number.increment()
            layers[0].display()
        }
        layers[0].display()
        bench.pool.runNext()  // draws 1, meanwhile 2 is requested and waits for it
        layers[1].display()
        bench.pool.runNext()  // draws 2 for the other layer
        #expect(layers[0].pipeline.machine.passes.count == 2)
        // In the other order.
        bench.host.completions.withLock { queue in
            if let first = queue.completions.popFirst() { queue.completions.append(first) }
        }
        // The next comparison is that of the waiting draw's key with that of the picture on show.
        layers[0].onContentsChange = { _ in cancels.increment() }
        bench.settle()
        #expect(cancels.value == 2, "a key was compared then")
        layers[0].onContentsChange = nil
        for layer in layers { layer.removeContents() }
        bench.cache.trim()
        bench.main.runAll()
        #expect(released.value == 0, "not with its last reference")
        bench.pool.runAll()
        #expect(released.value == 3)
        #expect(layers.allSatisfy { $0.pipeline.machine.isIdle })
    }

    @Test(
        "what a replaced draw has captured may display the layer as it dies, also if others have led it",
        arguments: [false, true])
    func displayFromDeinit(isLed: Bool) {
        let drawn = Recorder<Int>()
        bench.makeTask = { [unowned bench] number in
            let probe =
                number == 1 ? LifetimeProbe { MainActor.assumeIsolated { bench.layer.display() } } : nil
            var task = DisplayTask<RecordingRenderer>(
                onEnd: { bench.log.append("did \($0)") },
                draw: { [probe] _, _ in
                    probe?.touch()
                    drawn.append(number)
                })
            if isLed, number <= 2 { task.key = ContentKey("shared") }
            return task
        }
        let leader = bench.addLayer()
        if isLed { leader.display() }
        layer.display()
        leader.cancelDisplay()
        layer.display()
        for _ in 0..<3 { bench.settle() }
        let last = isLed ? 4 : 3
        #expect(drawn.elements == [last], "\(bench.outcomes)")
        #expect(bench.outcomes.count == last && layer.pipeline.machine.isIdle)
        #expect(bench.budget.bytesInUse == 0)
    }
}
