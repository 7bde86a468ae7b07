import ManualPools
import QueuePools
import QueuePoolsLocks
import TestSupport
import Testing

@testable import AsyncLayers

/// Where a composition is planned, and how one ends whose bytes the budget has no room for.
@MainActor
@Suite("Compositions are planned where they are drawn", .timeLimit(.minutes(15)))
struct CompositionPlanningTests {
    typealias Part = Composition<RecordingRenderer>.Part

    let bench: LayerBench
    let drawn = Recorder<String>()
    private var layer: AsyncLayer<RecordingRenderer> { bench.layer }
    /// Of the layer's picture.
    private let whole = 800

    init() throws { bench = try LayerBench(budget: 2_000) }

    /// A part of 4 × 2 pixels, 32 bytes, that draws its name.
    private func part(
        _ name: String, whileDrawn: (@MainActor @Sendable () -> Void)? = nil
    ) -> Part {
        Part(key: name, size: Size(width: 4, height: 2)) { [drawn] context, _ in
            drawn.append(name)
            context.commands.append(name)
            MainActor.assumeIsolated { whileDrawn?() }
        }
    }

    private func task(_ parts: [Part]) -> DisplayTask<RecordingRenderer> {
        let log = bench.log
        return DisplayTask(composition: Composition(parts), onEnd: { log.append("did \($0)") })
    }

    /// Occupies the budget but for some bytes, until the layer that it returns is drawn.
    private func occupy(allBut rest: Int) -> AsyncLayer<RecordingRenderer> {
        let other = bench.addLayer()
        other.size = Size(width: 1, height: Double(2_000 - rest) / 4)
        bench.makeTask = { [drawn] _ in
            DisplayTask(qos: .background) { context, _ in
                drawn.append("other")
                context.commands.append("other")
            }
        }
        other.display()
        return other
    }

    private func names(of layer: AsyncLayer<RecordingRenderer>) -> [String]? { layer.contents?.commands }

    /// Runs the jobs of the layer's tier, and lets the main actor receive them.
    private func plan() {
        while bench.pool.runNext(qos: .userInitiated) {}
        bench.main.runAll()
    }

    /// A key that counts how often it is hashed.
    private struct CountedKey: Hashable, Sendable {
        let hashCount: Counter

        static func == (left: Self, right: Self) -> Bool { true }

        func hash(into hasher: inout Hasher) { hashCount.increment() }
    }

    @Test("the main thread looks at no part: neither to begin a pass nor to receive its picture")
    func nothingOnMain() {
        let hashCount = Counter()
        let parts = (0..<10).map { _ in
            Part(key: CountedKey(hashCount: hashCount), size: Size(width: 4, height: 2)) { _, _ in }
        }
        bench.makeTask = { _ in task(parts) }
        layer.display()
        bench.settle()
        let first = hashCount.value
        layer.display()
        #expect(hashCount.value == first)
        bench.pool.runAll()
        let planned = hashCount.value
        #expect(planned >= first + 10)
        bench.main.runAll()
        #expect(hashCount.value == planned)
        #expect(bench.outcomes == ["committed", "committed"])
    }

    @Test("a composition that the budget has no room for waits, planned, until others have ended")
    func waits() {
        let other = occupy(allBut: whole + 32)
        bench.makeTask = { _ in task([part("a"), part("b")]) }
        layer.display()
        #expect(bench.budget.waitingCount == 0)
        plan()
        #expect(bench.budget.waitingCount == 1 && bench.budget.bytesInUse == 2_000 - whole - 32)
        #expect(drawn.elements.isEmpty)
        bench.settleTurns()
        #expect(drawn.elements == ["other", "a", "b"])
        #expect(names(of: layer) == ["a", "b"] && names(of: other) == ["other"])
        #expect(bench.budget.bytesInUse == 0 && bench.budget.peakBytesInUse <= 2_000)
        #expect(bench.outcomes == ["committed"])
    }

