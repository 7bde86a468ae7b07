import TestSupport
import Testing
import Transactions

@testable import AsyncLayers

/// What is asked for its task may change the tree that is just being asked.
@MainActor
@Suite("Trees that change while their picture begins", .timeLimit(.minutes(5)))
struct ComposedCallbackTests {
    let bench: LayerBench
    private let root: Part
    private let first: Part
    private let second: Part
    private let third: Part

    init() throws {
        bench = try LayerBench()
        root = Part("root", on: bench)
        first = Part("first", in: root, on: bench)
        second = Part("second", in: root, on: bench)
        third = Part("third", in: root, on: bench)
        root.layer.drawsSublayers = true
    }

    private func displayRoot() {
        root.layer.display()
        bench.transactions.flush()
        bench.settle()
    }

    @Test(
        "a layer that is taken out of the tree, and asked to display, is drawn by itself and not by the tree",
        arguments: [true, false])
    func takenOut(atOnce: Bool) {
        first.whenAsked = { [second] in
            second.layer.removeFromSuperlayer()
            if atOnce { second.layer.display() } else { second.layer.setNeedsDisplay() }
        }
        displayRoot()
        #expect(root.names == ["root", "first", "third"])
        #expect(second.names == ["second"])
        #expect(second.outcomes == ["committed"])
    }

    @Test("a layer within one that is taken out of the tree is drawn by itself and not by the tree")
    func superlayerTakenOut() {
        let inner = Part("inner", in: first, on: bench)
        second.whenAsked = { [first] in
            first.layer.removeFromSuperlayer()
            inner.layer.display()
        }
        displayRoot()
        #expect(root.names?.contains("inner") == false)
        #expect(inner.names == ["inner"])
        #expect(inner.outcomes == ["committed"])
    }

    @Test("a layer that is suspended when its own pass is cancelled is asked for no task")
    func suspendedByOutcome() {
        let late = Part("late", on: bench)
        late.layer.display()
        root.layer.addSublayer(late.layer)
        late.whenTold = { late.layer.suspend() }
        displayRoot()
        #expect(late.outcomes == ["cancelled while waiting"])
        #expect(late.requests == 1)
        #expect(root.names == ["root", "first", "second", "third"])
        late.layer.resume()
        bench.transactions.flush()
        bench.settle()
        #expect(root.names == ["root", "first", "second", "third", "late"])
    }

    @Test("a layer that leaves the tree when its own pass is cancelled is asked for no task")
    func leavesByOutcome() {
        let late = Part("late", on: bench)
        late.layer.display()
        root.layer.addSublayer(late.layer)
        late.whenTold = { late.layer.removeFromSuperlayer() }
        displayRoot()
        #expect(late.requests == 1)
        #expect(root.names == ["root", "first", "second", "third"])
    }

    @Test("a layer that moves within the tree is asked once and drawn once", arguments: [true, false])
    func moved(beforeItIsAsked: Bool) {
        let mover = beforeItIsAsked ? first : third
        mover.whenAsked = { [second] in mover.layer.addSublayer(second.layer) }
        displayRoot()
        #expect(second.requests == 1)
        #expect(root.names?.filter { $0 == "second" }.count == 1)
        #expect(second.outcomes == ["committed"])
    }
}
