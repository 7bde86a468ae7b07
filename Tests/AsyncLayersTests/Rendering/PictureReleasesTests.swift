import Dispatch
import ManualPools
import QueuePools
import TestSupport
import Testing

@testable import AsyncLayers

@MainActor
@Suite("Pictures that wait to be released", .timeLimit(.minutes(15)))
struct PictureReleasesTests {
    enum Storm: CaseIterable {
        case replaced, interim, evicted, parts, crossFades, keptByCallbacks, synchronous, mixed
    }

    private let bench: LayerBench
    private let made = Counter()
    private let released = Counter()
    private let renderer: RecordingRenderer

    init() throws {
        bench = try LayerBench()
        var renderer = RecordingRenderer()
        renderer.onRelease = { [released] in released.increment() }
        self.renderer = renderer
    }

    private var alive: Int { made.value - released.value }

    /// A layer whose pictures take 64 KiB, as 256 of the limit do.
    private func makeLayer(_ cache: ContentsCache<RecordingRenderer>? = nil) -> AsyncLayer<RecordingRenderer>
    {
        let layer = AsyncLayer(renderer: renderer, host: bench.host, cache: cache)
        layer.size = Size(width: 128, height: 128)
        layer.delegate = bench
        return layer
    }

    /// Draws, and never lets the tier background run.
    private func drawAll() {
        repeat { bench.main.runAll() } while bench.pool.runAll(qos: .userInitiated) > 0
    }

    @Test("have a bound, though the tier background never runs", arguments: Storm.allCases)
    func bound(storm: Storm) throws {
        let cache = ContentsCache<RecordingRenderer>(byteLimit: 1 << 20, pool: bench.pool)
        let layers = (0..<8).map { _ in
            makeLayer([.evicted, .parts].contains(storm) ? cache : nil)
        }
        let number = Counter()
        bench.makeTask = { [made, number] _ in
            number.increment()
            let draw: DisplayTask<RecordingRenderer>.Draw = { _, _ in made.increment() }
            switch storm {
            case .evicted: return DisplayTask(key: number.value, draw: draw)
            case .parts:
                var part = Composition<RecordingRenderer>.Part(
                    size: Size(width: 128, height: 128), draw: draw)
                part.key = ContentKey(number.value)
                // That of the whole.
                made.increment()
                return DisplayTask(composition: Composition([part]))
            default: return DisplayTask(draw: draw)
            }
        }
        var fades: [ContentsTransition<RecordingRenderer.Picture>] = []
        for (index, layer) in layers.enumerated() {
            switch storm {
            case .crossFades:
                layer.onContentsChange = { transition in
                    fades.append(transition)
                    if fades.count > 8 { fades.removeFirst() }
                }
            case .keptByCallbacks: layer.onContentsChange = { _ in }
            case .synchronous: layer.displaysAsynchronously = false
            case .mixed: layer.displaysAsynchronously = index > 0
            default: break
            }
        }
        var most = 0
        for _ in 0..<250 {
            for layer in layers {
                layer.display()
                // Two draws run when the next one is requested.
                if storm == .interim {
                    bench.pool.runNext(qos: .userInitiated)
                    layer.display()
                }
            }
            drawAll()
            most = max(most, alive)
        }
        // 256 that wait, twice as many on the main thread alone or beside a cache; those that are shown,
        // in the cache, or kept by the program; and those of two draws a layer.
        let waiting = [.synchronous, .evicted, .parts].contains(storm) ? 512 : 256
        let others = 8 + 16 + 8 + 16
        #expect(made.value >= 2_000)
        #expect(most <= waiting + others)
        #expect(most > 128, "draws leave pictures to the tier background as long as few wait")
        #expect(bench.host.unreleasedByteCount <= (waiting + others) << 16)
        // They have waited as one job, or one for the cache.
        #expect(bench.pool.runAll(qos: .background) <= 2)
        #expect(bench.host.unreleasedByteCount == 0)
        fades = []
        bench.pool.runAll(qos: .background)
        #expect(alive <= 8 + 16)
    }

    @Test("are not released by draws on the main thread while draws of the pool keep to the bound")
    func mainThread() throws {
        let layers = (0..<8).map { _ in makeLayer() }
        layers[0].displaysAsynchronously = false
        bench.makeTask = { [made] _ in DisplayTask { _, _ in made.increment() } }
        for _ in 0..<250 {
            for layer in layers {
                let before = released.value
                layer.display()
                #expect(released.value == before)
            }
            drawAll()
        }
        #expect(alive < 300)
    }

    @Test("of many layers that are cleared at once cost a draw on the main thread as much as it makes")
    func clearedAtOnce() throws {
        let layers = (0..<1_000).map { _ in makeLayer() }
        bench.makeTask = { [made] _ in DisplayTask { _, _ in made.increment() } }
        for layer in layers { layer.display() }
        drawAll()
        for layer in layers { layer.removeContents() }
        #expect(bench.host.unreleasedByteCount == 1_000 << 16)
        layers[0].displaysAsynchronously = false
        layers[0].size = Size(width: 256, height: 128)
        layers[0].display()
        #expect(released.value == 2)
        #expect(bench.host.unreleasedByteCount == 998 << 16)
        layers[1].display()
        drawAll()
        #expect(released.value == 1_000)
        #expect(bench.host.unreleasedByteCount == 0)
    }

    @Test("of placeholders, whose bytes are not known, are bounded in number")
    func placeholders() throws {
        let layer = makeLayer()
        bench.makeTask = { [made, renderer] _ in
            made.increment()
            var task = DisplayTask<RecordingRenderer> { _, _ in made.increment() }
            task.placeholder = try? renderer.makeContents(
                from: renderer.makeContext(ContextDescription(pixelWidth: 1, pixelHeight: 1)))
            return task
        }
        for _ in 0..<1_000 {
            layer.removeContents()
            layer.display()
            drawAll()
        }
        #expect(alive <= 256 + 8)
    }

    @Test("are released with their host, cache and pool if the tier background never runs")
    func dropped() throws {
        let (made, released) = (Counter(), Counter())
        do {
            let bench = try LayerBench()
            var renderer = RecordingRenderer()
            renderer.onRelease = { released.increment() }
            let layer = bench.newLayer(renderer)
            bench.makeTask = { number in DisplayTask(key: number) { _, _ in made.increment() } }
            for _ in 0..<50 {
                layer.display()
                bench.pool.runAll(qos: .userInitiated)
                bench.main.runAll()
                bench.cache.trim()
            }
            #expect(released.value == 0)
        }
        #expect(made.value == 50)
        #expect(released.value == 50)
    }

    @Test("are each released once, by draws and by jobs of the tier background", arguments: PoolKind.allCases)
    func onceEach(kind: PoolKind) async throws {
        let pool = try kind.pool("releases", .exactly(2))
        let releases = PictureReleases(pool: pool)
        let (released, ended) = (Counter(), Counter())
        let (threadCount, rounds) = (4, 2_000)
        for number in 0..<threadCount {
            DispatchQueue.global().async {
                for round in 0..<rounds {
                    let pictures = (0..<3).map { _ in
                        RendererPicture(LifetimeProbe { released.increment() }, byteCount: 256 << 10)
                    }
                    releases.leave(pictures)
                    releases.drawBegins(bytes: 512 << 10, isOnMainThread: round % 4 == number)
                }
                ended.increment()
            }
        }
        await waitWhile(ended.value < threadCount)
        try await pool.shutdown()
        #expect(released.value == 3 * threadCount * rounds)
        #expect(releases.byteCount == 0)
    }
}
