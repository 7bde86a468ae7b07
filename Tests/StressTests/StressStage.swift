import AsyncLayers
import Dispatch
import QueuePoolsLocks
import QueuePools
import TestSupport

/// A stage full of layers: threads invalidate them at random, while the main actor displays, cancels,
/// resizes, suspends, groups and replaces them at random, and counts how their passes end.
///
/// Half of the pictures have one of a few keys, so that layers share draws and find pictures in the cache;
/// the memory budget is small, so that draws wait for it.
@MainActor
final class StressStage {
    typealias Layer = AsyncLayer<RecordingRenderer>

    private(set) var tally = Tally()
    private(set) var replacedLayers = 0
    private(set) var finishedGroups = 0
    /// The bytes of the contexts that were drawn into at the same time, off the main thread: the most there
    /// were.
    var peakBytes: Int { cast.meter.peak }
    private let host: DisplayHost
    private let cache: ContentsCache<RecordingRenderer>
    private let renderer = RecordingRenderer()
    private var openGroups = 0
    private var generator: SeededGenerator
    private var players: [Player] = []
    private var witnesses: [Witness] = []
    private let cast = Cast()
    private var target = 0
    private var onTarget: CheckedContinuation<Void, Never>?
    private var onLastOutcome: CheckedContinuation<Void, Never>?
    private var onLastGroup: CheckedContinuation<Void, Never>?

    /// Five contexts of 8 × 8 pixels.
    static let byteLimit = 5 * 8 * 8 * 4

    init(pool: any JobSubmitting, layerCount: Int, seed: UInt64) {
        let metrics = DisplayMetrics()
        host = DisplayHost(
            pool: pool, budget: MemoryBudget(byteLimit: Self.byteLimit), metrics: metrics,
            demotionDelay: .microseconds(200))
        cache = ContentsCache(byteLimit: 1 << 10, pool: pool)
        generator = SeededGenerator(seed: seed)
        players = (0..<layerCount).map { _ in makePlayer() }
        cast.layers = players.map(\.layer)
    }

    /// What the host's metrics counted.
    var statistics: DisplayStatistics { host.metrics.snapshot() }

    /// How many passes found their picture in the cache.
    var cacheHits: Int { cache.statistics.hits }

    /// The bytes that draws in flight take, by the host's books.
    var bytesInUse: Int { host.budget.bytesInUse }

    /// How many of the layers ever made are still alive.
    var livingLayers: Int { witnesses.count { $0.layer != nil } }

    /// Runs until so many passes have begun, then lets the last ones end and drops the layers.
    func run(passes: Int, threads: Int) async {
        target = passes
        let invalidators = DispatchGroup()
        for thread in 0..<threads {
            let seed = generator.next()
            DispatchQueue(label: "invalidator \(thread)").async(group: invalidators) { [cast] in
                cast.invalidate(seed: seed)
            }
        }
        await withCheckedContinuation { onTarget = $0 }
        cast.isStopped = true
        await withCheckedContinuation { done in invalidators.notify(queue: .main) { done.resume() } }

        cast.layers = []
        for player in players { player.layer.cancelDisplay() }
        players = []
        // A layer that was replaced lives on in the task of its pass, and as that ends may begin the one that
        // it had put off.
        repeat {
            while tally.ended < tally.begun { await withCheckedContinuation { onLastOutcome = $0 } }
            while openGroups > 0 { await withCheckedContinuation { onLastGroup = $0 } }
            // The last layers are released on the main queue, behind everything that is there now.
            await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
        } while tally.ended < tally.begun || openGroups > 0
    }

    // MARK: What players report

    fileprivate var meter: ByteMeter { cast.meter }

    fileprivate func suspendedLayerWasAsked() { tally.askedWhileSuspended += 1 }

    fileprivate func passBegan() {
        tally.begun += 1
        cast.passHasBegun()
        if tally.begun >= target { onTarget.take()?.resume() }
    }

    fileprivate func passEnded(_ outcome: DisplayOutcome, inOrder: Bool) {
        if !isOnMainQueue() { tally.offMain += 1 }
        switch outcome {
        case .committed:
            tally.committed += 1
            if !inOrder { tally.disorders += 1 }
        case .superseded: tally.superseded += 1
        case .cancelled: tally.cancelled += 1
        case .failed: tally.failed += 1
        }
        if tally.ended == tally.begun { onLastOutcome.take()?.resume() }
    }

    // MARK: Chance

