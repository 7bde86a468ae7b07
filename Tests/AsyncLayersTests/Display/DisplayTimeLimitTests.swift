import ManualPools
import QueuePools
import TestSupport
import Testing
import QueuePoolsTransactions

@testable import AsyncLayers

@MainActor
@Suite("Deadline, placeholder and cross-fade", .timeLimit(.minutes(15)))
struct DisplayTimeLimitTests {
    let bench: LayerBench
    var layer: AsyncLayer<RecordingRenderer> { bench.layer }

    init() throws { bench = try LayerBench() }

    private func placeholder() throws -> RecordingRenderer.Picture {
        let renderer = RecordingRenderer()
        let context = try renderer.makeContext(ContextDescription(pixelWidth: 1, pixelHeight: 1))
        context.commands.append("placeholder")
        return try renderer.makeContents(from: context)
    }

    @Test("a draw that is done within the deadline is shown in the same turn")
    func inTime() {
        layer.displayTimeLimit = .milliseconds(4)
        layer.setNeedsDisplay()
        bench.main.whileAsleep { [pool = bench.pool] in pool.runAll() }
        bench.transactions.flush()
        #expect(layer.contents?.commands == ["draw 1"])
        #expect(bench.outcomes == ["committed"])
    }

    @Test("the main thread waits no longer than the deadline, and keeps the old contents")
    func tooLate() {
        layer.display()
        bench.settle()
        layer.displayTimeLimit = .milliseconds(4)
        let start = bench.main.now
        layer.display()
        #expect(bench.main.now == start + .milliseconds(4))
        #expect(layer.contents?.commands == ["draw 1"])
        bench.settle()
        #expect(layer.contents?.commands == ["draw 2"])
    }

    @Test("draws of one turn are waited for together, each no longer than its own deadline")
    func together() {
        let layers = (1...3).map { number in
            let layer = bench.addLayer()
            layer.displayTimeLimit = .milliseconds(number)
            return layer
        }
        let start = bench.main.now
        for layer in layers { layer.setNeedsDisplay() }
        bench.transactions.flush()
        #expect(bench.main.now == start + .milliseconds(3))
        bench.settle()
        for layer in layers { layer.setNeedsDisplay() }
        bench.main.whileAsleep { [pool = bench.pool] in pool.runAll() }
        bench.transactions.flush()
        #expect(bench.main.now == start + .milliseconds(3))
        #expect(bench.outcomes == Array(repeating: "committed", count: 6))
    }

    @Test("a draw that has come back beside the one being received is not waited for")
    func besideTheOneBeingReceived() {
        let (second, third) = (bench.addLayer(), bench.addLayer())
        third.displayTimeLimit = .milliseconds(4)
        bench.makeTask = { number in
            var task = DisplayTask<RecordingRenderer>(key: min(number, 2)) { _, _ in }
            if number == 1 { task.onEnd = { _ in third.display() } }
            return task
        }
        layer.display()
        second.display()
        bench.pool.runAll()
        let start = bench.main.now
        bench.main.runAll()
        #expect(bench.main.now == start)
        #expect(third.contents != nil && third.contents === second.contents)
        #expect(bench.requests == 3)
    }

    @Test("layers that share a draw and wait for it each get their own placeholder")
    func sharedDraw() throws {
        let placeholder = try placeholder()
        let second = bench.addLayer()
        bench.makeTask = { _ in DisplayTask(key: 1, placeholder: placeholder) { _, _ in } }
        for layer in [layer, second] {
            layer.displayTimeLimit = .milliseconds(4)
            layer.setNeedsDisplay()
        }
        bench.transactions.flush()
        #expect(layer.showsPlaceholder && second.showsPlaceholder)
        bench.settle()
        #expect(!layer.showsPlaceholder && !second.showsPlaceholder)
        #expect(layer.contents === second.contents)
    }

    @Test("draws that are known to take longer than the deadline are not waited for")
    func hopeless() {
        layer.displayTimeLimit = .milliseconds(4)
        bench.makeTask = { [unowned bench] number in
            bench.task { [main = bench.main] _, _ in main.advance(by: .milliseconds(10)) }
        }
        layer.display()
        bench.settle()
        let start = bench.main.now
        layer.display()
        #expect(bench.main.now == start)
        bench.settle()
    }

    @Test("a draw that has waited for long is no long draw: the next one is waited for")
    func longWait() {
        layer.displayTimeLimit = .milliseconds(4)
        layer.display()
        bench.main.advance(by: .seconds(1))
        bench.settle()
        let start = bench.main.now
        layer.display()
        #expect(bench.main.now == start + .milliseconds(4))
        bench.settle()
    }

