import TestSupport
import Testing
import Transactions

@testable import AsyncLayers

@MainActor
@Suite("Suspending layers", .timeLimit(.minutes(5)))
struct SuspensionTests {
    let bench: LayerBench
    var layer: AsyncLayer<RecordingRenderer> { bench.layer }

    init() throws { bench = try LayerBench() }

    private func sublayer(of superlayer: AsyncLayer<RecordingRenderer>) -> AsyncLayer<RecordingRenderer> {
        let layer = AsyncLayer(renderer: RecordingRenderer(), host: bench.host)
        layer.bounds = bench.layer.bounds
        layer.delegate = bench
        superlayer.addSublayer(layer)
        return layer
    }

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

    @Test("a layer whose suspended superlayer goes is in none, and displays")
    func superlayerGone() {
        var superlayer: AsyncLayer<RecordingRenderer>? = AsyncLayer(
            renderer: RecordingRenderer(), host: bench.host)
        superlayer?.addSublayer(layer)
        superlayer?.suspend()
        layer.setNeedsDisplay()
        superlayer = nil
        bench.settle()
        #expect(layer.superlayer == nil)
        #expect(!layer.isSuspended)
        bench.transactions.flush()
        bench.settle()
        #expect(bench.outcomes == ["committed"])
    }

    @Test("a layer that is suspended as its pass begins draws on resume", arguments: [true, false])
    func suspendedInWillDisplay(asynchronous: Bool) {
        layer.displaysAsynchronously = asynchronous
        bench.makeTask = { [unowned bench] number in
            bench.task(
                willDisplay: { if number == 1 { bench.layer.suspend() } },
                draw: { context, _ in context.commands.append("draw \(number)") })
        }
        layer.display()
        bench.settle()
        #expect(bench.outcomes == ["\(asynchronous ? "cancelled" : "superseded") while waiting"])
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
                didDisplay: { [unowned bench] _ in
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

    @Test("a suspended layer suspends all below it, until it is resumed itself or they leave it")
    func subtree() {
        let child = sublayer(of: layer)
        let grandchild = sublayer(of: child)
        layer.suspend()
        child.suspend()
        grandchild.display()
        layer.resume()
        bench.transactions.flush()
        #expect(!layer.isSuspended && child.isSuspended && grandchild.isSuspended)
        #expect(bench.requests == 0)
        grandchild.removeFromSuperlayer()
        #expect(!grandchild.isSuspended)
        bench.transactions.flush()
        #expect(bench.requests == 1)
        child.addSublayer(grandchild)
        #expect(grandchild.isSuspended)
        bench.settle()
    }

    @Test("a tree has one place for each layer, and none for a layer within itself")
    func tree() {
        let child = sublayer(of: layer)
        let grandchild = sublayer(of: child)
        grandchild.addSublayer(layer)
        grandchild.addSublayer(grandchild)
        #expect(layer.superlayer == nil)
        #expect(grandchild.sublayers.isEmpty)
        layer.addSublayer(grandchild)
        #expect(child.sublayers.isEmpty)
        #expect(layer.sublayers.map(ObjectIdentifier.init) == [child, grandchild].map(ObjectIdentifier.init))
        layer.addSublayer(child)
        #expect(layer.sublayers.last === child)
    }

    @Test("suspending revives nothing that was taken back, though its draw has not ended")
    func takenBack() {
        layer.display()
        bench.queue.runNext()
        layer.cancelDisplay()
        layer.suspend()
        layer.resume()
        bench.transactions.flush()
        bench.settle()
        #expect(bench.requests == 1)
        #expect(bench.outcomes == ["cancelled while committing"])
    }

    @Test("a tree of any depth is suspended and resumed without a stack overflow")
    func deep() {
        var top: AsyncLayer? = AsyncLayer(renderer: RecordingRenderer(), host: bench.host)
        let bottom = top
        for _ in 0..<200_000 {
            let superlayer = AsyncLayer(renderer: RecordingRenderer(), host: bench.host)
            if let top { superlayer.addSublayer(top) }
            top = superlayer
        }
        top?.suspend()
        #expect(bottom?.isSuspended == true)
        top?.resume()
        #expect(bottom?.isSuspended == false)
        top = nil
        bench.main.runAll()
        #expect(bottom?.superlayer == nil)
    }

    @Test("a layer that is taken out in a callback of its superlayer's suspension is not suspended")
    func takenOutWhileSuspending() {
        let child = sublayer(of: layer)
        let grandchild = sublayer(of: child)
        bench.makeTask = { _ in
            DisplayTask(didDisplay: { _ in child.removeFromSuperlayer() }, draw: { _, _ in })
        }
        layer.display()
        layer.suspend()
        #expect(layer.isSuspended && !child.isSuspended && !grandchild.isSuspended)
        bench.settle()
    }
}
