import ManualPools
import Dispatch
import QueuePoolsLocks
import QueuePools
import TestSupport
import Testing
import QueuePoolsTransactions

@testable import AsyncLayers

@MainActor
@Suite("What a layer retains, and where it releases", .timeLimit(.minutes(15)))
struct LifetimeTests {
    @Test("a draw that is cancelled before it starts releases its captures at once")
    func dequeuedDraw() throws {
        let bench = try LayerBench()
        let released = Counter()
        bench.makeTask = { [unowned bench] number in
            let probe = number == 1 ? LifetimeProbe { released.increment() } : nil
            return bench.task { _, _ in probe?.touch() }
        }
        bench.layer.display()
        #expect(released.value == 0)
        bench.layer.display()
        #expect(released.value == 1)
        bench.settle()
    }

    @Test("a queued draw does not keep its layer, and the layer's end cancels it")
    func layerGoesWhileQueued() throws {
        let bench = try LayerBench()
        weak let layer = bench.layer
        let drawn = Counter()
        bench.makeTask = { [unowned bench] _ in bench.task { _, _ in drawn.increment() } }
        bench.layer.display()
        bench.dropLayer()
        #expect(layer == nil)
        bench.main.runAll()
        #expect(bench.outcomes == ["cancelled while waiting"])
        bench.settle()
        #expect(drawn.value == 0)
        #expect(bench.outcomes.count == 1)
    }

    @Test("a layer's end is seen at once, with and without weak references to it", arguments: [false, true])
    func endIsSeen(hasWeakReference: Bool) throws {
        let bench = try LayerBench()
        let pipeline = bench.layer.pipeline
        weak let layer = hasWeakReference ? bench.layer : nil
        #expect(!pipeline.isLayerGone)
        bench.dropLayer()
        #expect(pipeline.isLayerGone)
        #expect(pipeline.layer == nil && layer == nil)
    }

    #if os(Linux)
        @Test("a reference to a layer ends with it, by hand or weak", arguments: [true, false])
        func reference(isByHand: Bool) throws {
            let bench = try LayerBench()
            let reference = LayerReference(bench.layer, isByHand: isByHand)
            let (isThere, isGone) = (reference.layer === bench.layer, reference.isGone)
            #expect(isThere && !isGone)
            bench.dropLayer()
            let (layer, isGoneNow) = (reference.layer, reference.isGone)
            #expect(layer == nil && isGoneNow)
            #expect(LayerReference.canBeMadeByHand)
        }
    #endif

    @Test("a program that keeps a draw's scope keeps nothing of the layer with it")
    func keptScope() throws {
        let scopes = Recorder<DrawScope>()
        weak var pipeline: DisplayPipeline?
        do {
            let bench = try LayerBench()
            pipeline = bench.layer.pipeline
            bench.makeTask = { [unowned bench] _ in bench.task { _, scope in scopes.append(scope) } }
            bench.layer.display()
            bench.settle()
            bench.dropLayer()
            bench.main.runAll()
        }
        #expect(pipeline == nil)
        #expect(scopes.elements.map(\.isCancelled) == [false])
    }

    @Test("a draw in progress is cancelled when its layer is gone, and its outcome still comes")
    func layerGoesWhileDrawing() throws {
        let bench = try LayerBench()
        let gate = Gate()
        let seen = Recorder<Bool>()
        bench.makeTask = { [unowned bench] _ in
            bench.task { _, scope in
                gate.pass()
                seen.append(scope.isCancelled)
            }
        }
        bench.layer.display()
        let drawn = DispatchSemaphore(value: 0)
        Thread.run { [pool = bench.pool] in
            pool.runAll()
            drawn.signal()
        }
        gate.waitForArrivals()
        bench.dropLayer()
        bench.main.runAll()
        gate.open()
        drawn.waitHere()
        bench.main.runAll()
        #expect(seen.elements == [true])
        #expect(bench.outcomes == ["cancelled while drawing"])
    }

