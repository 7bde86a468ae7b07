import TestSupport
import Testing
import Transactions

@testable import AsyncLayers

/// However many layers of a tree are asked to display in a turn, and however that is done, the tree is
/// planned once.
@MainActor
@Suite("Trees of which many layers are displayed in a turn", .timeLimit(.minutes(5)))
struct TreeTurnTests {
    let bench: LayerBench
    let root: Part
    let parts: [Part]

    init() throws {
        let bench = try LayerBench()
        let root = Part("root", on: bench)
        self.bench = bench
        self.root = root
        parts = (0..<20).map { Part("\($0)", in: root, on: bench) }
        root.layer.drawsSublayers = true
    }

    func endTurn() {
        bench.transactions.flush()
        bench.settle()
    }

    enum Request: CaseIterable {
        case display
        case setNeedsDisplay
        case displayIfNeeded
        case group
    }

    private func ask(_ request: Request) {
        switch request {
        case .display: for part in parts { part.layer.display() }
        case .setNeedsDisplay: for part in parts { part.layer.setNeedsDisplay() }
        case .displayIfNeeded:
            for part in parts {
                part.layer.setNeedsDisplay()
                part.layer.displayIfNeeded()
            }
        case .group:
            let group = DisplayGroup(host: bench.host)
            for part in parts { group.add(part.layer) }
            group.display { _ in }
        }
    }

    @Test("their picture is begun once in the turn", arguments: Request.allCases)
    func once(request: Request) {
        ask(request)
        endTurn()
        #expect(root.requests == 1)
        #expect(parts.allSatisfy { $0.requests == 1 && $0.outcomes == ["committed"] })
        #expect(root.names == ["root"] + parts.map(\.name))
        endTurn()
        #expect(root.requests == 1)
    }

    @Test("their picture is begun once in the turn, also where they are hidden", arguments: Request.allCases)
    func hidden(request: Request) {
        for part in parts { part.layer.placement.isHidden = true }
        ask(request)
        endTurn()
        #expect(root.requests == 1)
        #expect(root.names == ["root"])
        endTurn()
        #expect(root.requests == 1)
        // The next request counts as the first one did.
        ask(request)
        endTurn()
        #expect(root.requests == 2)
    }

    @Test("their picture is begun once in the turn, also where the topmost is asked first")
    func topmostFirst() {
        for part in parts { part.layer.placement.isHidden = true }
        root.layer.setNeedsDisplay()
        ask(.setNeedsDisplay)
        endTurn()
        #expect(root.requests == 1)
    }

    @Test(
        "a group of a tree and of layers in it displays the tree once", arguments: [false, true],
        [false, true])
    func groupWithTree(isTreeFirst: Bool, isInFlush: Bool) {
        let group = DisplayGroup(host: bench.host)
        for part in isTreeFirst ? [root] + parts : parts + [root] { group.add(part.layer) }
        parts[1].layer.placement.isHidden = true
        // One leaves as the tree begins: it is displayed by itself. Another asks again, for the next turn.
        root.whenAsked = { [parts] in
            parts[2].layer.removeFromSuperlayer()
            parts[1].layer.setNeedsDisplay()
        }
        var result: DisplayGroupResult?
        let display = { group.display { result = $0 } }
        if isInFlush { bench.transactions.together(display) } else { display() }
        bench.settle()
        #expect(root.requests == 1)
        #expect(root.names == ["root"] + parts.map(\.name).filter { $0 != "1" && $0 != "2" })
        #expect(parts[2].names == ["2"] && parts[2].requests == 1)
        #expect(result?.together == 2 && result?.cancelled == 19)
        endTurn()
        #expect(root.requests == 2)
        endTurn()
        #expect(root.requests == 2)
    }

    @Test("what callbacks of the picture display is drawn once more, in the next turn")
    func callbacks() {
        for part in parts { part.whenAsked = { [parts] in for part in parts { part.layer.display() } } }
        parts[0].layer.display()
        endTurn()
        #expect(root.requests == 1)
        endTurn()
        #expect(root.requests == 2)
        endTurn()
        #expect(root.requests == 2)
    }

    @Test("a layer that is asked to display and leaves the tree in the same turn is drawn by itself")
    func leaves() {
        ask(.display)
        parts[3].layer.removeFromSuperlayer()
        endTurn()
        #expect(parts[3].names == ["3"])
        #expect(parts[3].requests == 1)
        #expect(root.requests == 1)
    }

    @Test("a layer that is asked to display, and leaves the tree as it begins, is drawn by itself")
    func leavesInCallback() {
        parts[0].whenAsked = { [parts] in parts[1].layer.removeFromSuperlayer() }
        ask(.setNeedsDisplay)
        endTurn()
        #expect(parts[1].names == ["1"])
        #expect(parts[1].requests == 1)
        #expect(root.names?.contains("1") == false)
    }

