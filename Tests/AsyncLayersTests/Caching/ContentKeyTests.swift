import ManualPools
import QueuePools
import TestSupport
import Testing
import QueuePoolsTransactions

@testable import AsyncLayers

@MainActor
@Suite("Content keys and the cache", .timeLimit(.minutes(15)))
struct ContentKeyTests {
    let bench: LayerBench
    let draws = Counter()
    var layer: AsyncLayer<RecordingRenderer> { bench.layer }

    init() throws { bench = try LayerBench() }

    /// Displays a task whose key is a text, and that draws it.
    private func show(_ text: String, in layer: AsyncLayer<RecordingRenderer>? = nil) {
        bench.makeTask = { [log = bench.log, draws] _ in
            DisplayTask(key: text, onEnd: { log.append("did \($0)") }) { context, _ in
                draws.increment()
                context.commands.append(text)
            }
        }
        (layer ?? self.layer).display()
    }

    @Test("a pass whose key is that of the picture on show draws nothing and is committed at once")
    func unchanged() {
        show("a")
        bench.settle()
        let contents = layer.contents
        show("a")
        #expect(bench.outcomes == ["committed", "committed"])
        #expect(layer.contents === contents)
        #expect(draws.value == 1)
        #expect(bench.host.metrics.snapshot().sources[.unchanged] == 1)
    }

    @Test(
        "an onEnd that displays again does not overflow the stack when its pictures are cached, and continues"
    )
    func displaysAgain() {
        let count = Counter()
        bench.makeTask = { [unowned bench] number in
            DisplayTask(
                key: number % 2,
                onEnd: { _ in if count.increment() < 100_000 { bench.layer.display() } },
                draw: { _, _ in })
        }
        layer.display()
        while count.value < 100_000 {
            bench.settle()
            bench.transactions.flush()
        }
        #expect(draws.value == 0)
    }

    @Test("a key that does not equal itself is drawn each time, and leaves nothing in the cache")
    func notANumber() {
        for number in 1...3 {
            bench.makeTask = { [draws] _ in DisplayTask(key: Double.nan) { _, _ in draws.increment() } }
            layer.display()
            bench.settle()
            #expect(draws.value == number)
        }
        #expect(bench.cache.statistics.count == 0)
        #expect(bench.sharedDrawCount == 0)
    }

    @Test(
        "another size, scale, opacity or background is another picture",
        arguments: ["size", "scale", "opacity", "background", "filling"])
    func whatCounts(change: String) {
        if change == "background" || change == "filling" { layer.background = .opaque() }
        show("a")
        bench.settle()
        switch change {
        case "size": layer.size.width += 0.25
        case "scale": layer.contentsScale = 2
        case "opacity": layer.background = .opaque()
        case "filling": layer.background = .leftToDraw
        default: layer.background = .opaque(.black)
        }
        show("a")
        bench.settle()
        #expect(draws.value == 2)
    }

    @Test("a picture that was shown before comes from the cache, in the same turn, also to another layer")
    func cached() {
        show("a")
        bench.settle()
        let first = layer.contents
        show("b")
        bench.settle()
        show("a")
        #expect(layer.contents === first)
        let second = bench.addLayer()
        show("b", in: second)
        #expect(second.contents?.commands == ["b"])
        #expect(draws.value == 2)
        #expect(bench.outcomes == Array(repeating: "committed", count: 4))
        #expect(bench.cache.statistics.hits == 2)
        #expect(bench.cache.statistics.misses == 2)
        #expect(bench.host.metrics.snapshot().sources[.cached] == 2)
    }

    @Test("a synchronous pass uses and fills the cache too")
    func synchronous() {
        layer.displaysAsynchronously = false
        show("a")
        show("b")
        show("a")
        #expect(layer.contents?.commands == ["a"])
        #expect(draws.value == 2)
    }

