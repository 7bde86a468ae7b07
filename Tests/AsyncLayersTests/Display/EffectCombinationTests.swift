import QueuePoolsLocks
import ManualPools
import QueuePools
import TestSupport
import Testing
import QueuePoolsTransactions

@testable import AsyncLayers

@MainActor
@Suite("Combinations of callbacks, deadlines and hosts", .timeLimit(.minutes(15)))
struct EffectCombinationTests {
    let bench: LayerBench
    init() throws { bench = try LayerBench() }

    @Test("the effects of what a nested loop's handlers call do not wait for the callback", arguments: 0..<4)
    func nestedHandlers(kind: Int) {
        let other = bench.addLayer()
        let log = bench.log
        bench.makeTask = { [unowned bench] number in
            DisplayTask(
                onEnd: { outcome in
                    log.append("report \(number) \(outcome)")
                    guard number == 1 else { return }
                    // A modal dialog, whose event handler does something.
                    bench.main.perform {
                        switch kind {
                        case 0:
                            other.displaysAsynchronously = false
                            other.display()
                        case 1:
                            other.display()
                            other.cancelDisplay()
                        case 2:
                            let group = DisplayGroup(host: bench.host)
                            group.display { _ in log.append("report 2 group") }
                        default:
                            other.display()
                            other.suspend()
                            other.resume()
                        }
                    }
                    bench.main.runAll()
                    bench.main.advance(by: .seconds(10))
                    bench.main.runAll()
                    log.append("returned")
                }, draw: { _, _ in })
        }
        bench.layer.display()
        bench.settle()
        let elements = log.elements
        #expect(elements.last == "returned", "\(elements)")
        bench.settleTurns()
    }

    @Test("a loop that a late callback of a chain runs can display")
    func deepLoop() {
        let other = bench.addLayer()
        let count = Counter()
        let shown = Recorder<Bool>()
        bench.makeTask = { [unowned bench] number in
            DisplayTask(
                key: "same",
                onEnd: { _ in
                    count.increment()
                    if count.value < 16 { return bench.layer.display() }
                    guard count.value == 16 else { return }
                    // A modal dialog with a layer of its own.
                    bench.makeTask = { _ in DisplayTask { _, _ in } }
                    other.setNeedsDisplay()
                    for _ in 0..<20 {
                        bench.main.advance(by: .milliseconds(16))
                        bench.transactions.flush()
                        bench.settle()
                    }
                    shown.append(other.contents != nil)
                }, draw: { _, _ in })
        }
        bench.layer.display()
        bench.settle()
        #expect(shown.elements == [true])
        bench.settleTurns()
    }

    @Test("a caller that waits for a picture that was shown is not told that it was cancelled")
    func waiterOfCommitted() async throws {
        let a = bench.addLayer(), b = bench.addLayer()
        let outcomes = Recorder<String>()
        bench.makeTask = { n in
            DisplayTask(
                onEnd: {
                    outcomes.append("\(n) \($0)")
                    if n == 1 { b.cancelDisplay() }
                }, draw: { _, _ in })
        }
        let group = DisplayGroup(host: bench.host)
        group.add(a)
        group.add(b)
        group.display { _ in }
        let waiter = Task { try await b.displayed() }
        for _ in 0..<10 { await Task.yield() }
        bench.settle()
        let result = await waiter.result
        #expect(outcomes.elements == ["1 committed", "2 committed"])
        #expect(throws: Never.self) { try result.get() }
    }

    @Test("errors and tasks are released outside of entries", arguments: 0..<3)
    func releasedWithin(kind: Int) throws {
        let isInCall = Recorder<Bool>()
        let host = bench.host
        final class Failure: Error, Sendable {
            let onRelease: @Sendable () -> Void
            init(_ onRelease: @escaping @Sendable () -> Void) { self.onRelease = onRelease }
            deinit { onRelease() }
        }
        let record: @Sendable () -> Void = {
            MainActor.assumeIsolated { isInCall.append(host.effects.isInCall) }
        }
        let layer = bench.addLayer()
        switch kind {
        case 0:  // a layer that is gone, and whose draw fails
            var mortal: AsyncLayer? = bench.newLayer()
            bench.makeTask = { _ in DisplayTask { _, _ in throw Failure(record) } }
            mortal!.display()
            bench.pool.runAll()
            mortal = nil
        case 1:  // a synchronous draw that suspends its layer, and fails
            layer.displaysAsynchronously = false
            bench.makeTask = { _ in
                DisplayTask { _, _ in
                    MainActor.assumeIsolated { layer.suspend() }
                    throw Failure(record)
                }
            }
            layer.display()
        default:  // cancelled in the turn that would have waited for it
            layer.displayTimeLimit = .milliseconds(5)
            bench.makeTask = { _ in
                let probe = LifetimeProbe { record() }
                return DisplayTask(onEnd: { _ in probe.touch() }, draw: { _, _ in probe.touch() })
            }
            Transaction(bench, "x") { _ in
                layer.display()
                layer.cancelDisplay()
            }.commit(to: bench.transactions)
            bench.transactions.flush()
        }
        bench.settle()
        #expect(isInCall.elements == [false])
    }