    @Test("one that fits takes its bytes as it begins, and gives them back")
    func fits() {
        _ = occupy(allBut: whole + 64)
        let bench = bench
        bench.makeTask = { _ in
            task([part("a") { #expect(bench.budget.bytesInUse == 2_000) }, part("b")])
        }
        layer.display()
        plan()
        #expect(drawn.elements == ["a", "b"])
        #expect(bench.budget.bytesInUse == 2_000 - whole - 64)
    }

    @Test("compositions are in the order of arrival with draws that wait for memory")
    func order() {
        _ = occupy(allBut: whole + 32)
        let (large, last) = (bench.addLayer(), bench.addLayer())
        large.size = Size(width: 1, height: 300)
        bench.makeTask = { _ in task([part("a")]) }
        layer.display()
        bench.makeTask = { [drawn] _ in DisplayTask { _, _ in drawn.append("large") } }
        large.display()
        #expect(bench.budget.waitingCount == 1)
        bench.makeTask = { _ in task([part("b")]) }
        last.display()
        #expect(bench.budget.waitingCount == 2, "it is not planned before the large one has begun")
        plan()
        #expect(drawn.elements == ["a"], "it was before the large one")
        bench.settleTurns()
        #expect(drawn.elements == ["a", "other", "large", "b"])
    }

    @Test(
        "one that waits for memory is replaced, moved, cancelled, suspended or dropped as any draw that waits",
        arguments: ["replaced", "moved", "cancelled", "suspended", "dropped"])
    func leaves(end: String) {
        let other = occupy(allBut: 100)
        bench.makeTask = { _ in task([part("a")]) }
        layer.display()
        plan()
        #expect(bench.budget.waitingCount == 1)
        bench.makeTask = { _ in task([part("b")]) }
        switch end {
        case "replaced": layer.display()
        case "moved": layer.qos = .utility
        case "cancelled": layer.cancelDisplay()
        case "suspended": layer.suspend()
        default: bench.dropLayer()
        }
        bench.settleTurns()
        #expect(names(of: other) == ["other"])
        #expect(bench.budget.bytesInUse == 0 && bench.budget.waitingCount == 0)
        let drawnParts = drawn.elements.filter { $0 != "other" }
        switch end {
        case "replaced":
            #expect(bench.outcomes == ["superseded while waiting", "committed"] && drawnParts == ["b"])
        case "moved": #expect(bench.outcomes == ["committed"] && drawnParts == ["a"])
        default: #expect(bench.outcomes == ["cancelled while waiting"] && drawnParts.isEmpty)
        }
    }

    @Test("one that is replaced while it waits for memory keeps its place before what came later")
    func keepsItsPlace() {
        _ = occupy(allBut: 100)
        bench.makeTask = { _ in task([part("a")]) }
        layer.display()
        plan()
        let small = bench.addLayer()
        small.size = Size(width: 1, height: 20)
        bench.makeTask = { [drawn] _ in DisplayTask { _, _ in drawn.append("small") } }
        small.display()
        for _ in 0..<3 {
            bench.makeTask = { _ in task([part("b")]) }
            layer.display()
            plan()
            #expect(bench.budget.waitingCount == 2)
        }
        bench.settleTurns()
        #expect(drawn.elements == ["other", "b", "small"])
        #expect(bench.budget.bytesInUse == 0 && bench.budget.waitingCount == 0)
    }

    @Test("one of another size in the place of one that waits takes the rest or less, and gives all back")
    func otherSize() {
        for factor in [1.5, 0.5] {
            let other = occupy(allBut: 100)
            bench.makeTask = { _ in task([part("a")]) }
            layer.display()
            plan()
            #expect(bench.budget.waitingCount == 1)
            let size = layer.size
            layer.size = Size(width: size.width, height: size.height * factor)
            bench.makeTask = { _ in task([part("b"), part("c")]) }
            layer.display()
            bench.settleTurns()
            #expect(names(of: layer) == ["b", "c"] && names(of: other) == ["other"])
            #expect(bench.budget.bytesInUse == 0 && bench.budget.waitingCount == 0)
        }
    }

    @Test("one that was stopped while it was planned does not wait for memory")
    func stoppedWhilePlanned() {
        _ = occupy(allBut: 100)
        bench.makeTask = { _ in task([part("a")]) }
        layer.display()
        while bench.pool.runNext(qos: .userInitiated) {}
        layer.cancelDisplay()
        bench.main.runAll()
        #expect(bench.budget.waitingCount == 0)
        #expect(bench.outcomes == ["cancelled while waiting"])
        bench.settle()
        #expect(drawn.elements == ["other"] && bench.budget.bytesInUse == 0)
    }

    @Test("a newer pass that begins while an older one returns for memory is shown after it or in its place")
    func newerWhilePlanned() {
        _ = occupy(allBut: 100)
        bench.makeTask = { _ in task([part("a")]) }
        layer.display()
        while bench.pool.runNext(qos: .userInitiated) {}
        bench.makeTask = { _ in task([part("b")]) }
        layer.display()
        bench.settleTurns()
        #expect(names(of: layer) == ["b"])
        #expect(bench.outcomes.count == 2 && bench.outcomes.last == "committed")
        #expect(bench.budget.bytesInUse == 0 && bench.budget.waitingCount == 0)
    }

    @Test("a pool that is shut down while a composition waits for memory fails it, and gives its bytes back")
    func poolIsShutDown() async {
        _ = occupy(allBut: 100)
        bench.makeTask = { _ in task([part("a")]) }
        layer.display()
        plan()
        let pool = bench.pool
        let end = Task { await pool.hasShutDown(waitingJobs: .cancel) }
        for _ in 0..<1000 { await Task.yield() }
        bench.pool.runAll()
        _ = await end.value
        bench.settleTurns()
        #expect(bench.outcomes.count == 1 && bench.outcomes[0].hasPrefix("failed"))
        #expect(bench.budget.bytesInUse == 0 && bench.budget.waitingCount == 0)
    }

    @Test("layers that share a composition's draw get its picture, also if it waits for memory between")
    func shared() {
        _ = occupy(allBut: 100)
        let second = bench.addLayer()
        bench.makeTask = { _ in
            var task = task([part("a")])
            task.key = ContentKey("whole")
            return task
        }
        layer.display()
        plan()
        second.display()
        bench.settle()
        bench.settle()
        #expect(names(of: layer) == ["a"] && names(of: second) == ["a"])
        #expect(drawn.elements == ["other", "a"] && bench.budget.bytesInUse == 0)
    }
}
