import TestSupport
import Testing
import Transactions

@testable import AsyncLayers

@MainActor
@Suite("Suspended layers that a tree's picture lacks", .timeLimit(.minutes(5)))
struct LeftOutTests {
    let bench: LayerBench
    private let root: Part
    private let part: Part

    init() throws {
        bench = try LayerBench()
        root = Part("root", on: bench)
        part = Part("part", in: root, on: bench)
        root.layer.drawsSublayers = true
        part.layer.suspend()
        root.layer.display()
        bench.settle()
    }

    private func resume() {
        part.layer.resume()
        bench.transactions.flush()
        bench.settle()
    }

    @Test(
        "a layer that was left out of the picture is drawn into it on resume, though its display was cancelled",
        arguments: [true, false])
    func cancelled(wasAsked: Bool) {
        #expect(root.names == ["root"])
        if wasAsked { part.layer.setNeedsDisplay() }
        part.layer.cancelDisplay()
        resume()
        #expect(root.names == ["root", "part"])
        #expect(root.requests == 2 && part.requests == 1)
    }

    @Test("a layer that was left out of the picture is drawn into it on resume, though it is cancelled then")
    func cancelledOnResume() {
        part.layer.resume()
        part.layer.cancelDisplay()
        bench.transactions.flush()
        bench.settle()
        #expect(root.names == ["root", "part"])
    }

    @Test("a layer that was left out of the picture, and asked to display, has it drawn once on resume")
    func asked() {
        part.layer.setNeedsDisplay()
        resume()
        #expect(root.names == ["root", "part"])
        #expect(root.requests == 2 && part.requests == 1)
    }

    @Test("a layer that was left out and has left the tree displays nothing on resume")
    func takenOut() {
        part.layer.removeFromSuperlayer()
        resume()
        #expect(part.requests == 0)
        #expect(root.requests == 1)
    }
}
