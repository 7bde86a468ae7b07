import ManualPools
import QueuePools
import TestSupport
import Testing

@testable import AsyncLayers

/// Which parts a pass draws, what it takes of the cache and leaves there, and how it ends.
@MainActor
@Suite("Passes of compositions", .timeLimit(.minutes(15)))
struct CompositionPassTests {
    typealias Part = Composition<RecordingRenderer>.Part

    let bench: LayerBench
    let drawn = Recorder<String>()
    private let released = Counter()
    private var layer: AsyncLayer<RecordingRenderer> { bench.layer }

    init() throws {
        var renderer = RecordingRenderer()
        renderer.onRelease = { [released] in released.increment() }
        bench = try LayerBench(renderer: renderer, budget: 4_000)
    }

    /// A part of 4 × 2 pixels, 32 bytes, that draws its name.
    private func part(
        _ name: String, key: String? = nil, whileDrawn: (@MainActor @Sendable () throws -> Void)? = nil
    ) -> Part {
        var part = Part(size: Size(width: 4, height: 2)) { [drawn] context, _ in
            drawn.append(name)
            context.commands.append(name)
            // Manual queues draw on the test's thread.
            try MainActor.assumeIsolated { try whileDrawn?() }
        }
        if let key { part.key = ContentKey(key) }
        return part
    }

    private func show(_ parts: [Part], key: String? = nil) {
        set(parts, key: key)
        layer.display()
        bench.settle()
    }

    private func set(_ parts: [Part], key: String? = nil) {
        let log = bench.log
        bench.makeTask = { _ in
            var task = DisplayTask<RecordingRenderer>(
                composition: Composition(parts), onEnd: { log.append("did \($0)") })
            if let key { task.key = ContentKey(key) }
            return task
        }
    }

    private var names: [String]? { layer.contents?.commands }

    private func drawnSoFar() -> [String] { drawn.elements }

    @Test("where one part of many has changed, one is drawn, and the picture has all")
    func oneChange() {
        let parts = (0..<50).map { part("\($0)", key: "\($0)") }
        show(parts)
        #expect(drawnSoFar().count == 50)
        var changed = parts
        changed[7] = part("new", key: "new")
        show(changed)
        #expect(drawnSoFar().suffix(from: 50) == ["new"])
        #expect(names == (0..<50).map { $0 == 7 ? "new" : "\($0)" })
        #expect(bench.outcomes == ["committed", "committed"])
    }

    @Test("parts of equal keys in one composition are drawn once, with a cache and without one")
    func equalKeys() throws {
        let parts = [part("a", key: "a"), part("b"), part("a", key: "a"), part("b")]
        show(parts)
        #expect(drawnSoFar() == ["a", "b", "b"])
        #expect(names == ["a", "b", "a", "b"])
        let other = AsyncLayer(renderer: RecordingRenderer(), host: bench.host)
        other.size = layer.size
        other.delegate = bench
        other.display()
        bench.settle()
        #expect(drawnSoFar().dropFirst(3) == ["a", "b", "b"])
        #expect(other.contents?.commands == ["a", "b", "a", "b"])
    }

    @Test("a key is another picture at another size, scale, opacity or background of the part")
    func differentPictures() {
        let parts = (0..<7).map { kind in
            var part = part("\(kind)", key: "a")
            switch kind {
            case 1: part.size.width = 5
            case 2: part.scale = 2
            case 3: part.background = .opaque()
            case 4: part.background = .opaque(.black)
            case 5: part.background = .leftToDraw
            // Where it lies, and how, is not in its picture.
            case 6: part.placement.origin = Point(x: 3, y: 3)
            default: break
            }
            return part
        }
        show(parts)
        #expect(drawnSoFar() == ["0", "1", "2", "3", "4", "5"])
    }

    @Test("a part with a key that does not equal itself is drawn each time")
    func unequalKey() {
        var part = part("nan")
        part.key = ContentKey(Double.nan)
        show([part, part])
        show([part])
        #expect(drawnSoFar() == ["nan", "nan", "nan"])
        #expect(bench.cache.statistics.count == 0)
    }

    @Test("pictures on a color with NaN in it, which nothing finds again, take no room in the cache")
    func unequalBackground() {
        var part = part("a", key: "a")
        part.background = .opaque(Color(white: .nan))
        layer.background = part.background
        for _ in 0..<2 { show([part], key: "whole") }
        #expect(drawnSoFar() == ["a", "a"])
        #expect(bench.cache.statistics.count == 0)
    }

