import BitmapRendering
import Sentinels
import TestSupport
import Testing

@testable import AsyncLayers

/// Draws each layer by itself and puts the pictures together, one by one, through public calls only.
@MainActor
private struct OneByOne {
    let tree: LayerTree<BitmapRenderer>
    let renderer = BitmapRenderer()

    func picture(_ description: ContextDescription) throws -> Bitmap {
        let whole = try renderer.makeContext(description)
        let root = tree.nodes[0]
        if root.isOpaque {
            renderer.fill(whole, with: .white)
            if let color = root.backgroundColor { renderer.fill(whole, with: color) }
        }
        var clips: [ContentsPlacement.Clip] = []
        if root.masksToBounds, root.cornerRadius > 0 {
            clips = [ContentsPlacement.Clip(Rect(size: root.size), cornerRadius: root.cornerRadius)]
        }
        if let contents = try contents(of: root) {
            renderer.draw(contents, into: whole, placed: ContentsPlacement(clips: clips))
        }
        try putChildren(of: 0, into: whole, description, .identity, clips)
        return whole.makeBitmap()
    }

    private func contents(of node: LayerTreeNode<BitmapRenderer>) throws -> Bitmap? {
        guard let draw = node.draw,
            let description = try ContextDescription(
                size: node.size, scale: node.scale, isOpaque: node.isOpaque)
        else { return nil }
        return try LayerWork<BitmapRenderer>(draw).contents(
            of: description,
            DrawScope(size: node.size, scale: node.scale, isOpaque: node.isOpaque, sentinel: nil),
            background: node.backgroundColor, true, renderer)
    }

    private func putChildren(
        of parent: Int, into whole: BitmapContext, _ description: ContextDescription,
        _ parentToRoot: LayerTransform, _ clips: [ContentsPlacement.Clip]
    ) throws {
        func height(_ index: Int) -> Double {
            tree.nodes[index].zPosition.isNaN ? 0 : tree.nodes[index].zPosition
        }
        let heights = Set(tree.children[parent].map(height)).sorted()
        for layer in heights {
            for index in tree.children[parent] where height(index) == layer {
                try put(index, into: whole, description, parentToRoot, clips)
            }
        }
    }

    private func put(
        _ index: Int, into whole: BitmapContext, _ description: ContextDescription,
        _ parentToRoot: LayerTransform, _ outerClips: [ContentsPlacement.Clip]
    ) throws {
        let node = tree.nodes[index]
        guard !node.isHidden else { return }
        let toRoot = node.toParent.concatenating(parentToRoot)
        var clips = outerClips
        if node.masksToBounds {
            clips.append(
                ContentsPlacement.Clip(
                    Rect(size: node.size), cornerRadius: node.cornerRadius, transform: toRoot))
        }
        let own = try contents(of: node)
        let isGroup = !(node.opacity >= 1) && !tree.children[index].isEmpty
        let target = isGroup ? try renderer.makeContext(description) : whole
        if let own {
            let placement = ContentsPlacement(
                transform: toRoot, opacity: isGroup ? 1 : node.opacity, clips: isGroup ? [] : clips)
            renderer.draw(own, into: target, placed: placement)
        }
        // Opacity 0 ends at the group; a layer without children has none.
        try putChildren(of: index, into: target, description, toRoot, isGroup ? [] : clips)
        if isGroup {
            let placement = ContentsPlacement(opacity: node.opacity, clips: clips)
            renderer.draw(target.makeBitmap(), into: whole, placed: placement)
        }
    }
}

@Suite("A tree drawn into one picture", .timeLimit(.minutes(5)))
struct LayerTreeTests {
    private func description<R>(of root: LayerTreeNode<R>) throws -> ContextDescription {
        try #require(try ContextDescription(size: root.size, scale: root.scale, isOpaque: root.isOpaque))
    }

    private func draw<R: CompositingRenderer>(
        _ tree: LayerTree<R>, with renderer: R, sentinel: Sentinel? = nil
    ) throws -> R.Contents {
        let root = tree.nodes[0]
        let picture = try description(of: root)
        let work = TreeWork<R>(tree, try LayerTreePlan(tree, picture: picture))
        return try work.contents(
            of: picture,
            DrawScope(size: root.size, scale: root.scale, isOpaque: root.isOpaque, sentinel: sentinel),
            background: nil, false, renderer)
    }

