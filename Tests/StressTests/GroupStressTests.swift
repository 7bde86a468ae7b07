import AsyncLayers
import Dispatch
import QueuePoolsLocks
import QueuePools
import TestSupport
import Testing

@MainActor
@Suite("Groups under stress", .serialized, .timeLimit(.minutes(15)))
struct GroupStressTests {
    @Test(
        "groups that share layers appear in one step, though threads invalidate these",
        arguments: PoolKind.allCases)
    func wholeGroups(kind: PoolKind) async throws {
        let pool = try kind.pool("groups", .automatic)
        let stage = GroupStage(pool: pool, seed: StressPlan.seed)
        await stage.run(displays: 2_500 * StressPlan.scale)
        #expect(stage.violation == nil)
        #expect(stage.watch.appearedCount > 500 * StressPlan.scale)
        #expect(stage.passCount > 6_000 * StressPlan.scale)
        try await pool.shutdown()
    }
}

/// Twelve layers, of which three are displayed as a group again and again, while two threads invalidate some:
/// one for every fourth pass that begins, so that each group gets whole in the end.
@MainActor
private final class GroupStage: AsyncLayerDelegate {
    private struct Player {
        let layer: AsyncLayer<RecordingRenderer>
        var requested = 0
        var shown = 0
    }

    let watch = GroupWatch()
    private(set) var violation: String?
    private(set) var passCount = 0
    private var players: [Player] = []
    private let host: DisplayHost
    private var generator: SeededGenerator
    private var openGroups = 0
    private var onEnd: CheckedContinuation<Void, Never>?
    private let mayInvalidate = DispatchSemaphore(value: 0)
    private nonisolated let isStopped = Lock(false)

    init(pool: any JobSubmitting, seed: UInt64) {
        host = DisplayHost(pool: pool, metrics: DisplayMetrics())
        generator = SeededGenerator(seed: seed)
        for _ in 0..<12 {
            let layer = AsyncLayer(renderer: RecordingRenderer(), host: host)
            layer.size = Size(width: 8, height: 8)
            layer.delegate = self
            players.append(Player(layer: layer))
        }
    }

    func run(displays: Int) async {
        let threads = DispatchGroup()
        for thread in 0..<2 { startThread(thread, in: threads) }
        for _ in 0..<displays where violation == nil {
            displayGroup()
            check()
            while openGroups > 4 { await withCheckedContinuation { onEnd = $0 } }
            check()
        }
        isStopped.withLock { $0 = true }
        for _ in 0..<2 { mayInvalidate.signal() }
        await withCheckedContinuation { done in threads.notify(queue: .main) { done.resume() } }
        while openGroups > 0 { await withCheckedContinuation { onEnd = $0 } }
        check()
    }

    /// Not called by a callback: what is shown was reported.
    private func check() { violation = violation ?? watch.violation }

    private func startThread(_ number: Int, in group: DispatchGroup) {
        let layers = players.map(\.layer)
        let seed = generator.next()
        DispatchQueue(label: "invalidator \(number)").async(group: group) { [self, mayInvalidate] in
            var generator = SeededGenerator(seed: seed)
            while true {
                mayInvalidate.wait()
                if isStopped.withLock({ $0 }) { return }
                layers[Int(generator.next() % UInt64(layers.count))].setNeedsDisplay()
            }
        }
    }

    private func displayGroup() {
        let group = DisplayGroup(timeLimit: .seconds(3600), host: host)
        let members = Set((0..<3).map { _ in Int(generator.next() % UInt64(players.count)) }).sorted()
        for member in members { group.add(players[member].layer) }
        openGroups += 1
        let number = watch.nextNumber()
        let before = players.map(\.requested)
        var isDone = false
        group.display { [self] _ in
            isDone = true
            watch.end(number)
            openGroups -= 1
            onEnd.take()?.resume()
        }
        guard !isDone else { return }
        watch.begin(
            number,
            members.map { [self] member in
                // A display that follows another one requests later.
                let pass = max(players[member].requested, before[member] + 1)
                return (players[member].layer, pass, { self.players[member].shown })
            })
    }

    func displayTask(for layer: AsyncLayer<RecordingRenderer>) -> DisplayTask<RecordingRenderer>? {
        guard let index = players.firstIndex(where: { $0.layer === layer }) else { return nil }
        players[index].requested += 1
        passCount += 1
        if passCount % 4 == 0 { mayInvalidate.signal() }
        let (number, turns) = (players[index].requested, Int(generator.next() % 2_000))
        return DisplayTask(
            onEnd: { [self] outcome in
                if case .committed = outcome { players[index].shown = number }
            },
            draw: { context, scope in
                for turn in 0..<turns where turn % 64 == 0 { try scope.checkCancellation() }
                context.commands.append("\(number)")
            })
    }
}