    @Test("setNeedsDisplay does not keep a layer alive, nor display one that is gone")
    func pendingDisplay() throws {
        let bench = try LayerBench()
        weak let layer = bench.layer
        bench.layer.setNeedsDisplay()
        bench.dropLayer()
        #expect(layer == nil)
        bench.transactions.flush()
        bench.settle()
        #expect(bench.requests == 0)
    }

    @Test("a layer whose last reference is released on another thread during the flush is displayed, or gone")
    func layerGoesDuringFlush() throws {
        let bench = try LayerBench()
        let (begins, dropped) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let layers = Lock<[AsyncLayer<RecordingRenderer>]>([])
        let rounds = 300
        Thread.run {
            for _ in 0..<rounds {
                begins.wait()
                while layers.withLock({ $0.popLast() }) != nil {}
                dropped.signal()
            }
        }
        for _ in 0..<rounds {
            layers.withLock { $0 = (0..<20).map { _ in bench.newLayer() } }
            for layer in layers.withLock({ $0 }) { layer.setNeedsDisplay() }
            begins.signal()
            bench.transactions.flush()
            dropped.wait()
            bench.settle()
        }
        #expect(bench.outcomes.count == bench.requests)
        #expect(bench.requests < rounds * 20)
    }

    @Test("a transaction queue without a last flush is released, though a display was pending in it")
    func droppedQueue() throws {
        var bench: LayerBench? = try LayerBench()
        weak let queue = bench?.transactions
        bench?.layer.setNeedsDisplay()
        bench = nil
        #expect(queue == nil)
    }

    @Test(
        "a task's closures are released last on the main actor, though a pool thread ran one of them",
        arguments: PoolKind.allCases)
    func taskIsReleasedOnMain(kind: PoolKind) async throws {
        _ = isOnMainQueue()
        let pool = try kind.pool("tasks", .exactly(2))
        let bench = try LayerBench()
        let layer = AsyncLayer(renderer: RecordingRenderer(), host: DisplayHost(pool: pool))
        layer.size = Size(width: 1, height: 1)
        layer.delegate = bench
        let releasedOnMain = Recorder<Bool>()
        for _ in 0..<200 {
            await withCheckedContinuation { continuation in
                bench.makeTask = { _ in
                    let probe = LifetimeProbe { releasedOnMain.append(isOnMainQueue()) }
                    return DisplayTask(
                        onEnd: { _ in continuation.resume() }, draw: { _, _ in probe.touch() })
                }
                layer.display()
            }
        }
        bench.makeTask = { _ in nil }
        try await pool.shutdown()
        #expect(releasedOnMain.elements == Array(repeating: true, count: 200))
    }

    @Test(
        "pictures are released off the main actor: replaced, superseded, and a released layer's last",
        arguments: PoolKind.allCases)
    func picturesDieInTheBackground(kind: PoolKind) async throws {
        _ = isOnMainQueue()
        let pool = try kind.pool("pictures", .exactly(2))
        let releasedOnMain = Recorder<Bool>()
        var renderer = RecordingRenderer()
        renderer.onRelease = { releasedOnMain.append(isOnMainQueue()) }
        let bench = try LayerBench()
        var layer: AsyncLayer? = AsyncLayer(renderer: renderer, host: DisplayHost(pool: pool))
        layer?.size = Size(width: 1, height: 1)
        layer?.delegate = bench
        for number in 0..<100 {
            await withCheckedContinuation { continuation in
                bench.makeTask = { _ in
                    DisplayTask(onEnd: { _ in continuation.resume() }, draw: { _, _ in })
                }
                layer?.display()
                if number % 3 == 0 {
                    bench.makeTask = { _ in nil }
                    layer?.display()  // supersedes it, and empties the layer
                }
            }
        }
        layer = nil
        await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
        try await pool.shutdown()
        #expect(!releasedOnMain.elements.isEmpty)
        #expect(!releasedOnMain.elements.contains(true))
    }