    @Test("a cached picture supersedes the draw in flight")
    func cachedSupersedes() {
        show("a")
        bench.settle()
        show("b")
        show("a")
        #expect(bench.outcomes == ["committed", "superseded while waiting", "committed"])
        bench.settle()
        #expect(layer.contents?.commands == ["a"])
    }

    @Test("the least recently used pictures leave when the bytes do not suffice, and all on trim")
    func eviction() throws {
        let bench = try LayerBench(cacheBytes: 2 * 10 * 20 * 4)
        let drawn = Recorder<String>()
        func show(_ text: String) {
            bench.makeTask = { _ in DisplayTask(key: text) { _, _ in drawn.append(text) } }
            bench.layer.display()
            bench.settle()
        }
        for text in ["a", "b", "a", "c", "a", "b"] { show(text) }
        #expect(drawn.elements == ["a", "b", "c", "b"])
        #expect(bench.cache.statistics.bytes == 1_600)
        #expect(bench.cache.statistics.count == 2)
        bench.cache.trim()
        #expect(bench.cache.statistics.bytes == 0)
        #expect(bench.layer.contents != nil)
        show("a")
        #expect(drawn.elements.last == "a")
    }

    @Test("layers that ask for the same picture at the same time share one draw")
    func shared() {
        let second = bench.addLayer()
        show("a")
        show("a", in: second)
        bench.settle()
        #expect(draws.value == 1)
        #expect(layer.contents === second.contents)
        #expect(bench.outcomes == ["committed", "committed"])
        let statistics = bench.host.metrics.snapshot()
        #expect(statistics.sources[.shared] == 1)
        #expect(statistics.drawTimes.sampleCount == 1)
    }

    @Test(
        "a shared draw is for all layers that want it, though the one that began it does not any more",
        arguments: [false, true])
    func sharedDrawOutlivesItsLayer(isDrawn: Bool) {
        let second = bench.addLayer()
        show("a")
        show("a", in: second)
        if isDrawn { bench.pool.runAll() }
        layer.cancelDisplay()
        #expect(bench.outcomes == ["cancelled while waiting"])
        bench.settle()
        #expect(second.contents?.commands == ["a"])
        #expect(layer.contents == nil)
        #expect(draws.value == 1)
    }

    @Test("a shared draw is taken off its queue when no layer wants it any more")
    func sharedDrawNobodyWants() {
        let second = bench.addLayer()
        show("a")
        show("a", in: second)
        second.cancelDisplay()
        layer.cancelDisplay()
        bench.settle()
        #expect(draws.value == 0)
        #expect(bench.outcomes == Array(repeating: "cancelled while waiting", count: 2))
        #expect(bench.sharedDrawCount == 0)
        #expect(bench.host.budget.bytesInUse == 0)
    }

    @Test("an invalidation of the layer that began a shared draw does not stop it for the others")
    func sharedDrawIsNotStale() {
        let second = bench.addLayer()
        let cancelled = Recorder<Bool>()
        bench.makeTask = { [layer] _ in
            DisplayTask(key: "a") { context, scope in
                layer.setNeedsDisplay()
                cancelled.append(scope.isCancelled)
                context.commands.append("a")
            }
        }
        layer.display()
        second.display()
        bench.settle()
        #expect(cancelled.elements == [false])
        #expect(second.contents?.commands == ["a"])
    }

    @Test("a draw that has stopped is not joined")
    func stoppedDraw() {
        let second = bench.addLayer()
        bench.makeTask = { [layer] _ in
            DisplayTask(key: "a") { context, scope in
                MainActor.assumeIsolated { layer.cancelDisplay() }
                #expect(scope.isCancelled)
            }
        }
        layer.display()
        bench.pool.runAll()
        show("a", in: second)
        bench.settle()
        #expect(second.contents?.commands == ["a"])
    }

