import Locks
import QueuePools
import TestSupport
import Testing
import Transactions

@testable import AsyncLayers

@MainActor
@Suite("Combinations of trees, groups and callbacks", .timeLimit(.minutes(5)))
struct LayerCombinationTests {
    private func flush(_ bench: LayerBench, _ body: @escaping @MainActor @Sendable () -> Void) {
        final class Target: Sendable {}
        Transaction(Target(), "x") { _ in body() }.commit(to: bench.transactions)
        bench.transactions.flush()
    }

    @Test("a layer that leaves its tree and is cancelled in one flush is not displayed")
    func cancelledAfterLeaving() throws {
        let bench = try LayerBench()
        let root = Part("root", on: bench), part = Part("p", in: root, on: bench)
        root.layer.drawsSublayers = true
        flush(bench) {
            part.layer.display()
            part.layer.removeFromSuperlayer()
            part.layer.cancelDisplay()
        }
        bench.settle()
        #expect(part.requests == 0)
        #expect(part.names == nil)
    }

    @Test("a layer that leaves its tree in a flush is displayed once, however often it was asked to")
    func displayedAfterLeaving() throws {
        let bench = try LayerBench()
        let root = Part("root", on: bench), part = Part("p", in: root, on: bench)
        root.layer.drawsSublayers = true
        flush(bench) {
            part.layer.display()
            part.layer.removeFromSuperlayer()
            part.layer.display()
        }
        bench.settle()
        #expect(part.requests == 1)
    }

    @Test("the tier that a layer was moved to within a tree does not stay for a later pass of its own")
    func tierWithinTree() throws {
        let bench = try LayerBench()
        let root = Part("root", on: bench), part = Part("p", in: root, on: bench)
        root.layer.drawsSublayers = true
        part.layer.setNeedsDisplay()
        part.layer.move(to: .background)
        bench.transactions.flush()
        bench.settle()
        #expect(part.layer.pipeline.nextTier == nil)
        part.layer.removeFromSuperlayer()
        part.layer.display()
        bench.settle()
        #expect(bench.reports.all.last?.tier == .userInitiated)
    }

    @Test("clear() takes a picture that waits for its group, too")
    func clearInGroup() throws {
        let bench = try LayerBench()
        let sync = Part("s", on: bench), other = Part("o", on: bench)
        sync.layer.displaysAsynchronously = false
        let group = DisplayGroup(timeLimit: .seconds(100), host: bench.host)
        group.add(sync.layer)
        group.add(other.layer)
        group.display { _ in }
        #expect(sync.names == nil)
        sync.layer.clear()
        bench.settle()
        #expect(sync.names == nil)
    }

    @Test("a request that is made sixteen callbacks deep, in a nested flush, is not lost")
    func deepRequest() throws {
        let bench = try LayerBench()
        var depth = 0
        bench.makeTask = { [unowned bench] _ in
            DisplayTask(
                key: "same",
                didDisplay: { _ in
                    depth += 1
                    if depth < 16 { bench.layer.display() }
                    if depth == 16 {
                        bench.layer.setNeedsDisplay()
                        bench.transactions.flush()
                    }
                }, draw: { context, _ in context.commands.append("x") })
        }
        bench.layer.display()
        bench.settleTurns()
        #expect(!bench.layer.pipeline.isDisplayNeeded)
        bench.layer.setNeedsDisplay()
        bench.settleTurns()
        #expect(!bench.layer.pipeline.isDisplayNeeded)
    }

    @Test("the cache counts the bytes of a tree's picture, and not of its drawing")
    func bytesOfTree() throws {
        let bench = try LayerBench()
        bench.makeTask = { _ in DisplayTask(key: "tree", draw: { context, _ in context.commands.append("x") })
        }
        bench.layer.drawsSublayers = true
        let child = bench.addLayer()
        bench.layer.addSublayer(child)
        bench.layer.display()
        bench.settle()
        #expect(bench.cache.statistics.count == 1)
        #expect(bench.cache.statistics.bytes == 800)
    }