    @Test(
        "a full tier background, and a shutdown, leave the release of pictures and layouts to other threads",
        arguments: PoolKind.allCases)
    func fullTier(kind: PoolKind) async throws {
        _ = isOnMainQueue()
        let pool = try kind.pool("full", .exactly(1), capacity: [.background: 1])
        let (gate, ran, releasedOnMain) = (Gate(), Counter(), Recorder<Bool>())
        try pool.async(qos: .background) { gate.pass() }
        await gate.waitForArrivals()
        let bench = try LayerBench()
        var renderer = RecordingRenderer()
        renderer.onRelease = { releasedOnMain.append(isOnMainQueue()) }
        let layer = AsyncLayer(
            renderer: renderer, host: DisplayHost(pool: pool, transactions: bench.transactions))
        layer.size = Size(width: 1, height: 1)
        layer.delegate = bench
        layer.displaysAsynchronously = false
        let layouts = LayoutCache<Int, LifetimeProbe>(pool: pool) { _, _ in 1 }
        func replace() {
            layer.setNeedsDisplay()
            bench.transactions.flush()
            _ = layouts.layout(for: 1, width: 1) { _ in
                LifetimeProbe { releasedOnMain.append(isOnMainQueue()) }
            }
            layouts.removeAll()
        }
        let job = try pool.async(qos: .background) { ran.increment() }
        for _ in 0..<5 { replace() }
        #expect(job.cancel())
        for _ in 0..<5 { replace() }
        try pool.async(qos: .background) { ran.increment() }
        #expect(releasedOnMain.elements.isEmpty)
        #expect(pool.statistics[.background].refused == 0)
        gate.open()
        try await pool.shutdown()
        #expect(ran.value == 1)
        #expect(releasedOnMain.elements == Array(repeating: false, count: 19))
        replace()
        await waitWhile(releasedOnMain.elements.count < 21)
        #expect(!releasedOnMain.elements.contains(true))
    }

    @Test("placeholders are released on the pool: those that were shown, and those that were not")
    func placeholdersDieInTheBackground() throws {
        let poolIsAtWork = Counter()
        let releases = Recorder<Bool>()
        var renderer = RecordingRenderer()
        renderer.onRelease = { releases.append(poolIsAtWork.value == 1) }
        let bench = try LayerBench()
        bench.makeTask = { [unowned bench, renderer] number in
            var task = bench.task { _, _ in }
            task.placeholder = try? renderer.makeContents(
                from: renderer.makeContext(ContextDescription(pixelWidth: 1, pixelHeight: 1)))
            return task
        }
        bench.layer.display()
        bench.makeTask = { [make = bench.makeTask!] number in
            var task = make(number)
            task?.draw = nil
            return task
        }
        // Empties the layer, and leaves the first pass, which has begun to draw, in flight.
        bench.layer.display()
        #expect(releases.elements.isEmpty)
        bench.main.runAll()
        #expect(releases.elements.isEmpty)
        poolIsAtWork.increment()
        bench.pool.runAll()
        #expect(releases.elements == [true, true])
    }

    @Test(
        "all that a turn replaces by cached pictures is released in one job, unless the cache has it",
        arguments: [false, true])
    func replacedInTurn(isCached: Bool) throws {
        let bench = try LayerBench()
        let layers = (0..<10).map { _ in bench.addLayer() }
        func flush(_ text: String) {
            bench.makeTask = { _ in DisplayTask(key: text) { _, _ in } }
            for layer in layers { layer.setNeedsDisplay() }
            bench.transactions.flush()
        }
        for text in ["a", "b"] {
            flush(text)
            bench.settle()
        }
        if !isCached {
            let key = layers[0].pipeline.display.key
            let cached = bench.cache.pictures.state.withLock { state in
                key.flatMap { state.kept.removeValue(for: $0) }
            }
            #expect(cached?.leave() == false, "the layers show it")
        }
        flush("a")
        #expect(bench.host.metrics.snapshot().sources[.cached] == 10)
        #expect(bench.pool.runNext() != isCached)
        #expect(!bench.pool.runNext())
    }

