import ManualPools
import QueuePools
import TestSupport
import Testing
import QueuePoolsTransactions

@testable import AsyncLayers

/// The program's code runs when a call into the host has ended, and meets a state that is consistent.
@MainActor
@Suite("The program's code runs last", .timeLimit(.minutes(15)))
struct EffectTests {
    let bench: LayerBench

    init() throws { bench = try LayerBench() }

    @Test("callbacks see all pictures that appear with their own")
    func afterAllPictures() {
        let layers = (0..<3).map { _ in bench.addLayer() }
        let seen = Recorder<Int>()
        bench.makeTask = { _ in
            DisplayTask(
                onEnd: { _ in seen.append(layers.count { $0.contents != nil }) }, draw: { _, _ in })
        }
        let group = DisplayGroup(timeLimit: .seconds(1), host: bench.host)
        for layer in layers { group.add(layer) }
        group.display { _ in }
        bench.settle()
        #expect(seen.elements == [3, 3, 3])
    }

    @Test("what a callback displays is shown before the callback goes on, and reported after it has returned")
    func displayWithinCallback() {
        let log = bench.log
        bench.layer.displaysAsynchronously = false
        bench.makeTask = { [unowned bench] number in
            DisplayTask(
                onEnd: { _ in
                    log.append("report \(number)")
                    guard number == 1 else { return }
                    bench.layer.display()
                    log.append("shows \(bench.layer.contents?.commands.first ?? "nothing")")
                }, draw: { context, _ in context.commands.append("\(number)") })
        }
        bench.layer.display()
        #expect(log.elements == ["report 1", "shows 2", "report 2"])
    }

    @Test(
        "a key whose comparison clears the layer, or cancels it, does not leave it blank",
        arguments: [true, false])
    func clearedByItsKey(clears: Bool) {
        struct Key: Hashable, Sendable {
            let compared: @Sendable () -> Void
            static func == (left: Key, right: Key) -> Bool {
                left.compared()
                right.compared()
                return true
            }
            func hash(into hasher: inout Hasher) {}
        }
        let layer = bench.layer.unsafelyUnwrapped
        let comparisons = Counter()
        let nothing: @Sendable () -> Void = {}
        // Not retained: the layer shows the key.
        let calls: @Sendable () -> Void = { [unowned layer] in
            comparisons.increment()
            MainActor.assumeIsolated { if clears { layer.removeContents() } else { layer.cancelDisplay() } }
        }
        // The first is on show, and the second one is compared with it.
        bench.makeTask = { [unowned bench] number in
            var task = bench.task { context, _ in context.commands.append("draw") }
            task.key = ContentKey(Key(compared: number == 1 ? nothing : calls))
            return task
        }
        layer.display()
        bench.settle()
        layer.display()
        bench.settleTurns()
        #expect(comparisons.value > 0)
        #expect(layer.contents?.commands == ["draw"])
        #expect(layer.pipeline.machine.isIdle)
    }

    @Test("the effects of a loop that a callback runs do not wait for the callback")
    func nestedLoop() {
        let other = bench.addLayer()
        let log = bench.log
        bench.makeTask = { [unowned bench] number in
            DisplayTask(
                onEnd: { _ in
                    log.append("report \(number)")
                    guard number == 1 else { return }
                    // As a modal dialog does.
                    other.display()
                    bench.settle()
                    log.append("returned")
                }, draw: { _, _ in })
        }
        bench.layer.display()
        bench.settle()
        #expect(log.elements == ["report 1", "report 2", "returned"])
    }

    @Test("callbacks that display each other's layers from the cache leave the turn after sixteen rounds")
    func endless() {
        let layers = (0..<2).map { _ in bench.addLayer() }
        let count = Counter()
        bench.makeTask = { number in
            DisplayTask(
                key: "same",
                onEnd: { _ in
                    count.increment()
                    layers[number % 2].display()
                }, draw: { _, _ in })
        }
        layers[0].display()
        bench.settle()
        let first = count.value
        #expect((16...40).contains(first))
        bench.transactions.flush()
        #expect(count.value > first)
        bench.makeTask = { _ in nil }
        bench.settleTurns()
    }

    @Test("a group without layers that displays itself again when it ends leaves the main thread to others")
    func endlessGroup() {
        let group = DisplayGroup(host: bench.host)
        let count = Counter()
        func display() {
            group.display { _ in
                count.increment()
                if count.value < 1_000 { display() }
            }
        }
        display()
        #expect((1...40).contains(count.value))
        bench.main.runAll()
        #expect(count.value == 1_000)
    }
}