    @Test("invisible parts are neither drawn nor looked up")
    func invisible() {
        var hidden = part("hidden", key: "hidden")
        hidden.placement.isHidden = true
        var outside = part("outside", key: "outside")
        outside.placement.origin.x = 10
        show([hidden, outside])
        #expect(drawnSoFar().isEmpty && names == [])
        #expect(bench.cache.statistics.misses == 0)
    }

    @Test("a key of the task stands for the whole: nothing is drawn, whatever the parts are")
    func wholeKey() {
        show([part("a")], key: "whole")
        show([part("b")], key: "whole")
        #expect(drawnSoFar() == ["a"] && names == ["a"])
        show([part("b")])
        #expect(names == ["b"])
        show([part("c")], key: "whole")
        #expect(names == ["a"], "from the cache")
    }

    @Test("a part's picture is that of a layer of the same key, size, scale, opacity and background")
    func sharedWithLayer() {
        bench.makeTask = { [drawn] _ in
            DisplayTask(key: "a") { context, _ in
                drawn.append("layer")
                context.commands.append("a")
            }
        }
        let single = bench.addLayer()
        single.size = Size(width: 4, height: 2)
        single.display()
        bench.settle()
        show([part("part", key: "a")])
        #expect(drawnSoFar() == ["layer"] && names == ["a"])
    }

    @Test("a draw that is stopped leaves the parts that it has finished in the cache")
    func stopped() {
        let layer = layer
        let keys = ["a", "b", "c", "d"]
        show(keys.map { key in part(key, key: key) { if key == "c" { layer.cancelDisplay() } } })
        #expect(bench.outcomes == ["cancelled while drawing"])
        #expect(drawnSoFar() == ["a", "b", "c"])
        #expect(bench.cache.statistics.count == 2)
        show(keys.map { part($0, key: $0) })
        #expect(drawnSoFar().dropFirst(3) == ["c", "d"])
        #expect(names == keys)
    }

    @Test("a draw whose part fails fails with its error, and leaves the finished parts in the cache")
    func failed() {
        struct OutOfInk: Error {}
        show([part("a", key: "a"), part("b", key: "b") { throw OutOfInk() }, part("c", key: "c")])
        #expect(bench.outcomes == ["failed: OutOfInk()"])
        #expect(drawnSoFar() == ["a", "b"])
        #expect(bench.cache.statistics.count == 1)
        #expect(bench.budget.bytesInUse == 0)
    }

    @Test("a draw that has waited for an older one of its layer draws none of that one's parts again")
    func olderDraw() {
        let layer = layer
        let other = part("c", key: "c")
        show([
            part("a", key: "a") { [self] in
                set([part("a", key: "a"), part("b", key: "b"), other])
                layer.display()
            }, part("b", key: "b"),
        ])
        bench.settle()
        #expect(drawnSoFar() == ["a", "b", "c"])
        #expect(bench.outcomes == ["committed in the interim", "committed"])
        #expect(names == ["a", "b", "c"])
    }

