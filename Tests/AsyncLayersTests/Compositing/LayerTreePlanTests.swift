import TestSupport
import Testing

@testable import AsyncLayers

@Suite("Planning the drawing of a tree", .timeLimit(.minutes(5)))
struct LayerTreePlanTests {
    typealias Node = LayerTreeNode<RecordingRenderer>
    typealias Tree = LayerTree<RecordingRenderer>

    private let picture = ContextDescription(pixelWidth: 200, pixelHeight: 100, scale: 2)

    /// A layer with a picture of its own.
    private func node(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Node {
        var node = Node(size: Size(width: width, height: height)) { _, _ in }
        node.origin = Point(x: x, y: y)
        return node
    }

    private var root: Node { node(0, 0, 100, 50) }

    private func steps(_ tree: Tree) throws -> [LayerTreePlan.Step] {
        try LayerTreePlan(tree, picture: picture).steps(in: picture)
    }

    private func peak(_ tree: Tree, limit: Int = .max) throws -> Int {
        var plan = try LayerTreePlan(tree, picture: picture)
        return try plan.divide(into: TilePlan(whole: picture), byteLimit: limit, budget: .max, mayCut: false)
        {
            RecordingRenderer().byteCount(of: $0)
        }
    }

    /// The layers that are drawn, in order.
    private func drawn(_ tree: Tree) throws -> [Int] {
        try steps(tree).compactMap { step in
            switch step {
            case .root: 0
            case .picture(let node, _, _): node
            case .beginGroup, .endGroup: nil
            }
        }
    }

    @Test("layers come before what lies in them, siblings by height, then as they were appended")
    func order() throws {
        var tree = Tree(root: root)
        for height in [0, 1, -1, .nan, 0] {
            var node = node(0, 0, 9, 9)
            node.zPosition = height
            let index = tree.append(node)
            tree.append(self.node(0, 0, 3, 3), to: index)
        }
        #expect(try drawn(tree) == [0, 5, 6, 1, 2, 7, 8, 9, 10, 3, 4])
    }

    @Test("places, scales and turns add up from the root to the leaf")
    func transforms() throws {
        var tree = Tree(root: root)
        var turned = node(10, 20, 40, 20)
        turned.transform = .rotation(.pi / 2)
        let middle = tree.append(turned)
        tree.append(node(4, 2, 5, 5), to: middle)
        guard case .picture(_, _, let placement)? = try steps(tree).last else {
            return #expect(Bool(false), "no picture")
        }
        // The middle of the turned layer stays at (30, 30); (4, 2) lies 16 to the left of it and 8 above.
        #expect(placement.transform.apply(to: .zero) == Point(x: 38, y: 14))
        #expect(placement.clips.isEmpty && placement.opacity == 1)
    }

    @Test("what cannot be seen is not drawn, with all that lies in it")
    func invisible() throws {
        var tree = Tree(root: root)
        var hidden = node(0, 0, 9, 9)
        hidden.isHidden = true
        var clear = node(0, 0, 9, 9)
        clear.opacity = -1
        var unknown = node(0, 0, 9, 9)
        unknown.opacity = .nan
        var singular = node(0, 0, 9, 9)
        singular.transform = .scale(x: 0, y: 1)
        var nowhere = node(0, 0, 9, 9)
        nowhere.origin.x = .nan
        var maskedAway = node(0, 0, 0, 9)
        maskedAway.masksToBounds = true
        for unseen in [hidden, clear, unknown, singular, nowhere, maskedAway] {
            let index = tree.append(unseen)
            tree.append(node(0, 0, 5, 5), to: index)
        }
        #expect(try drawn(tree) == [0])
    }

    @Test("layers outside of the picture or of a mask are not drawn; those within them may be")
    func outside() throws {
        var tree = Tree(root: root)
        let outside = tree.append(node(100, 0, 10, 10))
        let back = tree.append(node(-20, 0, 10, 10), to: outside)
        var masking = node(0, 0, 20, 20)
        masking.masksToBounds = true
        let mask = tree.append(masking)
        let within = tree.append(node(19, 19, 10, 10), to: mask)
        tree.append(node(20, 0, 10, 10), to: mask)
        #expect(try drawn(tree) == [0, back, mask, within])
    }

    @Test("a layer beside a mask is drawn only if both cover the same pixel in part")
    func sharedPixel() throws {
        var tree = Tree(root: root)
        var masking = node(10.2, 0, 10, 20)
        masking.masksToBounds = true
        masking.draw = nil
        let mask = tree.append(masking)
        // In pixels the mask reaches from 20.4 to 40.4.
        let right = tree.append(node(10.1, 0, 5, 5), to: mask)
        tree.append(node(10.3, 0, 5, 5), to: mask)
        let left = tree.append(node(-5.1, 0, 5, 5), to: mask)
        tree.append(node(-5.2, 0, 5, 5), to: mask)
        #expect(try drawn(tree) == [0, right, left])
    }

    @Test("a layer in the corner of a turned mask's bounds, but not in the mask, is not drawn")
    func turnedMask() throws {
        var tree = Tree(root: root)
        var masking = node(30, 5, 40, 40)
        masking.masksToBounds = true
        masking.draw = nil
        masking.transform = .rotation(.pi / 4)
        let mask = tree.append(masking)
        // The mask is a diamond about (50, 25), 28.3 high; the layer lies upright at its upper left.
        var corner = node(0, 0, 6, 6)
        corner.transform = .rotation(-.pi / 4)
        for (x, y, isSeen) in [(28.0, 1.0, false), (38, 12, true)] {
            // In the mask's own coordinates the place is turned back about the middle.
            let back = LayerTransform.translation(x: -50, y: -25).concatenating(.rotation(-.pi / 4))
                .concatenating(.translation(x: 20, y: 20))
            let place = back.apply(to: Point(x: x, y: y))
            corner.origin = Point(x: place.x - 3, y: place.y - 3)
            var tree = tree
            let index = tree.append(corner, to: mask)
            #expect(try drawn(tree).contains(index) == isSeen)
        }
    }

    @Test("a translucent layer that holds others is a group, no larger than what is seen of it")
    func group() throws {
        var tree = Tree(root: root)
        var translucent = node(10, 10, 20, 10)
        translucent.opacity = 0.5
        translucent.masksToBounds = true
        let group = tree.append(translucent)
        let child = tree.append(node(-5, 5, 10, 30), to: group)
        let own = ContextDescription(pixelWidth: 20, pixelHeight: 10)
        let part = ContextDescription(
            pixelWidth: 42, pixelHeight: 22, scale: 2, pixelOriginX: 19, pixelOriginY: 19)
        let place = LayerTransform.translation(x: 10, y: 10)
        #expect(
            try steps(tree) == [
                .root, .beginGroup(part),
                .picture(node: group, own, ContentsPlacement(transform: place)),
                .picture(
                    node: child, ContextDescription(pixelWidth: 10, pixelHeight: 30),
                    ContentsPlacement(transform: .translation(x: 5, y: 15))),
                .endGroup(
                    ContentsPlacement(
                        transform: .translation(x: 9.5, y: 9.5), opacity: 0.5,
                        clips: [
                            ContentsPlacement.Clip(
                                Rect(x: 0, y: 0, width: 20, height: 10), transform: place)
                        ])),
            ])
    }

