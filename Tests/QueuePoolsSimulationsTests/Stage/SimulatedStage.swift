import AsyncLayers
import QueuePools
import QueuePoolsSimulations
import TestSupport

/// Layers in a simulation to which everything happens, at random, that may happen to layers in a program.
@MainActor
final class SimulatedStage {
    typealias Layer = StagePlayer.Layer

    static let byteLimit = 2_048

    let simulation: Simulation
    let log = StageLog()
    let renderer = StageRenderer()
    let meter = ByteMeter()
    /// True when the players do as one would wish: at the end.
    private(set) var isCalm = false

    private let counters = PassCounters()
    private let cache: ContentsCache<StageRenderer>
    private var generator: SeededGenerator
    private var players: [StagePlayer] = []
    private var witnesses: [Witness] = []
    /// The layers that are suspended, and some that are gone.
    private var suspended: Set<ObjectIdentifier> = []
    private let madeProbes = Counter()
    private let releasedProbes = Counter()
    private var threadTimes = Array(repeating: Duration.zero, count: 4)
    private var openGroups = 0
    /// In some stages groups appear whole, however late.
    private let areGroupsWhole: Bool
    private let watch = GroupWatch()
    private(set) var replacedPlayers = 0
    private(set) var finishedGroups = 0
    var peakBytesInUse: Int { meter.peak }
    var wholeGroups: Int { watch.appearedCount }
    var cacheHits: Int { cache.statistics.hits }

    /// A layer that was made; it may outlive its player, in what another thread is about to do.
    private struct Witness {
        weak var layer: Layer?
    }

    init(layerCount: Int, seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        areGroupsWhole = seed % 2 == 0
        simulation = Simulation(
            order: .seeded(generator.next()), queuesPerTier: 2, byteLimit: Self.byteLimit,
            metrics: DisplayMetrics(handlers: [counters]),
            demotionDelay: .milliseconds(Int(generator.next() % 20)))
        simulation.traceLimit = 40
        cache = ContentsCache(byteLimit: 4_096, pool: simulation.pool)
        players = (0..<layerCount).map { _ in makePlayer() }
    }

    private func makePlayer() -> StagePlayer {
        let layer = Layer(renderer: renderer, host: simulation.host, cache: cache)
        layer.size = Size(width: 8, height: 8)
        layer.contextByteLimit = Self.byteLimit / 2
        witnesses.append(Witness(layer: layer))
        // The object that had this address is gone.
        suspended.remove(ObjectIdentifier(layer))
        return StagePlayer(number: witnesses.count, stage: self, layer: layer)
    }

    // MARK: Chance

    func chance(_ count: Int, of total: Int) -> Bool { random(1...total) <= count }