    @MainActor
    @Test("It is what its layers are, put together one by one, pixel for pixel", arguments: 0..<10)
    func oneByOne(group: UInt64) throws {
        for seed in group * 30..<(group + 1) * 30 {
            var generator = SeededGenerator(seed: seed)
            let tree = generator.tree(extent: 32)
            let expected = try OneByOne(tree: tree).picture(try description(of: tree.nodes[0]))
            let picture = try draw(tree, with: BitmapRenderer())
            #expect(picture.hasSamePixels(as: expected), "seed \(seed)")
        }
    }

    /// Draws a tree in tiles as planned; returns the largest difference to the whole, of any component.
    private func difference<R: CompositingRenderer>(
        _ tree: LayerTree<R>, _ renderer: R, _ plan: LayerTreePlan, _ tiles: [ContextDescription],
        to whole: Bitmap, _ bitmap: (R.Contents) -> Bitmap
    ) throws -> Int {
        let root = tree.nodes[0]
        let work = TreeWork<R>(tree, plan)
        let scope = DrawScope(size: root.size, scale: root.scale, isOpaque: root.isOpaque, sentinel: nil)
        var largest = 0
        for tile in tiles {
            let contents = try work.contents(of: tile, scope, background: nil, false, renderer)
            let part = bitmap(contents)
            #expect(part.pixelWidth == tile.pixelWidth && part.pixelHeight == tile.pixelHeight)
            for (index, pixel) in part.allPixels.enumerated() {
                let (row, column) = index.quotientAndRemainder(dividingBy: tile.pixelWidth)
                let other = whole[x: tile.pixelOriginX + column, y: tile.pixelOriginY + row]
                for (first, second) in [
                    (pixel.red, other.red), (pixel.green, other.green), (pixel.blue, other.blue),
                    (pixel.alpha, other.alpha),
                ] { largest = max(largest, abs(Int(first) - Int(second))) }
            }
        }
        return largest
    }

    @Test(
        "Tiles of it, put side by side, are the whole of it, byte for byte, and take no more memory than was foretold"
    )
    func tiles() throws {
        for seed in UInt64(1_000)..<1_080 {
            var generator = SeededGenerator(seed: seed)
            let source = generator.tree(extent: 32)
            let tree = metered(source)
            let description = try description(of: tree.nodes[0])
            let whole = try draw(source, with: BitmapRenderer())
            let tiles = try TilePlan(
                of: description, byteLimit: .random(in: 400...3_000, using: &generator),
                byteCount: BitmapRenderer().byteCount)
            #expect(tiles.tiles.count > 1)
            // With memory for all that tiles have in common, for some of it, and for nothing, where layers
            // that are interpolated may differ by what rounding does.
            for (budget, tolerance) in [
                (Int.max, 0), (.random(in: 4_000...40_000, using: &generator), 1), (0, 1),
            ] {
                let renderer = MeteredRenderer()
                var plan = try LayerTreePlan(tree, picture: description)
                let peak = try plan.divide(
                    into: tiles, byteLimit: .max, budget: budget, mayCut: true, byteCount: renderer.byteCount)
                #expect(plan.kept.isEmpty || peak <= budget)
                let difference = try difference(tree, renderer, plan, tiles.tiles, to: whole, \.bitmap)
                #expect(difference <= tolerance, "seed \(seed), budget \(budget)")
                #expect(renderer.gauge.peak <= peak, "seed \(seed), budget \(budget)")
                #expect(renderer.gauge.current == 0)
            }
        }
    }

    @Test("A translucent layer and what lies in it fade as one")
    func groupOpacity() throws {
        var tree = LayerTree(root: LayerTreeNode<BitmapRenderer>(size: Size(width: 30, height: 10)))
        let square: DisplayTask<BitmapRenderer>.Draw = { context, _ in context.fill(with: .black) }
        var outer = LayerTreeNode<BitmapRenderer>(size: Size(width: 20, height: 10), draw: square)
        outer.opacity = 0.5
        let index = tree.append(outer)
        var inner = LayerTreeNode<BitmapRenderer>(size: Size(width: 20, height: 10), draw: square)
        inner.origin.x = 10
        tree.append(inner, to: index)
        let picture = try draw(tree, with: BitmapRenderer())
        #expect(picture.allPixels.allSatisfy { $0.alpha == 128 })
    }

    /// The same tree for the renderer with a gauge.
    private func metered(_ source: LayerTree<BitmapRenderer>) -> LayerTree<MeteredRenderer> {
        var tree = LayerTree(root: MeteredRenderer.node(source.nodes[0]))
        var parents = [Int](repeating: 0, count: source.nodes.count)
        for (parent, children) in source.children.enumerated() {
            for child in children { parents[child] = parent }
        }
        for index in source.nodes.indices.dropFirst() {
            tree.append(MeteredRenderer.node(source.nodes[index]), to: parents[index])
        }
        return tree
    }

