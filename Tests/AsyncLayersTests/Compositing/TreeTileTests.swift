import TestSupport
import Testing

@testable import AsyncLayers

/// Trees in tiles: which layers are drawn how often, and into which contexts.
@MainActor
@Suite("Layers that lie across tiles of a tree", .timeLimit(.minutes(5)))
struct TreeTileTests {
    let bench: LayerBench
    private let root: Part

    /// A picture of 40 × 40 pixels in 16 tiles.
    init() throws { (bench, root) = try Self.make(budget: 1 << 20) }

    private static func make(budget: Int) throws -> (LayerBench, Part) {
        let bench = try LayerBench(budget: budget)
        let root = Part("root", on: bench)
        root.layer.bounds.size = Size(width: 40, height: 40)
        root.layer.drawsSublayers = true
        root.layer.oversizePolicy = .tiles
        root.layer.maximumContextBytes = 400
        return (bench, root)
    }

    private func part(
        _ name: String, in root: Part, on bench: LayerBench, _ x: Double, _ y: Double, _ width: Double,
        _ height: Double
    ) -> Part {
        let part = Part(name, in: root, on: bench)
        part.layer.placement.origin = Point(x: x, y: y)
        part.layer.bounds.size = Size(width: width, height: height)
        return part
    }

    private func display(_ root: Part, on bench: LayerBench) {
        root.layer.display()
        bench.settle()
        #expect(root.outcomes.last == "committed")
    }

    @Test("one that lies across 16 tiles is drawn once")
    func once() {
        let half = part("half", in: root, on: bench, 0, 0, 40, 40)
        half.layer.contentsScale = 0.25
        display(root, on: bench)
        #expect(root.layer.tiles.count == 16)
        #expect(half.draws.value == 1)
        #expect(root.layer.tiles.allSatisfy { $0.contents.commands == ["root", "half"] })
        #expect(bench.budget.peakBytesInUse <= 400 + 400 + 400)
    }

    @Test("one that no memory can be spared for is drawn in parts, each for its tile")
    func inParts() throws {
        let (bench, root) = try Self.make(budget: 850)
        let strip = part("strip", in: root, on: bench, 0, 8, 40, 2)
        strip.layer.maximumContextBytes = 400
        display(root, on: bench)
        #expect(root.layer.tiles.count == 16)
        #expect(bench.budget.peakBytesInUse <= 850)
        #expect(strip.draws.value == 1, "its 320 bytes fit beside a tile")
        let wide = part("wide", in: root, on: bench, 0, 28, 40, 2.5)
        wide.layer.contentsScale = 2
        display(root, on: bench)
        #expect(bench.budget.peakBytesInUse <= 850)
        #expect(wide.draws.value >= 4, "its 1,600 bytes do not")
    }

    @Test("one that is larger than a context may be is drawn in parts, where the tree is in tiles")
    func oversize() {
        let large = part("large", in: root, on: bench, 0, 0, 400, 4_000)
        display(root, on: bench)
        #expect(root.layer.tiles.count == 16)
        #expect(large.draws.value == 16)
        #expect(large.contexts.elements.allSatisfy { $0.pixelWidth * $0.pixelHeight <= 100 })
        #expect(Set(large.contexts.elements.map { [$0.pixelOriginX, $0.pixelOriginY] }).count == 16)
        #expect(root.layer.tiles.allSatisfy { $0.contents.commands == ["root", "large"] })
    }

    @Test("of one that is larger than a context may be, only what is seen is drawn")
    func visiblePart() {
        root.layer.bounds.size = Size(width: 10, height: 10)
        let large = part("large", in: root, on: bench, -3, -500, 10, 4_000)
        display(root, on: bench)
        #expect(root.layer.tiles.isEmpty)
        #expect(root.names == ["root", "large"])
        #expect(
            large.contexts.elements == [
                ContextDescription(pixelWidth: 7, pixelHeight: 10, pixelOriginX: 3, pixelOriginY: 500)
            ])
        root.layer.oversizePolicy = .fail
        root.layer.display()
        bench.settle()
        #expect(root.outcomes.last?.hasPrefix("failed") == true)
        large.layer.oversizePolicy = .tiles
        display(root, on: bench)
    }

    @Test("one that covers more pixels of its own than a context may have makes the tiles smaller")
    func fineLayer() {
        root.layer.bounds.size = Size(width: 10, height: 10)
        root.layer.maximumContextBytes = 4_000
        let fine = part("fine", in: root, on: bench, 0, 0, 10, 10)
        fine.layer.contentsScale = 4
        display(root, on: bench)
        #expect(root.layer.tiles.count > 1)
        #expect(fine.contexts.elements.allSatisfy { $0.pixelWidth * $0.pixelHeight <= 1_000 })
    }

    @Test("one that lies in one tile is drawn whole, once; one beside the picture is not drawn")
    func inOneTile() {
        let small = part("small", in: root, on: bench, 31, 31, 9, 9)
        let outside = part("outside", in: root, on: bench, 40, 0, 9, 9)
        display(root, on: bench)
        #expect(small.draws.value == 1 && outside.draws.value == 0)
        #expect(small.contexts.elements == [ContextDescription(pixelWidth: 9, pixelHeight: 9)])
        #expect(root.layer.tiles.map(\.contents.commands.count) == Array(repeating: 1, count: 15) + [2])
    }

    @Test("a layer that is kept for later tiles, of which one fails, is drawn again for the next picture")
    func failure() {
        let kept = part("kept", in: root, on: bench, 0, 0, 40, 40)
        kept.layer.contentsScale = 0.25
        let failing = part("failing", in: root, on: bench, 32, 32, 4, 4)
        failing.fails = true
        root.layer.display()
        bench.settle()
        #expect(root.outcomes.last?.hasPrefix("failed") == true)
        #expect(kept.draws.value == 1)
        #expect(bench.budget.bytesInUse == 0)
        failing.fails = false
        display(root, on: bench)
        #expect(kept.draws.value == 2)
    }

    @Test("what is kept for later tiles is released by the thread that draws, also if a tile fails")
    func released() throws {
        for fails in [false, true] {
            let (drawn, released) = (Counter(), Counter())
            var renderer = RecordingRenderer()
            renderer.onRelease = { released.increment() }
            typealias Node = LayerTreeNode<RecordingRenderer>
            let size = Size(width: 40, height: 40)
            var tree = LayerTree(root: Node(size: size))
            var kept = Node(size: size) { _, _ in drawn.increment() }
            kept.scale = 0.25
            tree.append(kept)
            var last = Node(size: Size(width: 4, height: 4)) { _, _ in
                if fails { throw CancellationError() }
            }
            last.origin = Point(x: 32, y: 32)
            tree.append(last)
            let picture = ContextDescription(pixelWidth: 40, pixelHeight: 40)
            let tiles = try TilePlan(of: picture, byteLimit: 400, byteCount: renderer.byteCount)
            var plan = try LayerTreePlan(tree, picture: picture)
            _ = try plan.divide(
                into: tiles, byteLimit: 400, budget: 2_000, mayCut: true, byteCount: renderer.byteCount)
            let work = TreeWork<RecordingRenderer>(tree, plan)
            let scope = DrawScope(size: size, scale: 1, isOpaque: false, sentinel: nil)
            var made = 0
            for tile in tiles.tiles {
                made += (try? work.contents(of: tile, scope, background: nil, false, renderer)) == nil ? 0 : 1
            }
            #expect(drawn.value == 1)
            #expect(made == (fails ? 15 : 16))
            withExtendedLifetime(work) { #expect(released.value == (fails ? 16 : 18)) }
        }
    }
}