    @Test("a whole that no context may hold fails before memory is taken")
    func oversize() {
        layer.contextByteLimit = 799
        show([part("a", key: "a")])
        #expect(
            bench.outcomes == ["failed: \(DisplayError.tooManyBytes(needed: 800, limit: 799))"])
        #expect(drawnSoFar().isEmpty)
    }

    @Test("a part that no context may hold fails before memory is taken")
    func oversizePart() {
        layer.contextByteLimit = 900
        var large = part("large")
        large.size = Size(width: 10, height: 30)
        show([part("a"), large])
        #expect(
            bench.outcomes == ["failed: \(DisplayError.tooManyBytes(needed: 1_200, limit: 900))"])
        #expect(drawnSoFar().isEmpty)
    }

    @Test("parts that are new together beyond the budget fail before memory is taken; those there are free")
    func budget() {
        // The whole takes 800 bytes.
        let parts = (0..<101).map { part("\($0)", key: "\($0)") }
        show(parts)
        #expect(
            bench.outcomes == ["failed: \(DisplayError.tooManyBytes(needed: 4_032, limit: 4_000))"])
        #expect(drawnSoFar().isEmpty && bench.budget.peakBytesInUse == 0)
        show(Array(parts.prefix(60)))
        show(parts)
        #expect(bench.outcomes.dropFirst() == ["committed", "committed"])
        #expect(drawnSoFar().count == 101)
        #expect(bench.budget.peakBytesInUse == 800 + 60 * 32 && bench.budget.bytesInUse == 0)
        show((0..<101).map { part("unkeyed \($0)") })
        #expect(bench.outcomes.last == "committed", "one at a time")
    }

    @Test("a picture that the cache leaves while a draw uses it lives until the draw has ended")
    func heldWhileDrawn() {
        let a = part("a", key: "a")
        show([a, part("b")])
        let (bench, released) = (bench, released)
        set([
            part("c") {
                bench.cache.trim()
                while bench.pool.runNext(qos: .background) {}
                // The first whole is still shown; of "a" the draw has the picture.
                #expect(released.value == 1, "the unkeyed part")
            }, a,
        ])
        layer.display()
        bench.settle()
        #expect(names == ["c", "a"] && drawnSoFar() == ["a", "b", "c"])
        bench.settle()
        #expect(released.value == 4, "a, the first whole and the second unkeyed part, too")
    }

    @Test(
        "pictures that parts were found in are left once the draw is dropped, stopped, failed or shown",
        arguments: ["dropped", "withdrawn", "failed", "oversize", "shown"])
    func left(end: String) {
        struct OutOfInk: Error {}
        show([part("a", key: "a"), part("b", key: "b")])
        #expect(released.value == 0)
        set([part("a", key: "a"), part("c") { if end == "failed" { throw OutOfInk() } }])
        if end == "oversize" {
            var large = part("large")
            large.size = Size(width: 100, height: 100)
            set([part("a", key: "a"), large])
        }
        layer.display()
        if end == "dropped" { layer.display() }
        if end == "withdrawn" { layer.cancelDisplay() }
        bench.settle()
        let releasedBefore = released.value
        layer.removeContents()
        bench.cache.trim()
        bench.main.runAll()
        #expect(
            released.value == releasedBefore, "in a job of the last holder, and not with the last reference")
        bench.settle()
        bench.settle()
        let made = 3 + (end == "failed" || end == "oversize" || end == "withdrawn" ? 0 : 2)
        #expect(released.value == made)
    }

    @Test("what a draw that waits will find may leave the cache: then it is drawn")
    func trimmedWhileWaiting() {
        let parts = [part("a", key: "a")]
        show(parts)
        set(parts)
        layer.display()
        bench.cache.trim()
        bench.settle()
        #expect(bench.outcomes == ["committed", "committed"] && drawnSoFar() == ["a", "a"])
    }

    @Test("closures of parts are released on the main actor when the pass has ended, and none before")
    func lifetimes() {
        let released = Counter()
        func probed(_ name: String) -> Part {
            let probe = LifetimeProbe {
                MainActor.assumeIsolated {}
                released.increment()
            }
            return Part(key: name, size: Size(width: 2, height: 2)) { _, _ in probe.touch() }
        }
        let bench = bench
        bench.makeTask = { _ in
            DisplayTask(composition: Composition([probed("a"), probed("b"), probed("a")]))
        }
        layer.display()
        bench.pool.runAll()
        #expect(released.value == 0)
        bench.settle()
        #expect(released.value == 3)
    }

    @Test("a synchronous composition is shown before display() returns, with parts of the cache")
    func synchronous() {
        layer.displaysAsynchronously = false
        set([part("a", key: "a"), part("b")])
        for _ in 0..<2 { layer.display() }
        #expect(names == ["a", "b"] && drawnSoFar() == ["a", "b", "b"])
        #expect(bench.outcomes == ["committed", "committed"])
    }

    @Test("a composition has no draft, however much waits to be drawn")
    func noDraft() {
        bench.makeTask = { _ in DisplayTask { _, _ in } }
        let others = (0..<2).map { _ in bench.addLayer() }
        for other in others { other.display() }
        bench.main.advance(by: .milliseconds(100))
        layer.draft = 0.5
        show([part("a")])
        #expect(bench.outcomes == ["committed"] && layer.contentsGeometry?.scale == 1)
    }

    @Test("the parts' pictures and the whole are in the cache by their own bytes")
    func bytes() {
        show([part("a", key: "a"), part("b", key: "b"), part("c")], key: "whole")
        #expect(bench.cache.statistics.count == 3)
        #expect(bench.cache.statistics.bytes == 800 + 2 * 32)
    }

    @Test("the deepest composition there may be is released on any thread without a stack overflow")
    func deepRelease() async {
        let depth = BasePart.maximumDepth
        let isTooDeep = await Task.detached {
            var top = Part(size: Size(width: 4, height: 2))
            for _ in 1..<depth { top = Part(size: Size(width: 4, height: 2), parts: [top]) }
            return top.base.isTooDeep
        }.value
        #expect(!isTooDeep)
    }
}
