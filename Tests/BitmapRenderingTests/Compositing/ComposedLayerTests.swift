import BitmapRendering
import QueuePools
import TestSupport
import Testing
import Transactions

@testable import AsyncLayers

@MainActor
@Suite("Layers composed into one picture", .timeLimit(.minutes(5)))
struct ComposedLayerTests {
    /// A layer that draws a box of one colour, and counts its callbacks.
    @MainActor
    private final class Box: AsyncLayerDelegate {
        let layer: AsyncLayer<BitmapRenderer>
        var color: Color
        var key: ContentKey?
        var gate: Gate?
        private(set) var requests = 0
        private(set) var outcomes: [String] = []

        init(_ color: Color, _ bounds: Rect, _ host: DisplayHost) {
            self.color = color
            layer = AsyncLayer(renderer: BitmapRenderer(), host: host)
            layer.bounds = bounds
            layer.delegate = self
        }

        func displayTask(for layer: AsyncLayer<BitmapRenderer>) -> DisplayTask<BitmapRenderer>? {
            requests += 1
            var task = DisplayTask<BitmapRenderer>(didDisplay: { self.outcomes.append("\($0)") }) {
                [color, gate] context, scope in
                gate?.pass()
                context.fill(scope.bounds, cornerRadius: 3, with: .color(color))
            }
            task.key = key
            return task
        }
    }

    private let transactions = TransactionQueue(driver: ManualTurnDriver())
    private let root: Box
    private let left: Box
    private let right: Box
    private let inner: Box

    init() {
        let host = DisplayHost(transactions: transactions)
        root = Box(Color(red: 0.1, green: 0.2, blue: 0.3), Rect(x: 0, y: 0, width: 60, height: 40), host)
        left = Box(Color(red: 0.9, green: 0.1, blue: 0), Rect(x: 0, y: 0, width: 20, height: 30), host)
        right = Box(Color(red: 0, green: 0.8, blue: 0.2), Rect(x: 0, y: 0, width: 30, height: 20), host)
        inner = Box(Color(white: 1, alpha: 0.5), Rect(x: 0, y: 0, width: 40, height: 8), host)
        root.layer.addSublayer(left.layer)
        root.layer.addSublayer(right.layer)
        right.layer.addSublayer(inner.layer)
        left.layer.placement.origin = Point(x: 4, y: 5)
        right.layer.placement.origin = Point(x: 15, y: 12)
        right.layer.placement.opacity = 0.7
        right.layer.placement.masksToBounds = true
        right.layer.placement.cornerRadius = 6
        inner.layer.placement.transform = .rotation(0.3)
    }

    private func picture(of box: Box) async throws -> Bitmap {
        box.layer.display()
        try await box.layer.displayed()
        return try #require(box.layer.contents)
    }

    @Test("the picture is that of the layers, each drawn by itself and composited one by one")
    func oneByOne() async throws {
        let alone = try (
            await picture(of: root), await picture(of: left), await picture(of: right),
            await picture(of: inner)
        )
        let renderer = BitmapRenderer()
        func context(_ size: Size) throws -> BitmapContext {
            try BitmapContext(pixelWidth: Int(size.width), pixelHeight: Int(size.height))
        }
        let group = try context(root.layer.bounds.size)
        let clip = ContentsPlacement.Clip(
            Rect(x: 15, y: 12, width: 30, height: 20), cornerRadius: 6)
        let place = LayerTransform.translation(x: 15, y: 12)
        renderer.draw(alone.2, into: group, placed: ContentsPlacement(transform: place))
        let turn = LayerTransform.translation(x: -20, y: -4).concatenating(.rotation(0.3))
            .concatenating(.translation(x: 20, y: 4))
        renderer.draw(
            alone.3, into: group, placed: ContentsPlacement(transform: turn.concatenating(place)))
        let whole = try context(root.layer.bounds.size)
        renderer.draw(alone.0, into: whole, placed: ContentsPlacement())
        renderer.draw(
            alone.1, into: whole, placed: ContentsPlacement(transform: .translation(x: 4, y: 5)))
        renderer.draw(
            group.makeBitmap(), into: whole, placed: ContentsPlacement(opacity: 0.7, clips: [clip]))

        root.layer.drawsSublayers = true
        let composed = try await picture(of: root)
        #expect(composed.hasSamePixels(as: whole.makeBitmap()))
        #expect(right.outcomes == ["committed", "committed"])
    }

    @Test("invalidating a layer within the tree draws the whole again, once a turn for all of them")
    func invalidation() async throws {
        root.layer.drawsSublayers = true
        let before = try await picture(of: root)
        left.color = .white
        inner.layer.setNeedsDisplay()
        left.layer.setNeedsDisplay()
        transactions.flush()
        try await left.layer.displayed()
        let after = try #require(root.layer.contents)
        #expect(!after.hasSamePixels(as: before))
        #expect(after[x: 10, y: 10] == Bitmap.Pixel(red: 255, green: 255, blue: 255, alpha: 255))
        #expect(left.requests == 2)
        #expect(root.requests == 2)
        #expect(left.layer.contents == nil)
    }