    @Test("a placeholder is replaced by that of the layer's next use")
    func nextPlaceholder() throws {
        let placeholders = [try placeholder(), try placeholder()]
        bench.makeTask = { number in DisplayTask(placeholder: placeholders[number - 1]) { _, _ in } }
        for placeholder in placeholders {
            layer.display()
            #expect(layer.contents === placeholder)
            layer.cancelDisplay()
        }
    }

    @Test("a main thread that waits for a draw does not wait for that of another host's layer")
    func otherHost() throws {
        let loop = ManualLoop()
        defer { loop.close() }
        let other = DisplayHost(
            pool: bench.pool, transactions: TransactionQueue(driver: ManualTurnDriver()), loop: loop,
            budget: bench.budget)
        let stranger = AsyncLayer(renderer: RecordingRenderer(), host: other, cache: bench.cache)
        stranger.size = layer.size
        stranger.delegate = bench
        bench.makeTask = { _ in DisplayTask(key: "shared") { context, _ in context.commands.append("drawn") }
        }
        stranger.display()
        layer.displayTimeLimit = .milliseconds(4)
        bench.main.whileAsleep { [pool = bench.pool] in pool.runAll() }
        layer.display()
        #expect(layer.contents?.commands == ["drawn"])
        loop.runAll()
        #expect(stranger.contents?.commands == ["drawn"])
    }

    @Test("a layer that displays again whenever a wait is over does not block the main thread forever")
    func displayAgain() {
        layer.displayTimeLimit = .milliseconds(4)
        bench.makeTask = { [unowned bench] number in
            var task = bench.task { _, _ in }
            task.onEnd = { _ in if number < 10 { bench.layer.display() } }
            return task
        }
        let start = bench.main.now
        bench.main.whileAsleep { [pool = bench.pool] in pool.runAll() }
        layer.display()
        #expect(bench.main.now == start)
        #expect(bench.requests == 2)
        layer.displayTimeLimit = .zero
        while bench.requests < 10 { bench.settle() }
        bench.settle()
    }

    @Test("on a real pool a draw that never ends in time delays the main thread by the deadline and no more")
    func realPool() async throws {
        let pool = try DefaultQueuePool(label: "deadline", queuesPerTier: .exactly(1))
        let layer = AsyncLayer(renderer: RecordingRenderer(), host: DisplayHost(pool: pool))
        let gate = Gate()
        layer.size = bench.layer.size
        layer.delegate = bench
        layer.displayTimeLimit = .milliseconds(20)
        bench.makeTask = { [unowned bench] _ in bench.task { _, _ in gate.pass() } }
        let clock = ContinuousClock()
        let time = clock.measure { layer.display() }
        #expect(time >= .milliseconds(20))
        #expect(time < .seconds(30))
        #expect(layer.contents == nil)
        gate.open()
        try await layer.displayed()
        #expect(layer.contents != nil)
        layer.displayTimeLimit = .seconds(60)
        bench.makeTask = { [unowned bench] number in
            bench.task { context, _ in context.commands.append("draw \(number)") }
        }
        layer.display()
        #expect(layer.contents?.commands == ["draw 2"], "it did not have to wait for the main loop")
        try await pool.shutdown()
    }

    @Test("a placeholder shows until the picture is there, and only where there is nothing to keep")
    func placeholders() throws {
        let placeholder = try placeholder()
        bench.makeTask = { [unowned bench] number in
            var task = bench.task { context, _ in context.commands.append("draw \(number)") }
            task.placeholder = placeholder
            return task
        }
        layer.display()
        #expect(layer.contents === placeholder)
        #expect(layer.showsPlaceholder)
        bench.settle()
        #expect(layer.contents?.commands == ["draw 1"])
        #expect(!layer.showsPlaceholder)
        layer.display()
        #expect(layer.contents?.commands == ["draw 1"])
        layer.removeContents()
        layer.display()
        #expect(layer.contents === placeholder)
        bench.settle()
        #expect(layer.contents?.commands == ["draw 3"])
    }

