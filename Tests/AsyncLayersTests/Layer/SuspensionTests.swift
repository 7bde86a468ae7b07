import ManualPools
import TestSupport
import Testing
import QueuePoolsTransactions

@testable import AsyncLayers

@MainActor
@Suite("Suspending layers", .timeLimit(.minutes(15)))
struct SuspensionTests {
    let bench: LayerBench
    var layer: AsyncLayer<RecordingRenderer> { bench.layer }

    init() throws { bench = try LayerBench() }

    @Test("nothing is drawn while suspended, and the newest state is drawn once on resume")
    func suspended() {
        layer.suspend()
        #expect(layer.isSuspended)
        for _ in 0..<3 {
            layer.setNeedsDisplay()
            layer.display()
            bench.transactions.flush()
            bench.settle()
        }
        #expect(bench.requests == 0)
        layer.resume()
        #expect(bench.requests == 0, "at the end of the turn")
        bench.transactions.flush()
        bench.settle()
        #expect(bench.requests == 1)
        #expect(bench.outcomes == ["committed"])
    }

    @Test("suspending stops the draw in flight, which is drawn again on resume; the contents stay")
    func stopsDraws() {
        layer.display()
        bench.settle()
        layer.display()
        layer.suspend()
        layer.suspend()
        #expect(bench.outcomes == ["committed", "cancelled while waiting"])
        bench.settle()
        #expect(layer.contents?.commands == ["draw 1"])
        layer.resume()
        bench.transactions.flush()
        bench.settle()
        #expect(layer.contents?.commands == ["draw 3"])
    }

    @Test("a layer that is suspended as its pass begins draws on resume", arguments: [true, false])
    func suspendedInWillDisplay(asynchronous: Bool) {
        layer.displaysAsynchronously = asynchronous
        bench.makeTask = { [unowned bench] number in
            bench.task(
                onStart: { if number == 1 { bench.layer.suspend() } },
                draw: { context, _ in context.commands.append("draw \(number)") })
        }
        layer.display()
        bench.settle()
        #expect(bench.outcomes == ["cancelled while waiting"])
        #expect(layer.contents == nil)
        layer.resume()
        bench.transactions.flush()
        bench.settle()
        #expect(layer.contents?.commands == ["draw 2"])
    }

    @Test("a layer that a callback of its suspension resumes and displays in a group stays in that group")
    func resumedByOutcome() {
        let group = DisplayGroup(timeLimit: .milliseconds(50), host: bench.host)
        let results = Recorder<DisplayGroupResult>()
        group.add(layer)
        bench.makeTask = { [unowned bench] number in
            DisplayTask(
                onEnd: { [unowned bench] _ in
                    guard number == 1 else { return }
                    bench.layer.resume()
                    group.display { results.append($0) }
                }, draw: { _, _ in })
        }
        layer.display()
        layer.suspend()
        #expect(results.elements.isEmpty)
        bench.settle()
        #expect(results.elements == [DisplayGroupResult(together: 1)])
    }

    @Test("a layer without a request displays nothing on resume")
    func idle() {
        layer.suspend()
        layer.resume()
        layer.resume()
        bench.transactions.flush()
        #expect(bench.requests == 0)
    }

    @Test("cancelling while suspended withdraws the request")
    func cancelled() {
        layer.suspend()
        layer.setNeedsDisplay()
        layer.cancelDisplay()
        layer.resume()
        bench.transactions.flush()
        #expect(bench.requests == 0)
    }

    @Test("suspending revives nothing that was taken back, though its draw has not ended")
    func takenBack() {
        layer.display()
        bench.pool.runNext()
        layer.cancelDisplay()
        layer.suspend()
        layer.resume()
        bench.transactions.flush()
        bench.settle()
        #expect(bench.requests == 1)
        #expect(bench.outcomes == ["cancelled while committing"])
    }
}