    @Test("few places are kept behind a draw that waits for long")
    func placesBehindWaiting() throws {
        let bench = try LayerBench()
        let (run, blocked) = (ManualQueue(), ManualQueue())
        let pool = try QueuePool<ManualQueue>(.init(label: "r", queuesPerTier: .exactly(1))) { _, tier, _ in
            tier == .utility ? blocked : run
        }
        let host = DisplayHost(
            pool: pool, transactions: bench.transactions, loop: bench.main, budget: bench.budget)
        let slow = AsyncLayer(renderer: RecordingRenderer(), host: host)
        let busy = AsyncLayer(renderer: RecordingRenderer(), host: host)
        for layer in [slow, busy] { layer.bounds = Rect(x: 0, y: 0, width: 10, height: 20) }
        let delegate = Tiered(), other = Tiered()
        delegate.tier = .utility
        slow.delegate = delegate
        busy.delegate = other
        slow.display()
        for _ in 0..<5_000 {
            busy.display()
            run.runAll()
            bench.main.runAll()
        }
        let count = Mirror(reflecting: host.waiting).children.first { $0.label == "elements" }
            .map { ($0.value as? [DrawPlace?])?.count ?? -1 }
        #expect((count ?? 0) < 1_000)
        // What waits holds the host, and the host holds what waits.
        blocked.runAll()
        bench.main.runAll()
        withExtendedLifetime((slow, busy)) {}
    }

    @Test("a layer that leaves a synchronous tree as its own pass is cancelled is displayed by itself")
    func leavesSynchronousTree() throws {
        let bench = try LayerBench()
        let root = Part("root", on: bench), part = Part("p", on: bench)
        root.layer.drawsSublayers = true
        root.layer.displaysAsynchronously = false
        part.layer.display()
        root.layer.addSublayer(part.layer)
        part.whenTold = { part.layer.removeFromSuperlayer() }
        part.layer.display()
        bench.settleTurns()
        #expect(part.names == ["p"])
    }

    @Test("a layer that leaves a tree as the tree's pass cancels its own is displayed by itself")
    func leavesAsTreeBegins() throws {
        let bench = try LayerBench()
        let root = Part("root", on: bench), part = Part("p", on: bench)
        root.layer.drawsSublayers = true
        part.layer.display()
        root.layer.addSublayer(part.layer)
        part.whenTold = { part.layer.removeFromSuperlayer() }
        part.layer.setNeedsDisplay()
        root.layer.display()
        bench.settleTurns()
        #expect(part.names == ["p"])
    }

    @Test("a layer that moves from tree to tree in a turn appears in the second")
    func betweenTrees() throws {
        let bench = try LayerBench()
        let root = Part("root", on: bench), part = Part("p", in: root, on: bench)
        let second = Part("second", on: bench)
        root.layer.drawsSublayers = true
        second.layer.drawsSublayers = true
        flush(bench) {
            part.layer.display()
            second.layer.addSublayer(part.layer)
            second.layer.setNeedsDisplay()
            second.layer.displayIfNeeded()
        }
        bench.settleTurns()
        #expect(second.names == ["second", "p"])
    }

    @Test("a tree in tiles whose draws fail releases all its memory")
    func failingTiles() throws {
        let bench = try LayerBench(budget: 1_700)
        let root = Part("root", on: bench)
        root.layer.bounds.size = Size(width: 40, height: 40)
        root.layer.drawsSublayers = true
        root.layer.oversizePolicy = .tiles
        root.layer.maximumContextBytes = 400
        let part = Part("p", in: root, on: bench)
        part.layer.bounds.size = Size(width: 40, height: 2)
        part.layer.placement.origin = Point(x: 0, y: 9)
        part.fails = true
        for _ in 0..<3 { root.layer.display() }
        bench.settleTurns()
        #expect(bench.budget.bytesInUse == 0)
        part.fails = false
        root.layer.display()
        bench.settleTurns()
        #expect(root.outcomes.last == "committed")
        #expect(bench.budget.bytesInUse == 0)
        #expect(bench.budget.peakBytesInUse <= 1_700)
    }
    @Test("displayed() of a layer that leaves its tree meanwhile waits for the layer itself")
    func awaitedPartLeaves() async throws {
        let bench = try LayerBench()
        let (run, slow) = (ManualQueue(), ManualQueue())
        let pool = try QueuePool<ManualQueue>(.init(label: "r", queuesPerTier: .exactly(1))) { _, tier, _ in
            tier == .utility ? slow : run
        }
        let host = DisplayHost(
            pool: pool, transactions: bench.transactions, loop: bench.main, budget: bench.budget)
        let root = AsyncLayer(renderer: RecordingRenderer(), host: host)
        let part = AsyncLayer(renderer: RecordingRenderer(), host: host)
        for layer in [root, part] { layer.bounds = Rect(x: 0, y: 0, width: 10, height: 20) }
        let (first, second) = (Tiered(), Tiered())
        second.tier = .utility
        root.delegate = first
        part.delegate = second
        root.drawsSublayers = true
        root.addSublayer(part)
        part.setNeedsDisplay()
        let waiter = Task { @MainActor in
            try await part.displayed()
            return part.contents?.commands
        }
        while root.pipeline.observers?.hasWaiters != true { await Task.yield() }
        part.removeFromSuperlayer()
        bench.transactions.flush()
        run.runAll()
        bench.main.runAll()
        for _ in 0..<50 { await Task.yield() }
        slow.runAll()
        run.runAll()
        bench.main.runAll()
        #expect(try await waiter.value == ["x"])
    }