    @Test("waiting for a layer within the tree waits for the picture that it is drawn into")
    func awaiting() async throws {
        root.layer.drawsSublayers = true
        left.layer.setNeedsDisplay()
        let (left, transactions) = (left, transactions)
        Task { @MainActor in transactions.flush() }
        try await left.layer.displayed()
        #expect(root.layer.contents != nil)
    }

    @Test("hidden and suspended layers are left out, with all below them, and come back")
    func leftOut() async throws {
        root.layer.drawsSublayers = true
        right.layer.placement.isHidden = true
        left.layer.suspend()
        let bare = try await picture(of: root)
        #expect(left.requests == 0 && right.requests == 0 && inner.requests == 0)
        #expect(bare[x: 10, y: 10] == bare[x: 30, y: 20])
        left.layer.setNeedsDisplay()
        transactions.flush()
        #expect(root.requests == 1)
        left.layer.resume()
        transactions.flush()
        try await root.layer.displayed()
        #expect(root.requests == 2 && left.requests == 1)
        #expect(root.layer.contents?[x: 10, y: 10] != bare[x: 10, y: 10])
    }

    @Test("a tree too large for one context is drawn in tiles that are the same picture")
    func tiles() async throws {
        root.layer.drawsSublayers = true
        let whole = try await picture(of: root)
        root.layer.oversizePolicy = .tiles
        root.layer.maximumContextBytes = 30 * 30 * 4
        root.layer.display()
        try await root.layer.displayed()
        #expect(root.layer.tiles.count > 1)
        for tile in root.layer.tiles {
            for y in 0..<tile.pixelHeight {
                for x in 0..<tile.pixelWidth {
                    try #require(
                        tile.contents[x: x, y: y] == whole[x: tile.pixelOriginX + x, y: tile.pixelOriginY + y]
                    )
                }
            }
        }
    }

    @Test("a tree that takes more than the budget at a time fails and says so")
    func budget() throws {
        let host = DisplayHost(
            transactions: transactions, budget: MemoryBudget(byteLimit: 60 * 40 * 4))
        let (root, child) = (
            Box(.white, Rect(x: 0, y: 0, width: 60, height: 40), host),
            Box(.black, Rect(x: 0, y: 0, width: 10, height: 10), host)
        )
        root.layer.addSublayer(child.layer)
        root.layer.drawsSublayers = true
        root.layer.display()
        #expect(
            root.outcomes == [
                "failed: the drawing would take 10000 bytes; the limit of its layer and its host is 9600"
            ])
        #expect(child.outcomes == root.outcomes)
    }

    @Test("a tree that takes more than the budget at a time is drawn in smaller tiles, if it may be")
    func budgetInTiles() async throws {
        let budget = MemoryBudget(byteLimit: 60 * 40 * 4)
        let host = DisplayHost(transactions: transactions, budget: budget)
        let (root, child) = (
            Box(.white, Rect(x: 0, y: 0, width: 60, height: 40), host),
            Box(.black, Rect(x: 0, y: 0, width: 10, height: 10), host)
        )
        root.layer.addSublayer(child.layer)
        root.layer.drawsSublayers = true
        root.layer.oversizePolicy = .tiles
        root.layer.display()
        try await root.layer.displayed()
        #expect(root.layer.tiles.count == 2)
        #expect(budget.peakBytesInUse <= budget.byteLimit)
        // The child alone leaves no room for anything else: it is drawn in parts.
        child.layer.bounds.size = Size(width: 60, height: 40)
        root.layer.display()
        try await root.layer.displayed()
        #expect(root.layer.tiles.count == 2)
        #expect(budget.peakBytesInUse <= budget.byteLimit)
        for tile in root.layer.tiles { #expect(tile.contents[x: 15, y: 20].alpha == 255) }
        #expect(root.layer.tiles.last?.contents[x: 15, y: 20] == .init(red: 0, green: 0, blue: 0, alpha: 255))
        // Without tiles there is no room for it.
        root.layer.oversizePolicy = .fail
        root.layer.display()
        await #expect(throws: DisplayError.tooManyBytes(needed: 19_200, limit: 9_600)) {
            try await root.layer.displayed()
        }
    }

    @Test("a picture of all layers is another one than that of the topmost alone with the same key")
    func key() async throws {
        root.key = ContentKey("root")
        let alone = try await picture(of: root)
        root.layer.drawsSublayers = true
        let whole = try await picture(of: root)
        #expect(whole[x: 10, y: 10] != alone[x: 10, y: 10])
    }

    @Test(
        "a suspended layer without a request is drawn into the picture on resume, with any key",
        arguments: [nil, ContentKey("root")])
    func resumed(key: ContentKey?) async throws {
        root.key = key
        root.layer.drawsSublayers = true
        left.layer.suspend()
        let bare = try await picture(of: root)
        left.layer.resume()
        transactions.flush()
        try await root.layer.displayed()
        #expect(root.requests == 2 && left.requests == 1)
        #expect(root.layer.contents?[x: 10, y: 10] != bare[x: 10, y: 10])
    }

    @Test("layers within the tree stream the outcomes of its picture")
    func outcomesOfParts() async throws {
        root.layer.drawsSublayers = true
        var outcomes = inner.layer.outcomes().makeAsyncIterator()
        _ = try await picture(of: root)
        #expect(await outcomes.next()?.description == "committed")
    }

    @Test("a caller that waits for a layer that comes into the tree meanwhile waits for the tree's picture")
    func becomesPart() async throws {
        let child = Box(.white, Rect(x: 0, y: 0, width: 10, height: 10), root.layer.pipeline.host)
        child.layer.setNeedsDisplay()
        let waiter = Task { @MainActor in try await child.layer.displayed() }
        while !child.layer.pipeline.isAwaited { await Task.yield() }
        root.layer.drawsSublayers = true
        root.layer.addSublayer(child.layer)
        transactions.flush()
        try await waiter.value
        #expect(root.outcomes == ["committed"])
        #expect(child.outcomes == ["committed"])
    }

    @Test("a layer that comes into the tree leaves its group")
    func becomesPartOfGroup() async {
        let child = Box(.white, Rect(x: 0, y: 0, width: 10, height: 10), root.layer.pipeline.host)
        let group = DisplayGroup(timeLimit: .seconds(3_600), host: root.layer.pipeline.host)
        group.add(child.layer)
        var outcomes = child.layer.outcomes().makeAsyncIterator()
        let results = Recorder<DisplayGroupResult>()
        group.display { results.append($0) }
        child.layer.setNeedsDisplay()
        guard case .superseded = await outcomes.next() else {
            Issue.record("the pass was made stale before its picture could be shown")
            return
        }
        root.layer.drawsSublayers = true
        root.layer.addSublayer(child.layer)
        transactions.flush()
        #expect(results.elements == [DisplayGroupResult(cancelled: 1)])
    }

    @Test("layers within the tree that are invalidated all the time replace what waits of the tree's passes")
    func replaced() async throws {
        root.layer.drawsSublayers = true
        root.layer.display()
        for _ in 0..<3 {
            left.layer.setNeedsDisplay()
            transactions.flush()
        }
        #expect(root.requests == 4)
        try await root.layer.displayed()
        #expect(root.outcomes.last == "committed")
        #expect(root.outcomes.count == 4)
    }

    @Test(
        "a picture that waits for its group is not shown by a layer that becomes a part",
        arguments: [true, false])
    func heldPicture(asynchronous: Bool) async {
        let host = root.layer.pipeline.host
        let child = Box(.white, Rect(x: 0, y: 0, width: 10, height: 10), host)
        child.layer.displaysAsynchronously = asynchronous
        let group = DisplayGroup(timeLimit: .seconds(3_600), host: host)
        group.add(child.layer)
        group.add(left.layer)
        let results = Recorder<DisplayGroupResult>()
        let gate = Gate()
        left.gate = gate
        group.display { results.append($0) }
        while !child.layer.pipeline.machine.passes.contains(where: \.isHeld) { await Task.yield() }
        child.layer.setNeedsDisplay()
        root.layer.drawsSublayers = true
        root.layer.addSublayer(child.layer)
        transactions.flush()
        // What was drawn synchronously cannot be cancelled.
        #expect(child.outcomes.first == (asynchronous ? "cancelled while committing" : "committed"))
        #expect((child.layer.contents == nil) == asynchronous)
        #expect(child.layer.pipeline.machine.isIdle)
        gate.open()
        while results.elements.isEmpty { await Task.yield() }
    }

    @Test("waiting for a suspended layer of the tree waits for the picture without it, and draws no other")
    func awaitingSuspended() async throws {
        root.layer.drawsSublayers = true
        left.layer.suspend()
        root.layer.display()
        try await left.layer.displayed()
        try await left.layer.displayed()
        transactions.flush()
        #expect(root.requests == 1)
        right.layer.placement.isHidden = true
        right.layer.suspend()
        _ = try await picture(of: root)
        right.layer.resume()
        transactions.flush()
        #expect(root.requests == 2, "it is hidden still")
    }

    @Test("a failure of its own is forgotten when a layer was drawn as a part")
    func formerFailure() async throws {
        left.layer.contentsScale = -1
        left.layer.display()
        left.layer.contentsScale = 1
        root.layer.drawsSublayers = true
        _ = try await picture(of: root)
        left.layer.removeFromSuperlayer()
        try await left.layer.displayed()
    }
}