    @Test("a translucent layer that holds nothing is no group, and a group with nothing to see is none")
    func noGroup() throws {
        var tree = Tree(root: root)
        var translucent = node(0, 0, 9, 9)
        translucent.opacity = 0.5
        tree.append(translucent)
        translucent.draw = nil
        let empty = tree.append(translucent)
        let inner = tree.append(translucent, to: empty)
        tree.append(node(500, 0, 9, 9), to: inner)
        let placement = ContentsPlacement(opacity: 0.5)
        let own = ContextDescription(pixelWidth: 9, pixelHeight: 9)
        #expect(try steps(tree) == [.root, .picture(node: 1, own, placement)])
    }

    @Test("the root's place, transform, opacity and hiding do not matter; round corners make it a layer")
    func rootProperties() throws {
        var root = root
        (root.origin, root.transform) = (Point(x: 500, y: 0), .scale(x: 0, y: 0))
        (root.opacity, root.isHidden, root.masksToBounds) = (0, true, true)
        #expect(try steps(Tree(root: root)) == [.root])
        root.cornerRadius = 5
        let clip = ContentsPlacement.Clip(Rect(x: 0, y: 0, width: 100, height: 50), cornerRadius: 5)
        #expect(
            try steps(Tree(root: root)) == [
                .picture(node: 0, picture, ContentsPlacement(clips: [clip]))
            ])
    }

    @Test("the peak counts what is alive at once: the whole, the groups around, and one layer")
    func peak() throws {
        var tree = Tree(root: root)
        let whole = 200 * 100 * 4
        #expect(try peak(tree) == whole)
        tree.append(node(0, 0, 10, 10))
        tree.append(node(0, 0, 20, 5))
        #expect(try peak(tree) == whole + 400)
        var translucent = node(10, 10, 20, 10)
        translucent.opacity = 0.5
        let group = tree.append(translucent)
        tree.append(node(0, 0, 1, 1), to: group)
        #expect(try peak(tree) == whole + 42 * 22 * 4 + 800)
    }

    @Test("a sum of bytes that does not fit is the largest number, and no trap")
    func overflow() throws {
        var tree = Tree(root: root)
        tree.append(node(0, 0, 10, 10))
        var plan = try LayerTreePlan(tree, picture: picture)
        let peak = try plan.divide(
            into: TilePlan(whole: picture), byteLimit: .max, budget: .max, mayCut: false
        ) { _ in .max }
        #expect(peak == .max)
    }

    @Test("a context beyond the limit, and a size without sense, are errors unless the layer is hidden")
    func errors() throws {
        var tree = Tree(root: root)
        var large = node(0, 0, 300, 300)
        tree.append(large)
        #expect(throws: DisplayError.tooManyBytes(needed: 360_000, limit: 100_000)) {
            try peak(tree, limit: 100_000)
        }
        #expect(throws: DisplayError.tooManyBytes(needed: 80_000, limit: -5)) { try peak(tree, limit: -5) }
        large.size.width = -1
        tree.append(large)
        #expect(throws: DisplayError.invalidSize(large.size)) { try steps(tree) }
        large.isHidden = true
        tree = Tree(root: root)
        tree.append(large)
        #expect(try drawn(tree) == [0])
    }

    @Test("a tree may have 512 levels; one that is far deeper is refused, and overflows no stack")
    func depth() throws {
        func chain(_ levels: Int) -> Tree {
            var tree = Tree(root: root)
            for parent in 0..<levels - 1 { tree.append(node(0, 0, 9, 9), to: parent) }
            return tree
        }
        #expect(try drawn(chain(512)).count == 512)
        let error = DisplayError.treeTooDeep(limit: 512)
        #expect(throws: error) { try steps(chain(513)) }
        #expect(throws: error) { try steps(chain(200_000)) }
        #expect(error.description.contains("512"))
    }
}
