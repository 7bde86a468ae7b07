import TestSupport
import Testing

@testable import AsyncLayers

@MainActor
@Suite("Streams of layers that are drawn into one picture", .timeLimit(.minutes(5)))
struct ComposedStreamTests {
    let bench: LayerBench

    init() throws { bench = try LayerBench() }

    private func all(of outcomes: AsyncStream<DisplayOutcome>) async -> [String] {
        var all: [String] = []
        for await outcome in outcomes { all.append("\(outcome)") }
        return all
    }

    @Test("the streams have the outcome of a picture that is being drawn when the tree goes, and then end")
    func treeGoes() async {
        let cast = Cast(bench)
        let streams = [cast.root, cast.part].compactMap { $0?.layer.outcomes() }
        cast.root?.whileDrawn = { [bench] in
            (cast.root, cast.part) = (nil, nil)
            bench.main.runAll()
        }
        cast.root?.layer.display()
        bench.settle()
        for stream in streams {
            let outcomes = await all(of: stream)
            #expect(outcomes.count == 1 && outcomes.first?.hasPrefix("cancelled") == true)
        }
    }

    @Test("a layer that leaves the tree, and goes, has the outcomes of all pictures that it was asked for")
    func partGoes() async throws {
        let cast = Cast(bench)
        let root = try #require(cast.root)
        let outcomes = try #require(cast.part?.layer.outcomes())
        root.whileDrawn = { [bench] in
            root.layer.display()
            cast.part?.layer.removeFromSuperlayer()
            cast.part = nil
            bench.main.runAll()
        }
        root.layer.display()
        bench.settle()
        bench.settle()
        #expect(root.outcomes.count == 2 && root.outcomes.last == "committed")
        #expect(await all(of: outcomes) == root.outcomes)
    }
}

/// A tree of two layers, until they are released.
@MainActor
private final class Cast {
    var root: Part?
    var part: Part?

    init(_ bench: LayerBench) {
        root = Part("root", on: bench)
        part = Part("part", in: root, on: bench)
        root?.layer.drawsSublayers = true
    }
}
