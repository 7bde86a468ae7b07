import ManualPools
import QueuePoolsLocks
import QueuePools
import TestSupport
import Testing
import QueuePoolsTransactions

@testable import AsyncLayers

@MainActor
@Suite("Combinations of groups, callbacks and threads", .timeLimit(.minutes(15)))
struct LayerCombinationTests {
    @Test("clear() takes a picture that waits for its group, too")
    func clearInGroup() throws {
        let bench = try LayerBench()
        let sync = NamedLayer("s", on: bench), other = NamedLayer("o", on: bench)
        sync.layer.displaysAsynchronously = false
        let group = DisplayGroup(timeLimit: .seconds(100), host: bench.host)
        group.add(sync.layer)
        group.add(other.layer)
        group.display { _ in }
        #expect(sync.names == nil)
        sync.layer.removeContents()
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
                onEnd: { _ in
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

    @Test("few places are kept behind a draw that waits for long")
    func placesBehindWaiting() throws {
        let bench = try LayerBench()
        let host = bench.host
        let slow = AsyncLayer(renderer: RecordingRenderer(), host: host)
        let busy = AsyncLayer(renderer: RecordingRenderer(), host: host)
        for layer in [slow, busy] { layer.size = Size(width: 10, height: 20) }
        let delegate = Tiered(), other = Tiered()
        delegate.tier = .utility
        slow.delegate = delegate
        busy.delegate = other
        slow.display()
        for _ in 0..<5_000 {
            busy.display()
            bench.pool.runAll(qos: .userInitiated)
            bench.main.runAll()
        }
        let kept = Mirror(reflecting: host.demotion).descendant("waiting", "elements")
        #expect(try #require(kept as? [Drawing?]).count < 1_000)
        // What waits holds the host, and the host holds what waits.
        bench.pool.runAll()
        bench.main.runAll()
        withExtendedLifetime((slow, busy)) {}
    }
    @Test("layers may be released on other threads while the main actor asks for them")
    func goOnOtherThreads() async throws {
        let bench = try LayerBench()
        for _ in 0..<200 {
            var layers = (0..<20).map { _ in
                let layer = AsyncLayer(renderer: RecordingRenderer(), host: bench.host)
                layer.size = Size(width: 4, height: 4)
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
                for pipeline in pipelines { pipeline.layer?.turnEnds() }
                bench.pool.runNext()
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

    @Test("clear() keeps what a callback within it displays")
    func displayWithinClear() throws {
        let bench = try LayerBench()
        bench.makeTask = { [unowned bench] number in
            guard number == 2 else {
                return DisplayTask(key: 1, draw: { context, _ in context.commands = ["1"] })
            }
            return DisplayTask(
                onEnd: { if case .cancelled = $0 { bench.layer.display() } },
                draw: { context, _ in context.commands = ["2"] })
        }
        bench.layer.display()
        bench.settle()
        bench.layer.display()
        bench.layer.removeContents()
        bench.settleTurns()
        #expect(bench.requests == 3 && bench.layer.contents?.commands == ["1"])
    }

    @Test("any number of pictures that a group holds are given up one within the other")
    func heldPictures() throws {
        let bench = try LayerBench()
        bench.layer.displaysAsynchronously = false
        bench.makeTask = { [unowned bench] _ in
            DisplayTask(onEnd: { _ in bench.layer.removeContents() }, draw: { _, _ in })
        }
        let group = DisplayGroup(timeLimit: .seconds(1), host: bench.host)
        for layer in [bench.layer.unsafelyUnwrapped, bench.addLayer()] { group.add(layer) }
        group.display { _ in }
        for _ in 0..<300 { bench.layer.display() }
        bench.settleTurns()
        #expect(bench.layer.contents == nil && bench.layer.pipeline.machine.isIdle)
    }
}

@MainActor
private final class Tiered: AsyncLayerDelegate {
    var tier = QoSTier.userInitiated
    func displayTask(for layer: AsyncLayer<RecordingRenderer>) -> DisplayTask<RecordingRenderer>? {
        DisplayTask(qos: tier, draw: { context, _ in context.commands.append("x") })
    }
}