    @Test("what is unchanged stays, and an older draw that ends afterwards is not shown")
    func unchangedAfterInterim() {
        show("a")
        bench.settle()
        bench.makeTask = { [layer, unowned bench, log = bench.log, main = bench.main] _ in
            DisplayTask(key: "b", onEnd: { log.append("did \($0)") }) { context, _ in
                context.commands.append("b")
                MainActor.assumeIsolated {
                    bench.makeTask = { _ in
                        DisplayTask(
                            key: "c",
                            onEnd: { outcome in
                                log.append("did \(outcome)")
                                // As a loop within this one would.
                                main.runAll()
                            }, draw: { _, _ in })
                    }
                    layer.display()
                }
            }
        }
        layer.display()
        bench.pool.runNext()
        show("a")
        #expect(layer.contents?.commands == ["a"])
        #expect(
            bench.outcomes == [
                "committed", "superseded while waiting", "committed", "superseded while committing",
            ])
    }

    @Test("a pass that joins its own layer's draw, and is cancelled for that, ends when the draw does")
    func joinedAndCancelled() {
        bench.makeTask = { [bench] number in
            DisplayTask(
                key: "a",
                onEnd: { outcome in
                    bench.log.append("did \(outcome)")
                    if number == 1 { bench.layer.cancelDisplay() }
                },
                draw: { [draws] _, _ in
                    draws.increment()
                    if number == 1 { MainActor.assumeIsolated { bench.layer.display() } }
                })
        }
        layer.display()
        bench.settle()
        #expect(bench.outcomes == ["superseded while waiting", "cancelled while drawing"])
        #expect(bench.reports.all.map(\.isWasted) == [false, true])
        #expect(draws.value == 1)
        bench.makeTask = nil
    }

    @Test("a layer that asks again for what is being drawn for it keeps that draw")
    func sameKeyAgain() {
        show("a")
        show("a")
        bench.settle()
        #expect(draws.value == 1)
        #expect(Set(bench.outcomes) == ["superseded while waiting", "committed"])
        #expect(layer.contents?.commands == ["a"])
    }

    @Test("a failed draw fails for all layers that share it, and is tried again by the next pass")
    func failure() {
        let second = bench.addLayer()
        bench.makeTask = { [log = bench.log] _ in
            DisplayTask(key: "a", onEnd: { log.append("did \($0)") }) { _, _ in throw CancellationError()
            }
        }
        layer.display()
        second.display()
        bench.settle()
        #expect(bench.outcomes == Array(repeating: "failed: CancellationError()", count: 2))
        show("a")
        bench.settle()
        #expect(layer.contents?.commands == ["a"])
    }

    /// A key whose comparison calls the program.
    private struct CallingKey: Hashable, Sendable {
        let whenCompared: @MainActor @Sendable () -> Void

        static func == (left: Self, right: Self) -> Bool {
            MainActor.assumeIsolated { left.whenCompared() }
            return true
        }

        func hash(into hasher: inout Hasher) {}
    }

    @Test("a key whose comparison changes the background stands for the picture on the former one")
    func backgroundChangedByKey() {
        let layer = layer
        bench.makeTask = { [weak layer] _ in
            let key = CallingKey { [weak layer] in layer?.background = .opaque(.black) }
            return DisplayTask(key: key) { context, _ in context.commands.append("a") }
        }
        layer.display()
        bench.settle()
        #expect(layer.contents?.commands == ["a"] && layer.contents?.description.isOpaque == false)
    }

    @Test("keys of different types are different")
    func types() {
        #expect(ContentKey(1) != ContentKey("1"))
        #expect(ContentKey(1) != ContentKey(UInt8(1)), "other than with AnyHashable")
        #expect(ContentKey([1, 2]) == ContentKey([1, 2]))
        #expect(Set([ContentKey("a"), ContentKey("b"), ContentKey("a")]).count == 2)
        #expect(ContentKey(1) == ContentKey(1))
        #expect(ContentKey(UInt8(1)).hashValue == ContentKey(UInt8(1)).hashValue)
    }
}
