import AsyncLayers
import QueuePoolsLocks
import QueuePools
import TestSupport
import Testing

/// Compositions that change by chance, drawn by threads, on layers that share a cache.
@MainActor
private final class CompositionStage: AsyncLayerDelegate {
    typealias Part = Composition<RecordingRenderer>.Part

    /// A pass, as the stage expects it.
    private final class Pass: Sendable {
        let names: [String]
        /// What was in the cache as it began.
        let kept: Set<String>
        /// The parts with keys that were drawn to the end.
        let drawn = Lock<[String]>([])

        init(_ names: [String], kept: Set<String>) { (self.names, self.kept) = (names, kept) }
    }

    struct Failure: Error {}

    private let host: DisplayHost
    private let isRoomy: Bool
    private let cache: ContentsCache<RecordingRenderer>
    private(set) var layers: [AsyncLayer<RecordingRenderer>] = []
    private var names: [ObjectIdentifier: [String]] = [:]
    private var passes: [Int: Pass] = [:]
    private var generator: SeededGenerator
    private var kept: Set<String> = []
    private var openGroups = 0
    /// Resumed when all passes and groups have ended.
    private var settled: CheckedContinuation<Void, Never>?
    private var isOver = false
    private(set) var began = 0
    private(set) var ended = 0
    private(set) var committed = 0
    private(set) var faults: [String] = []
    private let threadFaults = Recorder<String>()

    init(pool: any JobSubmitting, seed: UInt64, isRoomy: Bool) {
        generator = SeededGenerator(seed: seed)
        self.isRoomy = isRoomy
        host = DisplayHost(
            pool: pool, budget: MemoryBudget(byteLimit: 6 * 400), metrics: DisplayMetrics(),
            demotionDelay: .microseconds(200))
        cache = ContentsCache(byteLimit: isRoomy ? 1 << 20 : 500, pool: pool)
        for _ in 0..<12 { addLayer() }
    }

    private func random(_ n: Int) -> Int { Int.random(in: 0..<n, using: &generator) }

    private func addLayer() {
        let layer = AsyncLayer(renderer: RecordingRenderer(), host: host, cache: cache)
        layer.size = Size(width: 10, height: 10)
        layer.delegate = self
        names[ObjectIdentifier(layer)] = (0..<8).map { _ in name() }
        layers.append(layer)
    }

    private func name() -> String { "\(random(5) == 0 ? "u" : "k")\(random(60))" }

    func displayTask(for layer: AsyncLayer<RecordingRenderer>) -> DisplayTask<RecordingRenderer>? {
        began += 1
        let number = began
        var names = names[ObjectIdentifier(layer)]!
        names[random(8)] = name()
        self.names[ObjectIdentifier(layer)] = names
        let pass = Pass(names, kept: kept)
        passes[number] = pass
        let threadFaults = threadFaults
        let (failing, slow) = (random(40), random(20))
        let parts = names.enumerated().map { index, name in
            let draw: DisplayTask<RecordingRenderer>.Draw = { context, scope in
                if pass.kept.contains(name) { threadFaults.append("\(number) draws \(name) again") }
                if index == failing { throw Failure() }
                if index == slow { for _ in 0..<20_000 where scope.isCancelled { break } }
                try scope.checkCancellation()
                context.commands.append(name)
                let isTwice = pass.drawn.withLock { drawn in
                    defer { if name.hasPrefix("k") { drawn.append(name) } }
                    return drawn.contains(name)
                }
                if isTwice { threadFaults.append("\(number) draws \(name) twice") }
            }
            var part = Part(size: Size(width: 3, height: 3), draw: draw)
            if name.hasPrefix("k") { part.key = ContentKey(name) }
            return part
        }
        let mark = Part(size: Size(width: 1, height: 1)) { context, _ in
            context.commands.append("#\(number)")
        }
        var task = DisplayTask(composition: Composition([mark] + parts))
        if random(4) == 0 { task.key = ContentKey(names) }
        task.qos = QoSTier.allCases[random(5)]
        task.onEnd = { [weak layer] outcome in self.passEnded(number, outcome, layer) }
        return task
    }

    private func passEnded(_ number: Int, _ outcome: DisplayOutcome, _ layer: AsyncLayer<RecordingRenderer>?)
    {
        ended += 1
        if case .committed = outcome { committed += 1 }
        if isRoomy, let pass = passes[number], !isStale(outcome) {
            kept.formUnion(pass.drawn.withLock { $0 })
        }
        if let commands = layer?.contents?.commands { check(commands) }
        if !isOver, random(3) == 0 { act() }
        resumeIfSettled()
    }

    /// A draw that is stopped may have been stopped behind a part's closure.
    private func isStale(_ outcome: DisplayOutcome) -> Bool {
        switch outcome {
        case .superseded(.drawing), .cancelled(.drawing): true
        default: false
        }
    }

    private func check(_ commands: [String]) {
        guard let number = commands.first.flatMap({ Int($0.dropFirst()) }), let pass = passes[number] else {
            return faults.append("shows \(commands)")
        }
        if commands.dropFirst() != pass.names[...] { faults.append("\(number) shows \(commands)") }
    }

    private func act() {
        let layer = layers[random(layers.count)]
        switch random(24) {
        case 0...5: layer.display()
        case 6...11: layer.setNeedsDisplay()
        case 12: layer.cancelDisplay()
        case 13: layer.qos = QoSTier.allCases[random(5)]
        case 14: if random(2) == 0 { layer.suspend() }
        case 15...17: layer.resume()
        case 18: layer.displaysAsynchronously = random(8) > 0
        case 19: layer.displayTimeLimit = .microseconds(random(3) * 200)
        case 20: displayGroup()
        case 21: if random(4) == 0 { layers.removeAll { $0 === layer }; addLayer() }
        case 22: if !isRoomy { cache.trim(toBytes: random(2) * 200) }
        default: if random(4) == 0 { layer.removeContents() }
        }
    }

    private func displayGroup() {
        let group = DisplayGroup(timeLimit: .milliseconds(random(3)), host: host)
        for _ in 0..<3 { group.add(layers[random(layers.count)]) }
        openGroups += 1
        group.display { _ in
            self.openGroups -= 1
            self.resumeIfSettled()
        }
    }

    private var isSettled: Bool { ended == began && openGroups == 0 }

    private func resumeIfSettled() {
        guard isSettled, let settled else { return }
        self.settled = nil
        settled.resume()
    }

    func run(passes: Int) async {
        while began < passes {
            for _ in 0..<4 { act() }
            await Task.yield()
        }
        isOver = true
        for layer in layers { layer.cancelDisplay() }
        layers = []
        if !isSettled { await withCheckedContinuation { settled = $0 } }
        faults += threadFaults.elements
        if host.budget.bytesInUse != 0 { faults.append("\(host.budget.bytesInUse) bytes in use") }
    }
}

@MainActor
@Suite("Compositions under stress", .serialized, .timeLimit(.minutes(30)))
struct CompositionStressTests {
    @Test(
        "each picture has all parts of its pass, and no part that a cache had as it began is drawn",
        arguments: PoolKind.allCases, [true, false])
    func random(kind: PoolKind, isRoomy: Bool) async throws {
        let pool = try kind.pool("compositions", .automatic)
        let stage = CompositionStage(pool: pool, seed: StressPlan.seed, isRoomy: isRoomy)
        await stage.run(passes: 3_000 * StressPlan.scale)
        #expect(stage.faults.isEmpty, "\(stage.faults.prefix(5))")
        #expect(stage.ended == stage.began && stage.committed > 300 * StressPlan.scale)
        try await pool.shutdown()
    }
}
