import ManualPools
import QueuePools
import TestSupport
import Testing
import QueuePoolsTransactions

@testable import AsyncLayers

/// Memory for one draw at a time makes the others wait, as workers do that are busy.
@MainActor
@Suite("Drafts and the geometry of what is shown", .timeLimit(.minutes(15)))
struct DraftTests {
    let bench: LayerBench

    init() throws {
        bench = try LayerBench(budget: 10 * 20 * 4)
        bench.makeTask = { [unowned bench] number in
            bench.task { context, scope in context.commands.append("draw \(number) at \(scope.scale)") }
        }
    }

    private func addLayer(draft: Double = 0.5) -> AsyncLayer<RecordingRenderer> {
        let layer = bench.addLayer()
        layer.draft = draft
        return layer
    }

    /// Two layers of which one waits for as long as makes the host notice that it is behind.
    private func fallBehind() -> [AsyncLayer<RecordingRenderer>] {
        let layers = [addLayer(draft: 0), addLayer(draft: 0)]
        for layer in layers { layer.display() }
        bench.main.advance(by: .milliseconds(20))
        return layers
    }

    /// Draws what waits, and what asks for a display.
    private func settle() {
        for _ in 0..<10 {
            bench.settle()
            bench.transactions.flush()
        }
    }

    @Test("a layer with nothing to show is drawn as a draft while others wait, then in full, a tier lower")
    func draft() {
        let others = fallBehind()
        let layer = addLayer()
        var shown: [String] = []
        layer.onContentsChange = { [unowned layer] transition in
            shown.append(
                "\(layer.contents?.commands ?? []) \(transition.geometry.scale) \(transition.geometry.size.width)"
            )
        }
        layer.display()
        settle()
        #expect(shown == [#"["draw 3 at 0.5"] 0.5 10.0"#, #"["draw 4 at 1.0"] 1.0 10.0"#])
        #expect(bench.outcomes.count { $0 == "committed in the interim" } == 1)
        #expect(bench.outcomes.count { $0 == "committed" } == 3)
        #expect(bench.reports.all.last?.qos == .default)
        withExtendedLifetime(others) {}
    }

    @Test("of many layers that are displayed at once those that will wait for long are drawn as drafts first")
    func atOnce() {
        let threads = bench.host.threadCount
        // Four a thread take as long as the delay, by the first estimate.
        let layers = (0..<5 * threads + 3).map { _ in addLayer() }
        for layer in layers { layer.display() }
        settle()
        for _ in 0..<10 * threads where layers.contains(where: { $0.contentsGeometry?.scale != 1 }) {
            settle()
        }
        #expect(bench.outcomes.count { $0 == "committed in the interim" } == 3)
        #expect(layers.allSatisfy { $0.contentsGeometry?.scale == 1 })
        #expect(bench.host.backlog.isEmpty)
    }

    @Test("the queue's estimate follows the draws on a tier and above, and ends with them")
    func backlog() {
        var backlog = DrawBacklog()
        #expect(backlog.isEmpty && backlog.wait(on: .background, threadCount: 2) == .zero)
        for _ in 0..<6 { backlog.enter(.userInitiated) }
        for _ in 0..<4 { backlog.enter(.utility) }
        #expect(backlog.wait(on: .userInteractive, threadCount: 2) == .zero)
        #expect(backlog.wait(on: .userInitiated, threadCount: 2) == .milliseconds(8))
        #expect(backlog.wait(on: .background, threadCount: 2) == .milliseconds(16))
        for _ in 0..<100 { backlog.drew(in: .milliseconds(12)) }
        #expect(backlog.wait(on: .userInitiated, threadCount: 2) > .milliseconds(23))
        for _ in 0..<100 { backlog.drew(in: .seconds(-1)) }
        #expect(backlog.wait(on: .background, threadCount: 2) < .milliseconds(1))
        for _ in 0..<6 { backlog.leave(.userInitiated) }
        for _ in 0..<4 { backlog.leave(.utility) }
        #expect(backlog.isEmpty)
    }

    @Test("of several layers that are displayed while others wait each is drawn as a draft first")
    func several() {
        let others = fallBehind()
        let layers = [addLayer(), addLayer(), addLayer()]
        for layer in layers { layer.display() }
        settle()
        #expect(bench.outcomes.count { $0 == "committed in the interim" } == 3)
        #expect(layers.allSatisfy { $0.contentsGeometry?.scale == 1 })
        withExtendedLifetime(others) {}
    }

    @Test("what waits on a lower tier makes no draft; what was demoted does", arguments: [false, true])
    func lowerTier(wasMoved: Bool) {
        let others = [addLayer(draft: 0), addLayer(draft: 0)]
        for layer in others { layer.display() }
        if wasMoved { for layer in others { layer.qos = .default } }
        bench.main.advance(by: .milliseconds(20))
        let more = [addLayer(draft: 0), addLayer()]
        for layer in more { layer.display() }
        settle()
        #expect(bench.outcomes.count { $0 == "committed in the interim" } == (wasMoved ? 0 : 1))
        withExtendedLifetime((others, more)) {}
    }