    @Test("a change between two displays of a turn is in the picture")
    func changeBetween() {
        parts[0].layer.display()
        let late = Part("late", in: root, on: bench)
        parts[0].layer.placement.isHidden = true
        parts[1].layer.display()
        endTurn()
        #expect(root.requests == 1)
        #expect(root.names == ["root"] + parts.dropFirst().map(\.name) + ["late"])
        #expect(late.outcomes == ["committed"])
    }

    @Test("a suspended layer of the tree is left out, and drawn on resume")
    func suspended() {
        parts[0].layer.suspend()
        ask(.display)
        endTurn()
        #expect(root.requests == 1 && parts[0].requests == 0)
        parts[0].layer.resume()
        endTurn()
        #expect(root.requests == 2 && parts[0].requests == 1)
    }

    @Test("a suspended tree draws nothing, and once on resume")
    func suspendedTree() {
        root.layer.suspend()
        ask(.display)
        endTurn()
        #expect(root.requests == 0)
        root.layer.resume()
        endTurn()
        #expect(root.requests == 1)
    }

    @Test("a tree that is drawn synchronously shows what display() was called for before it returns")
    func synchronous() {
        root.layer.displaysAsynchronously = false
        parts[0].layer.display()
        #expect(root.names?.count == 21)
        #expect(root.requests == 1)
        ask(.setNeedsDisplay)
        endTurn()
        #expect(root.requests == 2)
    }

    @Test("the topmost layer is not up to date while the display of one in it is asked for")
    func awaited() async throws {
        parts[0].layer.display()
        #expect(!root.layer.pipeline.isSettled)
        let bench = bench
        Task { @MainActor in
            bench.transactions.flush()
            bench.settle()
        }
        try await parts[0].layer.displayed()
        #expect(root.layer.contents != nil)
    }

    @Test("a turn waits once for all trees that have a deadline, and for other layers")
    func deadlines() {
        let other = Part("other", on: bench)
        let tree = Part("tree", on: bench)
        let within = Part("within", in: tree, on: bench)
        tree.layer.drawsSublayers = true
        for part in [other, root, tree] { part.layer.displayDeadline = .milliseconds(8) }
        other.layer.setNeedsDisplay()
        parts[0].layer.setNeedsDisplay()
        within.layer.setNeedsDisplay()
        bench.main.whileAsleep { [queue = bench.queue] in queue.runAll() }
        let start = bench.main.now
        bench.transactions.flush()
        #expect(bench.main.now == start)
        #expect(other.names == ["other"] && tree.names == ["tree", "within"] && root.names?.count == 21)
        bench.settle()
    }

    @Test("a callback that ends a turn itself while a tree begins displays what was asked for")
    func nestedTurn() {
        let tree = Part("tree", on: bench)
        let within = Part("within", in: tree, on: bench)
        tree.layer.drawsSublayers = true
        parts[0].whenAsked = { [bench] in
            within.layer.display()
            bench.transactions.flush()
        }
        parts[0].layer.setNeedsDisplay()
        endTurn()
        #expect(tree.requests == 1 && tree.names == ["tree", "within"])
        #expect(root.requests == 1)
    }

    @Test("a tree that comes into a larger one in the same turn is displayed by that one, once")
    func joinsLargerTree() {
        let large = Part("large", on: bench)
        large.layer.drawsSublayers = true
        let other = Part("other", on: bench)
        other.whenAsked = { [root] in large.layer.addSublayer(root.layer) }
        parts[0].layer.setNeedsDisplay()
        other.layer.setNeedsDisplay()
        for _ in 0..<3 { endTurn() }
        #expect(large.requests == 1 && root.requests == 1 && parts[0].requests == 1)
        #expect(large.names == ["large", "root"] + parts.map(\.name))
        #expect(!bench.transactions.hasPending)
    }

    @Test("a layer of another host than its tree is displayed with the tree, and asks for no more turns")
    func twoHosts() throws {
        let elsewhere = try LayerBench()
        let foreign = Part("foreign", in: root, on: elsewhere)
        foreign.layer.placement.isHidden = true
        for isDisplayedAtOnce in [true, false] {
            if isDisplayedAtOnce { foreign.layer.display() } else { foreign.layer.setNeedsDisplay() }
            for _ in 0..<3 {
                elsewhere.transactions.flush()
                endTurn()
            }
        }
        #expect(!elsewhere.transactions.hasPending && !bench.transactions.hasPending)
        #expect((2...4).contains(root.requests))
    }

    @Test("layers are drawn by themselves whose tree is none any more by the end of the turn")
    func stopsDrawingSublayers() {
        ask(.display)
        root.layer.drawsSublayers = false
        endTurn()
        #expect(parts.allSatisfy { $0.names == [$0.name] && $0.requests == 1 })
        #expect(root.names == ["root"])
    }
}
