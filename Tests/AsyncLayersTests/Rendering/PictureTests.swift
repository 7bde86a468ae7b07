import ManualPools
import TestSupport
import Testing

@testable import AsyncLayers

@MainActor
@Suite("Pictures that several hold", .timeLimit(.minutes(15)))
struct PictureTests {
    private let bench: LayerBench
    private let released = Counter()
    private var cache: ContentsCache<RecordingRenderer>?
    private var layers: [AsyncLayer<RecordingRenderer>] = []

    /// Two layers that show the same picture, which a cache has.
    init() throws {
        bench = try LayerBench()
        let cache = ContentsCache<RecordingRenderer>(byteLimit: 1 << 20, pool: bench.pool)
        self.cache = cache
        var renderer = RecordingRenderer()
        renderer.onRelease = { [released] in released.increment() }
        bench.makeTask = { _ in DisplayTask(key: "picture") { _, _ in } }
        for _ in 0..<2 {
            let layer = AsyncLayer(renderer: renderer, host: bench.host, cache: cache)
            layer.size = Size(width: 10, height: 20)
            layer.delegate = bench
            layer.display()
            bench.settle()
            layers.append(layer)
        }
        bench.makeTask = { _ in nil }
    }

    /// Checks that the pool has nothing to do, or one job which releases the picture.
    private func expectReleased(_ isReleased: Bool) {
        bench.main.runAll()
        #expect(released.value == 0)
        #expect(bench.pool.runNext() == isReleased)
        #expect(!bench.pool.runNext())
        #expect(released.value == (isReleased ? 1 : 0))
    }

    @Test(
        "are released in one job when the last layer or cache leaves them",
        arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
    func lastHolder(order: [Int]) throws {
        for (index, step) in order.enumerated() {
            switch step {
            case 0: layers[0].removeContents()
            case 1: layers[1].display()
            default: cache?.trim()
            }
            expectReleased(index == 2)
        }
    }

    @Test("are released in one job also by a cross-fade whose layers and cache are gone")
    mutating func formerContents() throws {
        var fade: ContentsTransition<RecordingRenderer.Picture>?
        layers[0].onContentsChange = { fade = $0 }
        layers[0].removeContents()
        layers[0].onContentsChange = nil
        layers = []
        bench.main.runAll()
        cache = nil
        expectReleased(false)
        #expect(fade?.former != nil)
        fade = nil
        expectReleased(true)
    }

    @Test("placeholders are shown by each pass of a task's copies, also when a former one has ended")
    func sharedPlaceholder() throws {
        let renderer = RecordingRenderer()
        var task = DisplayTask<RecordingRenderer> { _, _ in }
        task.placeholder = try renderer.makeContents(
            from: renderer.makeContext(ContextDescription(pixelWidth: 1, pixelHeight: 1)))
        bench.makeTask = { [task] _ in task }
        for layer in layers {
            layer.removeContents()
            layer.display()
            #expect(layer.showsPlaceholder && layer.contents != nil)
            layer.removeContents()
            bench.settle()
        }
        #expect(task.placeholder != nil)
    }
}