    @Test("a main thread that waits again, in a loop that a callback of the first wait runs")
    func waitsInNestedLoop() {
        let other = bench.addLayer()
        bench.layer.displayTimeLimit = .milliseconds(5)
        other.displayTimeLimit = .milliseconds(5)
        let log = bench.log
        bench.makeTask = { [unowned bench] n in
            DisplayTask(
                onEnd: { _ in
                    guard n == 1 else { return }
                    other.setNeedsDisplay()
                    bench.main.whileAsleep { [pool = bench.pool] in pool.runAll() }
                    bench.transactions.flush()
                    log.append("\(other.contents != nil)")
                }, draw: { _, _ in })
        }
        bench.main.whileAsleep { [pool = bench.pool] in pool.runAll() }
        bench.layer.setNeedsDisplay()
        bench.transactions.flush()
        bench.settle()
        #expect(log.elements == ["true"])
    }

    @Test("a caller is resumed though the layer settles while the caller begins to wait")
    func lostWaiter() async throws {
        let other = try LayerBench()
        let b = other.addLayer()
        let outcomes = Recorder<String>()
        other.makeTask = { n in
            DisplayTask(
                onEnd: {
                    outcomes.append("\($0)")
                    if n == 1 { b.cancelDisplay() }
                }, draw: { _, _ in })
        }
        let group = DisplayGroup(host: bench.host)
        group.add(b)
        b.display()
        group.suspend()  // of another host: b's callback waits for its loop
        group.resume()
        let isDone = Counter()
        let waiter = Task {
            try? await b.displayed()
            isDone.increment()
        }
        for _ in 0..<20 { await Task.yield() }
        other.settleTurns()
        bench.settleTurns()
        for _ in 0..<20 { await Task.yield() }
        #expect(b.pipeline.isSettled && outcomes.elements == ["cancelled while waiting"])
        #expect(isDone.value == 1, "waits forever")
        b.cancelDisplay()  // settles the waiter
        await waiter.value
    }

    @Test("while a callback runs the loop, a group with a layer of another host appears, and is reported")
    func loopAndTwoHosts() throws {
        let other = try LayerBench()
        let a = bench.addLayer(), b = other.addLayer()
        let log = Recorder<String>()
        let group = DisplayGroup(timeLimit: .seconds(100), host: bench.host)
        group.add(a)
        group.add(b)
        other.makeTask = { _ in DisplayTask { _, _ in } }
        bench.makeTask = { [unowned bench] number in
            DisplayTask(
                onEnd: { _ in
                    log.append("report \(number)")
                    guard number == 1 else { return }
                    group.display { _ in log.append("group") }
                    for _ in 0..<4 {
                        bench.settle()
                        other.settle()
                    }
                    log.append("returned")
                }, draw: { _, _ in })
        }
        bench.layer.display()
        bench.settle()
        #expect(Set(log.elements.dropLast()) == ["report 1", "report 2", "group"])
        #expect(log.elements.last == "returned")
    }

    @Test("a layer that is suspended beside an interim draw, its newest pass failed, is displayed on resume")
    func suspendedInterim() {
        let layer = bench.layer.unsafelyUnwrapped
        bench.makeTask = { number in
            DisplayTask { _, _ in
                guard number == 1 else { return }
                MainActor.assumeIsolated {
                    layer.size = Size(width: -1, height: 1)
                    layer.display()
                    layer.size = Size(width: 4, height: 4)
                    layer.suspend()
                    layer.resume()
                }
            }
        }
        layer.display()
        bench.settleTurns()
        #expect(layer.contents != nil)
        bench.makeTask = { _ in nil }
    }
}