    func random(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

    func randomTier() -> QoSTier { QoSTier.allCases[random(0...4)] }

    private func randomTime(upTo milliseconds: Int) -> Duration {
        .microseconds(random(0...milliseconds * 1_000))
    }

    private func randomPlayer() -> StagePlayer { players[random(0...players.count - 1)] }

    func makeProbe() -> LifetimeProbe {
        madeProbes.increment()
        return LifetimeProbe { [releasedProbes] in releasedProbes.increment() }
    }

    /// A callback that runs the loop for a while, as a modal dialog does.
    func mayRunLoopWithin() {
        if chance(1, of: 64) { for _ in 0..<random(1...8) { simulation.step() } }
    }

    // MARK: Asked by players

    func isSuspended(_ layer: Layer) -> Bool { suspended.contains(ObjectIdentifier(layer)) }

    func hasLeft(_ player: StagePlayer) -> Bool { !players.contains { $0 === player } }

    // MARK: Playing

    /// Lets so many things happen, until a promise is broken.
    func play(eventCount: Int) {
        for _ in 0..<eventCount where log.violations.isEmpty {
            switch random(1...10) {
            case 1...4: happenOnAnotherThread()
            case 5...8:
                simulation.host.loop.perform(at: simulation.now + randomTime(upTo: 20)) { [weak self] in
                    self?.happenOnMainThread()
                }
            default: happenOnMainThread()
            }
            switch random(1...8) {
            case 1: simulation.run()
            case 2: simulation.advance(by: randomTime(upTo: 16))
            case 3...5: for _ in 0..<random(1...4) { simulation.step() }
            default: break
            }
            check()
        }
    }

    private func happenOnAnotherThread() {
        let thread = random(0...threadTimes.count - 1)
        let time = max(threadTimes[thread], simulation.now) + randomTime(upTo: 8)
        threadTimes[thread] = time
        let count = random(1...3)
        simulation.schedule(at: time) { [layer = randomPlayer().layer] in
            for _ in 0..<count { layer.setNeedsDisplay() }
        }
    }

    private func happenOnMainThread() {
        guard !isCalm else { return }
        let player = randomPlayer()
        let layer = player.layer
        switch random(1...37) {
        case 1...6: layer.display()
        case 7...16: layer.setNeedsDisplay()
        case 17...18:
            layer.cancelDisplay()
            watch.excuse(layer)
        case 19...20: suspend(player)
        case 21...23: resume(player)
        case 24...26: resize(layer)
        case 27...29: layer.qos = randomTier()
        case 30: layer.setNeedsDisplay()
        case 31: layer.displayTimeLimit = [.zero, .milliseconds(2), .milliseconds(10)][random(0...2)]
        case 32: layer.displaysAsynchronously.toggle()
        case 33...35: displayGroup()
        case 36: replace(player)
        default: cache.trim(toBytes: random(0...1) * 1_024)
        }
    }

    func suspend(_ player: StagePlayer) {
        guard suspended.insert(ObjectIdentifier(player.layer)).inserted else { return player.layer.suspend() }
        player.suspend()
        watch.excuse(player.layer)
    }

    private func resume(_ player: StagePlayer) {
        suspended.remove(ObjectIdentifier(player.layer))
        player.layer.resume()
    }

    func resize(_ layer: Layer) {
        switch random(1...12) {
        case 1: layer.size = Size(width: .nan, height: 8)
        case 2: layer.size = .zero
        case 3: layer.size = Size(width: 100, height: 100)
        case 4: layer.size = Size(width: 0.5, height: 8)
        case 5: layer.contentsScale = [1.0, 2.0, .infinity][random(0...2)]
        case 6:
            let color = chance(1, of: 2) ? Color.black : .white
            layer.background = layer.background.isOpaque ? .clear : .opaque(color)
        default: layer.size = Size(width: Double(random(1...4) * 4), height: 8)
        }
    }

    /// Displays a few layers together, one of them given or not.
    func displayGroup(with layer: Layer? = nil) {
        let limit: Duration = areGroupsWhole ? .seconds(3600) : .milliseconds([0, 10, 50][random(0...2)])
        let group = DisplayGroup(timeLimit: limit, host: simulation.host)
        var members = (0..<random(1...5)).map { _ in randomPlayer().layer }
        if let layer { members[0] = layer }
        for member in members { group.add(member) }
        openGroups += 1
        let number = watch.nextNumber()
        let requests = players.map { ($0.number, $0.requests) }
        let before = Dictionary(requests) { first, _ in first }
        var isDone = false
        group.display { [self, count = Set(members.map(ObjectIdentifier.init)).count] result in
            log.check(!isDone, "a group is done twice")
            isDone = true
            watch.end(number)
            openGroups -= 1
            finishedGroups += 1
            let total = result.together + result.late + result.failed + result.cancelled
            log.check(total == count, "a group of \(count) has \(result)")
            if !isCalm, chance(1, of: 8) { displayGroup() }
        }
        guard areGroupsWhole, !isDone else { return }
        let waiting = players.filter { player in
            members.contains { $0 === player.layer } && !isSuspended(player.layer)
        }
        watch.begin(
            number,
            waiting.map { player in
                // A layer that is just being asked, or whose callbacks display too often, is displayed in the
                // next turn.
                let pass = max(player.requests, (before[player.number] ?? 0) + 1)
                return (player.layer, pass, { player.lastCommitted })
            })
    }

    /// A pass has ended without a picture: its layer has left its groups.
    func hasNoPicture(_ layer: Layer) { watch.excuse(layer) }

    private func replace(_ player: StagePlayer) {
        guard let index = players.firstIndex(where: { $0 === player }) else { return }
        watch.excuse(player.layer)
        players[index] = makePlayer()
        replacedPlayers += 1
    }

    // MARK: Checking

    private func check() {
        let inUse = simulation.budget.bytesInUse
        log.check((0...Self.byteLimit).contains(inUse), "\(inUse) bytes are in use")
        log.check(meter.peak <= Self.byteLimit, "\(meter.peak) bytes were drawn into at a time")
        log.check(counters.mistakes.isEmpty, "\(counters.mistakes)")
        if let violation = watch.violation { log.check(false, violation) }
        for player in players { player.check() }
    }

    /// Lets everything come to its end and looks whether it is as it should be.
    func finish() {
        isCalm = true
        for player in players {
            resume(player)
            player.layer.size = Size(width: 8, height: 8)
            player.layer.contentsScale = 1
        }
        simulation.advance(by: .seconds(2))
        for player in players { player.layer.setNeedsDisplay() }
        simulation.advance(by: .seconds(2))
        check()
        for player in players { player.checkSettled() }

        log.check(simulation.possibleActions.isEmpty, "something is left to do")
        log.check(simulation.budget.bytesInUse == 0, "\(simulation.budget.bytesInUse) bytes are in use")
        log.check(simulation.budget.waitingCount == 0, "a draw waits for memory")
        log.check(meter.bytes == 0, "a draw has not ended")
        log.check(openGroups == 0, "\(openGroups) groups are not done")
        let statistics = simulation.metrics.snapshot()
        log.check(counters.openCount == 0, "\(counters.openCount) passes have not ended")
        log.check(statistics.begun == statistics.ended, "\(statistics.begun) ≠ \(statistics.ended)")
        log.check(log.begun == log.ended, "\(log.begun) passes began, \(log.ended) ended")
        // Passes without a task, or of a layer without its player, are not reported, and draw nothing that
        // could fail; one that waits for its group may be superseded or cancelled.
        let silent = statistics.begun - log.begun
        log.check(silent >= log.withoutTask, "passes are miscounted")
        log.check(statistics.failed == log.failed, "failed passes are miscounted")
        let stale = statistics.superseded + statistics.cancelled - log.superseded - log.cancelled
        log.check((0...silent).contains(stale), "stale passes are miscounted")
        log.check(
            statistics.superseded >= log.superseded && statistics.cancelled >= log.cancelled,
            "superseded or cancelled passes are not counted")

        players = []
        simulation.run()
        cache.trim()
        simulation.run()
        log.check(witnesses.allSatisfy { $0.layer == nil }, "a layer is kept alive")
        log.check(releasedProbes.value == madeProbes.value, "what draws captured is kept alive")
        log.check(renderer.livingPictures.value == 0, "\(renderer.livingPictures.value) pictures are alive")
    }
}