    @Test("what is replaced while a callback runs a loop of its own is released before that loop ends")
    func replacedInNestedLoop() throws {
        let released = Counter()
        var renderer = RecordingRenderer()
        renderer.onRelease = { released.increment() }
        let bench = try LayerBench(renderer: renderer)
        bench.makeTask = { [unowned bench] _ in
            DisplayTask(
                onEnd: { [unowned bench] _ in
                    bench.makeTask = { _ in DisplayTask { _, _ in } }
                    bench.layer.displaysAsynchronously = false
                    for _ in 0..<1_000 {
                        bench.layer.display()
                        bench.pool.runAll()
                    }
                    #expect(released.value > 500)
                }, draw: { _, _ in })
        }
        bench.layer.display()
        bench.settle()
        #expect(released.value == 1_000)
    }

    @Test(
        "what goes with a former hook, error or task, or an outcome that is not read, may call the layer",
        arguments: ["hook", "error", "task", "outcome"])
    func callsAsItGoes(owner: String) throws {
        struct Failure: Error { let probe: LifetimeProbe }
        let bench = try LayerBench()
        let calls = Counter()
        let probe = { [unowned bench] in
            LifetimeProbe {
                MainActor.assumeIsolated {
                    calls.increment()
                    bench.layer.cancelDisplay()
                    bench.layer.removeContents()
                    bench.layer.suspend()
                    bench.layer.resume()
                    bench.layer.displaysAsynchronously = false
                    bench.layer.display()
                    bench.layer.displaysAsynchronously = true
                }
            }
        }
        bench.makeTask = { [unowned bench] number in
            guard number == 1 else { return bench.task { _, _ in } }
            let failure = ["error", "outcome"].contains(owner) ? Failure(probe: probe()) : nil
            let captured = owner == "task" ? probe() : nil
            return DisplayTask(
                onEnd: { _ in captured?.touch() }, draw: { _, _ in if let failure { throw failure } })
        }
        if owner == "hook" {
            let captured = probe()
            bench.layer.onContentsChange = { _ in captured.touch() }
        }
        var stream: AsyncStream<DisplayOutcome>?
        if owner == "outcome" { stream = bench.layer.outcomes() }
        bench.layer.display()
        bench.settle()
        bench.layer.onContentsChange = nil
        bench.layer.cancelDisplay()
        // Here the hook, the error and the task have gone; the outcome has not.
        #expect(calls.value == (stream == nil ? 1 : 0))
        stream = nil
        bench.settleTurns()
        #expect(calls.value == 1)
        bench.layer.display()
        bench.settle()
        #expect(bench.outcomes.last == "committed")
    }

    @Test(
        "a picture that a group has held is released on the pool, though its layer shows another meanwhile")
    func keptPictureDiesInTheBackground() throws {
        let poolIsAtWork = Counter()
        let releases = Recorder<Bool>()
        var renderer = RecordingRenderer()
        renderer.onRelease = { releases.append(poolIsAtWork.value == 1) }
        let bench = try LayerBench(renderer: renderer)
        bench.makeTask = { _ in DisplayTask(key: "kept") { _, _ in } }
        bench.layer.display()
        bench.settle()
        // Not the cache is to be the last to hold the picture.
        bench.cache.trim()
        bench.pool.runAll()

        let late = bench.addLayer()
        bench.makeTask = { [unowned bench] number in
            guard number == 2 else { return DisplayTask { _, _ in } }
            return DisplayTask(
                key: "kept",
                onEnd: { [unowned bench] _ in
                    bench.makeTask = { _ in nil }
                    bench.layer.display()
                    poolIsAtWork.increment()
                    bench.pool.runAll()
                    poolIsAtWork.increment()
                }, draw: { _, _ in })
        }
        let group = DisplayGroup(timeLimit: .milliseconds(50), host: bench.host)
        group.add(bench.layer)
        group.add(late)
        group.display { _ in }
        // Appears without the other one, by itself: not in a turn, at whose end pictures would go together.
        bench.main.advance(by: .milliseconds(50))
        bench.main.runAll()
        #expect(bench.layer.contents == nil)
        #expect(releases.elements == [true])
    }
}

private enum Thread {
    /// Runs a closure on a thread of its own.
    static func run(_ body: @escaping @Sendable () -> Void) {
        DispatchQueue(label: "test thread").async(execute: body)
    }
}

extension DispatchSemaphore {
    /// Waits although the test is asynchronous by its actor.
    fileprivate func waitHere() { wait() }
}
