import ManualPools
import QueuePools
import TestSupport
import Testing
import QueuePoolsTransactions

@testable import AsyncLayers

/// Does anything to some layers, from the outside and from within all callbacks and draws, by chance.
@MainActor
private final class RandomUser: AsyncLayerDelegate {
    let bench: LayerBench
    var pool: ManualPool { bench.pool }
    var main: ManualLoop { bench.main }
    var host: DisplayHost { bench.host }
    var layers: [AsyncLayer<RecordingRenderer>] = []
    var generator: SeededGenerator
    var depth = 0
    var began = 0
    var outcomes: [Int: [String]] = [:]
    var drawCount: [Int: Int] = [:]
    var live = 0
    var isQuiet = false
    var faults: [String] = []
    var groupsBegun = 0
    var groupsDone = 0
    let isShared: Bool
    let allowsSync: Bool

    init(seed: UInt64, isShared: Bool, allowsSync: Bool) throws {
        generator = SeededGenerator(seed: seed)
        self.isShared = isShared
        self.allowsSync = allowsSync
        bench = try LayerBench(budget: 400 * 3, cacheBytes: 2000)
        for _ in 0..<4 { addLayer() }
    }

    func addLayer() {
        let layer = AsyncLayer(
            renderer: RecordingRenderer(), host: host, cache: random(2) == 0 ? nil : bench.cache)
        layer.size = Size(width: 10, height: 10)
        layer.delegate = self
        layer.onContentsChange = { [unowned self] _ in poke() }
        layers.append(layer)
    }

    func random(_ n: Int) -> Int { Int.random(in: 0..<n, using: &generator) }

    func displayTask(for layer: AsyncLayer<RecordingRenderer>) -> DisplayTask<RecordingRenderer>? {
        began += 1
        let number = began
        outcomes[number] = []
        if random(30) == 0 { poke() }
        live += 1
        let probe = LifetimeProbe { MainActor.assumeIsolated { self.live -= 1 } }
        weak let shown = layer
        let draw: DisplayTask<RecordingRenderer>.Draw = { context, scope in
            try MainActor.assumeIsolated {
                self.drawCount[number, default: 0] += 1
                if self.outcomes[number]!.isEmpty == false, self.isShared == false {
                    self.faults.append("draw \(number) began after \(self.outcomes[number]!)")
                }
                self.poke()
                if self.random(10) == 0 { throw CancellationError() }
                try scope.checkCancellation()
                self.poke()
            }
            context.commands.append("\(number)")
        }
        var task = DisplayTask<RecordingRenderer>(
            qos: QoSTier.allCases[random(QoSTier.allCases.count)],
            onStart: { if self.random(20) == 0 { self.poke() } },
            onEnd: { outcome in
                probe.touch()
                self.outcomes[number]!.append(outcome.description)
                if let shown, shown.pipeline.machine.shown > 0, shown.contents == nil {
                    self.faults.append("\(number): \(outcome), and shows nothing")
                }
                self.poke()
            }, draw: draw)
        if random(4) == 0 {
            task = DisplayTask(
                composition: composition(draw), qos: task.qos, onStart: task.onStart,
                onEnd: task.onEnd)
        }
        if isShared, random(3) > 0 { task.key = ContentKey(random(4)) }
        return task
    }

    /// One part that is drawn in any case, and some that other passes may have drawn.
    private func composition(
        _ draw: @escaping DisplayTask<RecordingRenderer>.Draw
    ) -> Composition<RecordingRenderer> {
        let others = (0..<random(4)).map { _ in
            Composition<RecordingRenderer>.Part(
                key: random(6), size: Size(width: 4, height: Double(2 + random(2)))
            ) { _, scope in
                try MainActor.assumeIsolated {
                    self.poke()
                    if self.random(10) == 0 { throw CancellationError() }
                }
            }
        }
        return Composition([.init(size: Size(width: 5, height: 4), draw: draw)] + others)
    }

    func poke() {
        guard !isQuiet, depth < 4, random(3) == 0 else { return }
        act()
    }

    func act() {
        depth += 1
        defer { depth -= 1 }
        guard !layers.isEmpty else { return addLayer() }
        let layer = layers[random(layers.count)]
        switch random(23) {
        case 0...4: layer.display()
        case 5...7: layer.setNeedsDisplay()
        case 8: layer.cancelDisplay()
        case 9: layer.size = Size(width: Double(1 + random(15)), height: 10)
        case 10: layer.qos = QoSTier.allCases[random(QoSTier.allCases.count)]
        case 11: if random(2) == 0 { layer.suspend() } else { layer.resume() }
        case 12: layer.resume()
        case 13: if allowsSync { layer.displaysAsynchronously.toggle() }
        case 14:
            let group = DisplayGroup(timeLimit: .milliseconds(random(50)), host: host)
            for _ in 0..<3 { group.add(layers[random(layers.count)]) }
            groupsBegun += 1
            group.display { _ in
                self.groupsDone += 1
                self.poke()
            }
        case 15: if random(3) == 0 { layers.removeAll { $0 === layer }; addLayer() }
        case 16: layer.displayTimeLimit = .milliseconds(random(2) * 5)
        case 17: bench.transactions.flush()
        case 18: main.runAll()
        case 19: main.advance(by: .milliseconds(random(20)))
        case 20, 21: if depth < 3 { pool.runNext() }
        default: layer.setNeedsDisplay()
        }
    }

    func finish() {
        isQuiet = true
        for _ in 0..<200 {
            main.advance(by: .milliseconds(100))
            bench.transactions.flush()
            pool.runAll()
            main.runAll()
        }
    }
}

@MainActor
@Suite("Layers under random use", .timeLimit(.minutes(15)))
struct RandomUseTests {
    @Test(
        "after any calls each pass has one outcome, is drawn at most once, shows what it commits, leaves nothing",
        arguments: [(false, false), (true, false), (false, true), (true, true)])
    func randomUse(isShared: Bool, allowsSync: Bool) throws {
        for seed in UInt64(1)...300 {
            let user = try RandomUser(seed: seed, isShared: isShared, allowsSync: allowsSync)
            for _ in 0..<300 { user.act() }
            user.finish()
            var faults = user.faults
            for (number, outcomes) in user.outcomes where outcomes.count != 1 {
                faults.append("\(number): \(outcomes)")
            }
            for (number, count) in user.drawCount where count > 1 {
                faults.append("\(number) drawn \(count) times")
            }
            if user.bench.budget.bytesInUse != 0 || user.bench.budget.waitingCount != 0 {
                faults.append("budget \(user.bench.budget.bytesInUse) \(user.bench.budget.waitingCount)")
            }
            if user.bench.sharedDrawCount != 0 { faults.append("draws \(user.bench.sharedDrawCount)") }
            if !user.host.demotion.isEmpty { faults.append("waiting") }
            for layer in user.layers
            where !layer.isSuspended && !layer.pipeline.isSettled {
                faults.append("unsettled")
            }
            for layer in user.layers where !layer.pipeline.machine.isIdle { faults.append("not idle") }
            if user.groupsBegun != user.groupsDone {
                faults.append("groups \(user.groupsBegun) \(user.groupsDone)")
            }
            if user.live != 0 { faults.append("tasks alive \(user.live)") }
            if user.host.metrics.snapshot().inFlight != 0 { faults.append("metrics") }
            #expect(faults.isEmpty, "seed \(seed)")
            for layer in user.layers { layer.onContentsChange = nil }
        }
    }
}