    @Test("within the deadline no placeholder is shown; after it, it is")
    func placeholderAfterDeadline() throws {
        let placeholder = try placeholder()
        let shown = Recorder<String>()
        layer.onContentsChange = { [layer] _ in shown.append(layer.contents?.commands.first ?? "nothing") }
        layer.displayTimeLimit = .milliseconds(4)
        bench.makeTask = { [unowned bench] number in
            var task = bench.task { context, _ in context.commands.append("draw \(number)") }
            task.placeholder = placeholder
            return task
        }
        bench.main.whileAsleep { [pool = bench.pool] in pool.runAll() }
        layer.display()
        #expect(shown.elements == ["draw 1"])
        layer.removeContents()
        layer.display()
        #expect(shown.elements == ["draw 1", "nothing", "placeholder"])
        bench.settle()
        #expect(shown.elements == ["draw 1", "nothing", "placeholder", "draw 2"])
        layer.onContentsChange = nil
    }

    @Test("the cross-fade hook gets both pictures with the times at which they appeared")
    func crossFade() {
        var transitions: [ContentsTransition<RecordingRenderer.Picture>] = []
        layer.onContentsChange = { transitions.append($0) }
        #expect(layer.shownAt == nil)
        let start = bench.main.now
        layer.display()
        bench.settle()
        bench.main.advance(by: .milliseconds(30))
        layer.display()
        bench.settle()
        #expect(transitions.count == 2)
        #expect(transitions[0].former == nil)
        #expect(transitions[0].shownAt == start)
        #expect(transitions[1].former?.commands == ["draw 1"])
        #expect(transitions[1].formerShownAt == start)
        #expect(transitions[1].shownAt == start + .milliseconds(30))
        #expect(layer.shownAt == start + .milliseconds(30))
        layer.onContentsChange = nil
    }

    @Test("a transition is interim if the outcome of its pass is, so that no fade begins within another")
    func interimTransitions() {
        var isInterim: [Bool] = []
        layer.onContentsChange = { isInterim.append($0.isInterim) }
        bench.makeTask = { [unowned bench] number in
            bench.task { [layer = bench.layer!] context, _ in
                if number < 3 { layer.setNeedsDisplay() }
                context.commands.append("draw \(number)")
            }
        }
        layer.setNeedsDisplay()
        bench.settleTurns()
        #expect(bench.outcomes == ["committed in the interim", "committed in the interim", "committed"])
        #expect(isInterim == [true, true, false])
        layer.onContentsChange = nil
    }

    @Test("a placeholder is not interim, nor is a layer that was cleared")
    func transitionsWithoutPass() throws {
        var isInterim: [Bool] = []
        layer.onContentsChange = { isInterim.append($0.isInterim) }
        let placeholder = try placeholder()
        bench.makeTask = { [unowned bench] number in
            var task = bench.task { context, _ in context.commands.append("draw \(number)") }
            task.placeholder = placeholder
            return task
        }
        layer.display()
        layer.setNeedsDisplay()
        #expect(isInterim == [false], "the placeholder")
        bench.settle()
        #expect(isInterim == [false, true])
        layer.removeContents()
        #expect(isInterim == [false, true, false])
        layer.onContentsChange = nil
    }

    @Test("a former picture that fades out is released in the background, when the fading is over")
    func formerContents() throws {
        let released = Counter()
        var renderer = RecordingRenderer()
        renderer.onRelease = { released.increment() }
        let bench = try LayerBench(renderer: renderer)
        var fade: ContentsTransition<RecordingRenderer.Picture>?
        bench.layer.onContentsChange = { fade = $0 }
        for _ in 0..<2 {
            bench.layer.display()
            bench.settle()
        }
        #expect(fade?.former?.commands == ["draw 1"])
        bench.pool.runAll()
        #expect(released.value == 0)
        fade = nil
        #expect(released.value == 0, "not on the main actor")
        bench.pool.runAll()
        #expect(released.value == 1)
        bench.layer.onContentsChange = nil
    }

    @Test("a picture that appears while its layer is asked for a newer one is an interim picture")
    func interimWhileAsked() {
        let (x, y) = (bench.addLayer(), bench.addLayer())
        y.displayTimeLimit = .milliseconds(5)
        let (outcomes, transitions) = (Recorder<String>(), Recorder<Bool>())
        x.onContentsChange = { transitions.append($0.isInterim) }
        bench.makeTask = { [unowned bench] number in
            if number == 2 {
                bench.main.whileAsleep { [pool = bench.pool] in pool.runAll() }
                y.display()  // waits, and receives what has ended
            }
            return DisplayTask(onEnd: { outcomes.append("\(number) \($0)") }, draw: { _, _ in })
        }
        x.display()
        bench.pool.runAll()
        x.display()
        #expect(outcomes.elements.contains("1 committed in the interim"))
        #expect(transitions.elements.first == true)
        bench.settleTurns()
        x.onContentsChange = nil
    }
}