    @Test("The peak that was foretold is the peak that is met, and all is released at the end")
    func peak() throws {
        for seed in UInt64(0)..<60 {
            var generator = SeededGenerator(seed: seed)
            let source = generator.tree(extent: 32)
            let tree = metered(source)
            let renderer = MeteredRenderer()
            let description = try description(of: tree.nodes[0])
            var plan = try LayerTreePlan(tree, picture: description)
            let peak = try plan.divide(
                into: TilePlan(whole: description), byteLimit: .max, budget: .max, mayCut: false,
                byteCount: renderer.byteCount)
            var picture: MeteredRenderer.Picture? = try draw(tree, with: renderer)
            #expect(renderer.gauge.peak == peak, "seed \(seed)")
            #expect(picture?.bitmap.hasSamePixels(as: try draw(source, with: BitmapRenderer())) == true)
            picture = nil
            #expect(renderer.gauge.current == 0)
        }
    }

    @Test("A stale tree stops between two layers, also when a layer's closure does not look")
    @MainActor
    func cancellation() throws {
        let sentinel = Sentinel()
        let drawn = Counter()
        var tree = LayerTree(root: LayerTreeNode<BitmapRenderer>(size: Size(width: 9, height: 9)))
        for _ in 0..<5 {
            tree.append(
                LayerTreeNode<BitmapRenderer>(size: Size(width: 9, height: 9)) { _, scope in
                    if drawn.increment() == 3 { sentinel.increase() }
                    #expect(scope.isCancelled == (drawn.value == 3))
                })
        }
        #expect(throws: CancellationError.self) {
            try draw(tree, with: BitmapRenderer(), sentinel: sentinel)
        }
        #expect(drawn.value == 3)
    }

    @Test("A tree that is stale from the beginning is not drawn at all")
    @MainActor
    func staleFromTheBeginning() throws {
        let sentinel = Sentinel()
        let drawn = Counter()
        sentinel.increase()
        let root = LayerTreeNode<BitmapRenderer>(size: Size(width: 9, height: 9)) { _, _ in
            drawn.increment()
        }
        #expect(throws: CancellationError.self) {
            try draw(LayerTree(root: root), with: BitmapRenderer(), sentinel: sentinel)
        }
        #expect(drawn.value == 0)
    }

    @Test("What a layer's closure throws ends the drawing, and reaches the caller")
    func failure() throws {
        struct OutOfInk: Error {}
        let drawn = Counter()
        var tree = LayerTree(root: LayerTreeNode<BitmapRenderer>(size: Size(width: 9, height: 9)))
        tree.append(LayerTreeNode(size: Size(width: 9, height: 9)) { _, _ in throw OutOfInk() })
        tree.append(LayerTreeNode(size: Size(width: 9, height: 9)) { _, _ in drawn.increment() })
        #expect(throws: OutOfInk.self) { try draw(tree, with: BitmapRenderer()) }
        #expect(drawn.value == 0)
    }

    @Test("A layer's closure receives its own size, scale and opacity")
    func scopes() throws {
        var tree = LayerTree(root: LayerTreeNode<BitmapRenderer>(size: Size(width: 9, height: 9)))
        var node = LayerTreeNode<BitmapRenderer>(size: Size(width: 4, height: 3)) { context, scope in
            #expect(scope.size == Size(width: 4, height: 3) && scope.scale == 2 && scope.isOpaque)
            #expect(context.pixelWidth == 8 && context.scale == 2)
        }
        (node.scale, node.isOpaque) = (2, true)
        tree.append(node)
        #expect(try draw(tree, with: BitmapRenderer())[x: 3, y: 2] == .opaqueWhite)
    }

    @Test("As many translucent levels as there may be are drawn, each within the one before")
    func deepGroups() throws {
        var tree = LayerTree(root: LayerTreeNode<BitmapRenderer>(size: Size(width: 3, height: 3)))
        for parent in 0..<LayerTreePlan.maximumDepth - 1 {
            var node = LayerTreeNode<BitmapRenderer>(size: Size(width: 3, height: 3)) { context, _ in
                context.fill(with: .black)
            }
            (node.opacity, node.masksToBounds, node.cornerRadius) = (0.99, true, 1)
            tree.append(node, to: parent)
        }
        #expect(try draw(tree, with: BitmapRenderer())[x: 1, y: 1].alpha > 250)
    }
}