    @Test("a tree with a deadline that its layers ask for is waited for once a turn")
    func treeWithDeadline() throws {
        let bench = try LayerBench()
        let root = Part("root", on: bench)
        root.layer.drawsSublayers = true
        root.layer.displayDeadline = .milliseconds(8)
        let parts = (0..<5).map { Part("\($0)", in: root, on: bench) }
        let queue = bench.queue
        bench.main.whileAsleep { queue.runAll() }
        flush(bench) { for part in parts { part.layer.display() } }
        #expect(root.requests == 1)
        #expect(root.outcomes == ["committed"])
        #expect(bench.main.now == .seconds(1_000))
        bench.main.whileAsleep { queue.runAll() }
        for part in parts { part.layer.display() }
        bench.transactions.flush()
        #expect(root.outcomes == ["committed", "committed"])
    }

    @Test("layers may be released on other threads while the main actor asks for them")
    func goOnOtherThreads() async throws {
        let bench = try LayerBench()
        for _ in 0..<200 {
            var layers = (0..<20).map { _ in
                let layer = AsyncLayer(renderer: RecordingRenderer(), host: bench.host)
                layer.bounds = Rect(x: 0, y: 0, width: 4, height: 4)
                layer.delegate = bench
                return layer
            }
            weak let last = layers.last
            let pipelines = layers.map(\.pipeline)
            for layer in layers { layer.display() }
            let box = Lock(layers)
            layers = []
            let thread = Task.detached {
                while let layer = box.withLock({ $0.popLast() }) {
                    layer.setNeedsDisplay()
                }
            }
            for _ in 0..<50 {
                for pipeline in pipelines { pipeline.displayIfNeeded() }
                bench.queue.runNext()
            }
            bench.settle()
            bench.transactions.flush()
            await thread.value
            bench.settle()
            bench.transactions.flush()
            bench.settle()
            #expect(pipelines.allSatisfy { $0.layer == nil })
            #expect(last == nil)
            #expect(pipelines.allSatisfy { $0.machine.isIdle })
        }
        #expect(bench.budget.bytesInUse == 0)
    }
}

@MainActor
private final class Tiered: AsyncLayerDelegate {
    var tier = QoSTier.userInitiated
    func displayTask(for layer: AsyncLayer<RecordingRenderer>) -> DisplayTask<RecordingRenderer>? {
        DisplayTask(tier: tier, draw: { context, _ in context.commands.append("x") })
    }

    @Test("clear() keeps what a callback within it displays")
    func displayWithinClear() throws {
        let bench = try LayerBench()
        bench.makeTask = { [unowned bench] number in
            guard number == 2 else {
                return DisplayTask(key: 1, draw: { context, _ in context.commands = ["1"] })
            }
            return DisplayTask(
                didDisplay: { if case .cancelled = $0 { bench.layer.display() } },
                draw: { context, _ in context.commands = ["2"] })
        }
        bench.layer.display()
        bench.settle()
        bench.layer.display()
        bench.layer.clear()
        bench.settleTurns()
        #expect(bench.requests == 3 && bench.layer.contents?.commands == ["1"])
    }

    @Test("any number of pictures that a group holds are given up one within the other")
    func heldPictures() throws {
        let bench = try LayerBench()
        bench.layer.displaysAsynchronously = false
        bench.makeTask = { [unowned bench] _ in
            DisplayTask(didDisplay: { _ in bench.layer.clear() }, draw: { _, _ in })
        }
        let group = DisplayGroup(timeLimit: .seconds(1), host: bench.host)
        for layer in [bench.layer.unsafelyUnwrapped, bench.addLayer()] { group.add(layer) }
        group.display { _ in }
        for _ in 0..<300 { bench.layer.display() }
        bench.settleTurns()
        #expect(bench.layer.contents == nil && bench.layer.pipeline.machine.isIdle)
    }
}
