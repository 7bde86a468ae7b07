import TestSupport
import Testing
import Transactions

@testable import AsyncLayers

/// A request is served by the tree's pass, or kept for the layer itself: none is lost, whatever happens to
/// the layer meanwhile.
extension TreeTurnTests {
    private func display(_ members: Part...) {
        let group = DisplayGroup(host: bench.host)
        for part in members { group.add(part.layer) }
        group.display { _ in }
    }

    /// The first part leaves the tree and is drawn by itself.
    private func expectDrawnAlone(requests: Int = 1) {
        parts[0].layer.removeFromSuperlayer()
        parts[0].layer.resume()
        for _ in 0..<2 { endTurn() }
        #expect(parts[0].requests == requests && parts[0].names == ["0"])
    }

    @Test("a layer of a suspended tree that is asked in a group with it, and leaves, is drawn by itself")
    func groupInSuspendedTree() {
        root.layer.suspend()
        display(root, parts[0])
        expectDrawnAlone()
    }

    @Test(
        "a suspended layer that is asked in a group with its tree is drawn on resume",
        arguments: [false, true])
    func suspendedInGroup(wasAsked: Bool) {
        parts[0].layer.suspend()
        if wasAsked { parts[0].layer.setNeedsDisplay() }
        display(root, parts[0])
        endTurn()
        expectDrawnAlone()
    }

    @Test("a layer that is suspended as its tree begins, in a group of both, is drawn on resume")
    func suspendedInCallback() {
        root.whenAsked = { [parts] in parts[0].layer.suspend() }
        display(root, parts[0])
        endTurn()
        expectDrawnAlone()
    }

    @Test(
        "a group of a tree and a layer in it that is displayed while the tree is being suspended keeps both")
    func groupWhileSuspending() {
        root.layer.display()
        root.whenTold = { [root, parts] in self.display(root, parts[0]) }
        root.layer.suspend()
        expectDrawnAlone(requests: 2)
    }

    @Test(
        "a request that a layer withdraws as it becomes a part of a tree, and leaves, is not displayed",
        arguments: [false, true])
    func withdrawnInCallback(isAsked: Bool) {
        let part = Part("part", on: bench)
        part.layer.display()
        root.layer.addSublayer(part.layer)
        part.layer.setNeedsDisplay()
        part.whenTold = {
            part.layer.removeFromSuperlayer()
            part.layer.cancelDisplay()
        }
        // Otherwise the tree's pass comes to it before its own turn ends.
        if !isAsked { root.layer.display() }
        for _ in 0..<2 { endTurn() }
        #expect(part.requests == 1 && part.outcomes.count == 1)
    }

    @Test(
        "a request that a layer withdraws as its tree begins, and leaves, is not displayed",
        arguments: 0..<3)
    func withdrawnAsTreeBegins(order: Int) {
        root.whenAsked = { [layer = parts[0].layer] in
            if order == 0 { layer.cancelDisplay() }
            layer.removeFromSuperlayer()
            if order == 1 { layer.cancelDisplay() }
            if order == 2 { layer.clear() }
        }
        parts[0].layer.setNeedsDisplay()
        for _ in 0..<2 { endTurn() }
        #expect(root.requests == 1 && parts[0].requests == 0)
    }

    @Test(
        "a request after the tree was displayed in a flush belongs to the next turn",
        arguments: [false, true])
    func afterTree(isInGroup: Bool) {
        bench.transactions.together {
            parts[0].layer.display()
            if isInGroup { display(root) } else { root.layer.display() }
            #expect(root.requests == 1)
            parts[0].layer.setNeedsDisplay()
        }
        for _ in 0..<2 { endTurn() }
        #expect(root.requests == 2 && parts[0].requests == 2)
    }

    @Test(
        "a layer that leaves a tree and comes back as that begins takes requests", arguments: [false, true])
    func comesBack(isHidden: Bool) {
        parts[1].layer.placement.isHidden = isHidden
        let last = isHidden ? root : parts[3]
        last.whenAsked = { [root, parts] in root.layer.addSublayer(parts[1].layer) }
        bench.transactions.together {
            parts[1].layer.display()
            parts[0].layer.display()
            parts[1].layer.removeFromSuperlayer()
        }
        bench.settle()
        #expect(root.requests == 1)
        let requests = parts[1].requests
        parts[1].layer.placement.isHidden = false
        parts[1].layer.setNeedsDisplay()
        endTurn()
        #expect(parts[1].requests == requests + 1)
    }

    @Test("a layer that is displayed and then suspended in a flush is drawn on resume")
    func suspendedInFlush() {
        bench.transactions.together {
            parts[0].layer.display()
            parts[0].layer.suspend()
        }
        endTurn()
        expectDrawnAlone()
    }

    @Test(
        "a layer that moves into one that was asked already is asked and drawn, once",
        arguments: [false, true])
    func moves(isInGroup: Bool) {
        parts[2].whenAsked = { [parts] in parts[0].layer.addSublayer(parts[3].layer) }
        if isInGroup { display(root, parts[3]) } else { root.layer.display() }
        for _ in 0..<2 { endTurn() }
        #expect(parts[3].requests == 1)
        #expect(root.names == ["root", "0", "3", "1", "2"] + parts.dropFirst(4).map(\.name))
    }

    @Test(
        "a layer of another host that is asked, and leaves before the turn of its tree, is drawn by itself",
        arguments: [false, true])
    func leavesTreeOfAnotherHost(isDisplayedAtOnce: Bool) throws {
        let elsewhere = try LayerBench()
        let foreign = Part("foreign", in: root, on: elsewhere)
        if isDisplayedAtOnce { foreign.layer.display() } else { foreign.layer.setNeedsDisplay() }
        elsewhere.transactions.flush()
        foreign.layer.removeFromSuperlayer()
        for _ in 0..<2 {
            endTurn()
            elsewhere.transactions.flush()
            elsewhere.settle()
        }
        #expect(foreign.requests == 1 && foreign.names == ["foreign"])
        #expect(!elsewhere.transactions.hasPending && !bench.transactions.hasPending)
    }

    @Test("a layer whose turn ends within a callback of its tree, and that then leaves, is drawn")
    func leavesInNestedTurn() {
        root.whenAsked = { [bench, parts] in
            parts[0].layer.setNeedsDisplay()
            bench.transactions.flush()
            parts[0].layer.removeFromSuperlayer()
        }
        root.layer.setNeedsDisplay()
        for _ in 0..<2 { endTurn() }
        #expect(parts[0].requests > 0 && parts[0].outcomes.count == parts[0].requests)
        #expect(parts[0].names != nil || root.names?.contains("0") == true)
        #expect(!bench.transactions.hasPending)
    }
}
