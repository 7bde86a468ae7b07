import BitmapRendering
import QueuePools
import TestSupport
import Testing
import QueuePoolsTransactions

@testable import AsyncLayers

@MainActor
@Suite("Layers that show compositions", .timeLimit(.minutes(15)))
struct CompositionLayerTests {
    typealias Part = Composition<BitmapRenderer>.Part

    /// A box of one colour, as a layer's task or as a part.
    private struct Box {
        let color: Color
        let size: Size

        var draw: DisplayTask<BitmapRenderer>.Draw {
            { [color] context, scope in context.fill(scope.bounds, cornerRadius: 3, with: .color(color)) }
        }

        func part(at origin: Point, parts: [Part] = []) -> Part {
            Part(
                key: "\(color)", size: size, placement: PartPlacement(origin: origin), parts: parts,
                draw: draw)
        }
    }

    /// Shows what it is told to.
    private final class Screen: AsyncLayerDelegate {
        let layer: AsyncLayer<BitmapRenderer>
        var task: DisplayTask<BitmapRenderer>?

        init(cache: ContentsCache<BitmapRenderer>? = nil) {
            let host = DisplayHost(transactions: TransactionQueue(driver: ManualTurnDriver()))
            layer = AsyncLayer(renderer: BitmapRenderer(), host: host, cache: cache)
            layer.delegate = self
        }

        func displayTask(for layer: AsyncLayer<BitmapRenderer>) -> DisplayTask<BitmapRenderer>? { task }

        func show(_ task: DisplayTask<BitmapRenderer>, _ size: Size) async throws -> Bitmap {
            self.task = task
            layer.size = size
            layer.display()
            try await layer.displayed()
            return try #require(layer.contents)
        }
    }

    private let size = Size(width: 60, height: 40)
    private let base: Box
    private let left = Box(color: Color(red: 0.9, green: 0.1, blue: 0), size: Size(width: 20, height: 30))
    private let right = Box(color: Color(red: 0, green: 0.8, blue: 0.2), size: Size(width: 30, height: 20))
    private let inner = Box(color: Color(white: 1, alpha: 0.5), size: Size(width: 40, height: 8))

    init() { base = Box(color: Color(red: 0.1, green: 0.2, blue: 0.3), size: size) }

    private func composition() -> Composition<BitmapRenderer> {
        var within = inner.part(at: .zero)
        within.placement.transform = .rotation(0.3)
        var translucent = right.part(at: Point(x: 15, y: 12), parts: [within])
        translucent.placement.opacity = 0.7
        translucent.placement.masksToBounds = true
        translucent.placement.cornerRadius = 6
        return Composition([base.part(at: .zero), left.part(at: Point(x: 4, y: 5)), translucent])
    }

    @Test("the picture is that of the parts, each drawn by itself and blended one by one", arguments: 0..<3)
    func oneByOne(displays: Int) async throws {
        var alone: [Bitmap] = []
        for box in [base, left, right, inner] {
            alone.append(try await Screen().show(DisplayTask(draw: box.draw), box.size))
        }
        let renderer = BitmapRenderer()
        func context() throws -> BitmapContext {
            try BitmapContext(pixelWidth: Int(size.width), pixelHeight: Int(size.height))
        }
        let group = try context()
        let clip = ContentsPlacement.Clip(Rect(x: 15, y: 12, width: 30, height: 20), cornerRadius: 6)
        let place = LayerTransform.translation(x: 15, y: 12)
        renderer.draw(alone[2], into: group, placed: ContentsPlacement(transform: place))
        let turn = LayerTransform.translation(x: -20, y: -4).concatenating(.rotation(0.3))
            .concatenating(.translation(x: 20, y: 4))
        renderer.draw(
            alone[3], into: group, placed: ContentsPlacement(transform: turn.concatenating(place)))
        let whole = try context()
        renderer.draw(alone[0], into: whole, placed: ContentsPlacement())
        renderer.draw(alone[1], into: whole, placed: ContentsPlacement(transform: .translation(x: 4, y: 5)))
        renderer.draw(
            group.makeBitmap(), into: whole, placed: ContentsPlacement(opacity: 0.7, clips: [clip]))

        let expected = whole.makeBitmap()
        // Drawn, drawn again, and put together of pictures that a cache has.
        let screen = Screen(cache: displays == 2 ? ContentsCache(byteLimit: 1 << 20) : nil)
        for _ in 0...displays {
            let picture = try await screen.show(DisplayTask(composition: composition()), size)
            #expect(picture.hasSamePixels(as: expected))
        }
    }

    @Test("the parts lie on the layer's background, and an empty composition is that")
    func background() async throws {
        let screen = Screen()
        screen.layer.background = .opaque(.black)
        let empty = try await screen.show(DisplayTask(composition: Composition([])), size)
        #expect(empty.allPixels.allSatisfy { $0 == .init(red: 0, green: 0, blue: 0, alpha: 255) })
        let part = left.part(at: Point(x: 4, y: 5))
        let picture = try await screen.show(DisplayTask(composition: Composition([part])), size)
        #expect(picture[x: 2, y: 2] == empty[x: 2, y: 2])
        #expect(picture[x: 10, y: 15] != empty[x: 10, y: 15])
    }

    @Test("random compositions, each shown twice, are the same pictures with a cache and without one")
    func cached() async throws {
        let cache = ContentsCache<BitmapRenderer>(byteLimit: 40_000)
        let (screen, plain) = (Screen(cache: cache), Screen())
        for seed in UInt64(0)..<60 {
            var generator = SeededGenerator(seed: seed)
            let task = DisplayTask(composition: generator.composition(extent: 48))
            let expected = try await plain.show(task, size)
            for _ in 0..<2 {
                let picture = try await screen.show(task, size)
                #expect(picture.hasSamePixels(as: expected), "seed \(seed)")
            }
        }
        #expect(cache.statistics.hits > 20)
    }
}