    @Test("a shared draw that was moved to a lower tier waits on its own, and makes drafts there")
    func sharedAndMoved() {
        bench.makeTask = { [unowned bench] number in
            var task = bench.task { context, _ in context.commands.append("draw \(number)") }
            if number == 2 || number == 3 { task.key = ContentKey("shared") }
            return task
        }
        let others = [addLayer(draft: 0), addLayer(draft: 0), addLayer(draft: 0)]
        others[0].display()
        // Drawn, but its memory is not free yet.
        bench.pool.runAll()
        for layer in others.dropFirst() { layer.display() }
        others[1].qos = .background
        bench.main.advance(by: .milliseconds(20))
        let layer = addLayer()
        layer.display()
        settle()
        #expect(bench.outcomes.count { $0 == "committed in the interim" } == 1)
        withExtendedLifetime(others) {}
    }

    @Test("a draft appears as an interim picture, and the picture in full does not")
    func transitions() {
        let others = fallBehind()
        let layer = addLayer()
        var isInterim: [Bool] = []
        layer.onContentsChange = { isInterim.append($0.isInterim) }
        layer.display()
        settle()
        #expect(isInterim == [true, false])
        withExtendedLifetime(others) {}
    }

    @Test("a layer that shows a picture is drawn in full, until it is reused")
    func noDraft() {
        let layer = addLayer()
        layer.display()
        settle()
        let others = fallBehind()
        layer.display()
        settle()
        #expect(bench.outcomes.allSatisfy { $0 == "committed" })
        let more = fallBehind()
        layer.cancelDisplay()
        layer.display()
        settle()
        #expect(bench.outcomes.count { $0 == "committed in the interim" } == 1)
        #expect(layer.contentsGeometry?.scale == 1)
        withExtendedLifetime((others, more)) {}
    }

    @Test(
        "without others that wait there is no draft, nor for a fraction that is none",
        arguments: [
            0.5, 0, 1, -1, 2, .nan, .infinity, 0.01,
        ])
    func fractions(draft: Double) {
        let others = draft == 0.5 ? [] : fallBehind()
        let layer = addLayer(draft: draft)
        layer.display()
        settle()
        #expect(layer.contentsGeometry == ContentsGeometry(size: Size(width: 10, height: 20), scale: 1))
        #expect(bench.outcomes.allSatisfy { $0 == "committed" })
        withExtendedLifetime(others) {}
    }

    @Test("a picture that is in the cache is shown in full; a draft that is there is shown as one")
    func cached() {
        bench.makeTask = { [unowned bench] number in
            var task = bench.task { context, scope in context.commands.append("\(scope.scale)") }
            task.key = ContentKey(number == 1 || number == 2 ? "other \(number)" : "same")
            return task
        }
        let others = fallBehind()
        let layers = [addLayer(), addLayer()]
        layers[0].display()
        settle()
        #expect(layers[0].contents?.commands == ["1.0"])
        let more = fallBehind()
        layers[1].display()
        #expect(layers[1].contents?.commands == ["1.0"])
        withExtendedLifetime((others, more)) {}
    }

    @Test("a caller that waits for a layer waits for the whole picture")
    func awaited() async throws {
        let others = fallBehind()
        let layer = addLayer()
        layer.display()
        let waiter = Task { @MainActor in try await layer.displayed() }
        await waitWhile(!layer.pipeline.isAwaited)
        bench.settle()
        bench.settle()
        #expect(layer.contentsGeometry?.scale == 0.5)
        #expect(!layer.pipeline.isSettled)
        settle()
        try await waiter.value
        #expect(layer.contentsGeometry?.scale == 1)
        withExtendedLifetime(others) {}
    }

    @Test("a cancellation withdraws the display in full; clear() also shows nothing")
    func cancelled() {
        let others = fallBehind()
        let layer = addLayer()
        layer.display()
        bench.settle()
        bench.settle()
        bench.settle()
        layer.cancelDisplay()
        settle()
        #expect(layer.contentsGeometry?.scale == 0.5)
        layer.setNeedsDisplay()
        layer.removeContents()
        settle()
        #expect(layer.contents == nil)
        #expect(layer.contentsGeometry == nil)
        #expect(!layer.pipeline.isDisplayNeeded)
        withExtendedLifetime(others) {}
    }

    @Test("the geometry is that of the picture, also when the layer has another size by now")
    func geometry() {
        let layer = addLayer()
        layer.contentsScale = 2
        layer.size = Size(width: 4, height: 4)
        layer.display()
        settle()
        layer.size = Size(width: 8, height: 2)
        let geometry = ContentsGeometry(size: Size(width: 4, height: 4), scale: 2)
        #expect(layer.contentsGeometry == geometry)
        let bounds = Rect(origin: Point(x: 100, y: 50), size: layer.size)
        #expect(geometry.frame(in: bounds) == bounds)
        #expect(
            geometry.frame(in: bounds, .pinned(x: 1, y: 0.5))
                == Rect(x: 104, y: 49, width: 4, height: 4))
        layer.onContentsChange = { transition in
            #expect(transition.formerGeometry == geometry)
            #expect(transition.geometry.size == Size(width: 8, height: 2))
        }
        layer.display()
        settle()
    }
}