    /// Before each pass something may happen, to its layer or to another one.
    fileprivate func tossCoin(for layer: Layer) -> Int {
        guard !players.isEmpty else { return 0 }
        layer.displaysAsynchronously = generator.next() % 16 != 0
        layer.size =
            switch generator.next() % 32 {
            case 0: Size(width: .nan, height: 8)
            case 1: .zero
            default: Size(width: 8, height: 8)
            }
        let other = players[Int(generator.next() % UInt64(players.count))].layer
        switch generator.next() % 128 {
        case 0...1: other.cancelDisplay()
        case 2...3: replace(other)
        case 4...5: other.display()
        case 6...7: other.suspend()
        case 8...11: other.resume()
        case 12...15: other.qos = randomTier()
        case 16: other.displayTimeLimit = .microseconds(Int(generator.next() % 3) * 200)
        case 17: displayGroup()
        case 18: cache.trim(toBytes: 512)
        default: break
        }
        return Int(generator.next() % 2_000)
    }

    fileprivate func randomTier() -> QoSTier { QoSTier.allCases[Int(generator.next() % 5)] }

    /// One of a few keys, or none.
    fileprivate func randomKey() -> Int? {
        let number = Int(generator.next() % 16)
        return number < 8 ? number : nil
    }

    private func replace(_ layer: Layer) {
        guard let index = players.firstIndex(where: { $0.layer === layer }) else { return }
        players[index] = makePlayer()
        cast.layers = players.map(\.layer)
        replacedLayers += 1
    }

    private func displayGroup() {
        let group = DisplayGroup(timeLimit: .milliseconds(Int(generator.next() % 3)), host: host)
        for _ in 0..<3 { group.add(players[Int(generator.next() % UInt64(players.count))].layer) }
        openGroups += 1
        group.display { [self] _ in
            openGroups -= 1
            finishedGroups += 1
            if openGroups == 0 { onLastGroup.take()?.resume() }
        }
    }

    private func makePlayer() -> Player {
        let layer = Layer(renderer: renderer, host: host, cache: cache)
        let player = Player(stage: self, layer: layer)
        witnesses.append(Witness(layer: player.layer))
        return player
    }

    private struct Witness {
        weak var layer: Layer?
    }
}

/// A layer and its delegate, which numbers the passes and watches that the numbers shown only grow.
@MainActor
private final class Player: AsyncLayerDelegate {
    let layer: StressStage.Layer
    private let stage: StressStage
    private var requested = 0
    private var shown = 0

    init(stage: StressStage, layer: StressStage.Layer) {
        self.stage = stage
        self.layer = layer
        layer.delegate = self
    }

    func displayTask(for layer: StressStage.Layer) -> DisplayTask<RecordingRenderer>? {
        if layer.isSuspended { stage.suspendedLayerWasAsked() }
        requested += 1
        let number = requested
        var task = DisplayTask<RecordingRenderer>(
            onStart: { [stage, weak layer] in
                stage.passBegan()
                if let layer { self.spin = stage.tossCoin(for: layer) }
            },
            onEnd: { [stage] outcome in
                var inOrder = true
                if case .committed = outcome {
                    inOrder = number > self.shown
                    self.shown = number
                }
                stage.passEnded(outcome, inOrder: inOrder)
            },
            draw: { [spin, meter = stage.meter] context, scope in
                // A draw on the main actor cannot wait for memory.
                let description = context.description
                let bytes = isOnMainQueue() ? 0 : description.pixelWidth * description.pixelHeight * 4
                meter.add(bytes)
                defer { meter.remove(bytes) }
                for turn in 0..<spin where turn % 64 == 0 { try scope.checkCancellation() }
                context.commands.append("\(number)")
            })
        task.key = stage.randomKey().map { ContentKey($0) }
        task.qos = stage.randomTier()
        return task
    }

    /// How long the next draw takes, in turns of its loop.
    private var spin = 0
}

/// The layers on stage, as the invalidating threads see them. *Thread-safe.*
private final class Cast: Sendable {
    let meter = ByteMeter()
    private let state = Lock<(layers: [StressStage.Layer], isStopped: Bool)>(([], false))
    private let begunPasses = DispatchSemaphore(value: 0)

    var layers: [StressStage.Layer] {
        get { state.withLock { $0.layers } }
        set {
            // The old array is released outside of the lock: with it may go the last reference to a layer.
            let old = state.withLock { state in
                defer { state.layers = newValue }
                return state.layers
            }
            withExtendedLifetime(old) {}
        }
    }

    var isStopped: Bool {
        get { state.withLock { $0.isStopped } }
        set { state.withLock { $0.isStopped = newValue } }
    }

    /// Lets an invalidating thread continue.
    func passHasBegun() { begunPasses.signal() }

    /// Invalidates layers at random until stopped: in a rush, and then not before the main actor has begun a
    /// pass, so that the threads do not take all processors while that is busy with other tests.
    func invalidate(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        while !isStopped {
            for _ in 0..<16 {
                let number = Int(generator.next() >> 1)
                let layer = state.withLock { state in
                    state.layers.isEmpty ? nil : state.layers[number % state.layers.count]
                }
                for _ in 0...(generator.next() % 3) { layer?.setNeedsDisplay() }
            }
            // Or not for long: all layers may be suspended, or the stage empty.
            _ = begunPasses.wait(timeout: .now() + .milliseconds(1))
        }
    }
}
