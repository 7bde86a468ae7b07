import AsyncLayers
import QueuePools
import Simulations
import TestSupport

/// Layers in trees that are drawn into one picture, or are not any more, to which everything happens at
/// random; and tasks that wait for them, and watch their outcomes.
@MainActor
final class SimulatedForest {
    static let byteLimit = 2_048

    let simulation: Simulation
    private(set) var violations: [String] = []
    private(set) var begunPasses = 0
    private(set) var composedPictures = 0
    private(set) var tiledPictures = 0
    private(set) var finishedGroups = 0
    private(set) var finishedWaits = 0
    private(set) var cancelledWaits = 0

    private let cache: ContentsCache<StageRenderer>
    private let renderer = StageRenderer()
    private var generator: SeededGenerator
    private var trees: [Tree] = []
    private var waits: [Task<Void, Never>] = []
    private var openWaits = 0
    private var openGroups = 0
    private var isCalm = false

    /// A layer, its delegate, and the stream of its outcomes.
    @MainActor
    private final class Tree: AsyncLayerDelegate {
        let layer: AsyncLayer<StageRenderer>
        unowned let forest: SimulatedForest
        var begun = 0
        var ended = 0
        /// How many outcomes the stream had; the watcher ends with the layer.
        let streamed = Counter()
        private(set) var watcher: Task<Void, Never>?

        init(_ layer: AsyncLayer<StageRenderer>, in forest: SimulatedForest) {
            self.layer = layer
            self.forest = forest
            let (outcomes, streamed) = (layer.outcomes(), streamed)
            watcher = Task { @MainActor in for await _ in outcomes { streamed.increment() } }
            layer.delegate = self
        }

        func displayTask(for layer: AsyncLayer<StageRenderer>) -> DisplayTask<StageRenderer>? {
            forest.check(!layer.isSuspended, "a suspended layer is asked for a task")
            return forest.makeTask(for: self)
        }
    }

    init(layerCount: Int, seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        simulation = Simulation(
            order: .seeded(generator.next()), queuesPerTier: 2, byteLimit: Self.byteLimit)
        simulation.traceLimit = 40
        cache = ContentsCache(byteLimit: 4_096, pool: simulation.pool)
        trees = (0..<layerCount).map { _ in makeTree() }
    }

    private func makeTree() -> Tree {
        let layer = AsyncLayer(renderer: renderer, host: simulation.host, cache: cache)
        layer.bounds.size = Size(width: 8, height: 8)
        layer.maximumContextBytes = Self.byteLimit / 2
        return Tree(layer, in: self)
    }

    // MARK: Chance

    private func random(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

    private func chance(_ count: Int, of total: Int) -> Bool { random(1...total) <= count }

    private func randomLayer() -> AsyncLayer<StageRenderer> { trees[random(0...trees.count - 1)].layer }

    private func check(_ condition: Bool, _ violation: @autoclosure () -> String) {
        if !condition { violations.append(violation()) }
    }

    // MARK: Passes

    private func makeTask(for tree: Tree) -> DisplayTask<StageRenderer> {
        let (bands, time) = (random(0...3), Duration.milliseconds(random(0...6)))
        let (isAttentive, fails) = (chance(3, of: 4), !isCalm && chance(1, of: 30))
        var task = DisplayTask<StageRenderer>(
            willDisplay: { [self] in
                tree.begun += 1
                begunPasses += 1
                somethingMayHappen(to: tree)
            },
            didDisplay: { [self] outcome in
                tree.ended += 1
                check(tree.ended <= tree.begun, "more passes end than have begun")
                if case .committed = outcome, tree.layer.drawsSublayers {
                    composedPictures += 1
                    if tree.layer.tiles.count > 1 { tiledPictures += 1 }
                }
                somethingMayHappen(to: tree)
            },
            draw: { [simulation] _, scope in
                for _ in 0..<bands {
                    if isAttentive { try scope.checkCancellation() }
                    simulation.spend(time)
                }
                if fails { throw StageFailure() }
            })
        task.tier = QoSTier.allCases[random(0...4)]
        if chance(1, of: 4) { task.key = ContentKey(random(0...3)) }
        if !isCalm, chance(1, of: 40) { task.draw = nil }
        return task
    }

    // MARK: Playing

    /// Lets so many things happen, until a promise is broken.
    func play(eventCount: Int) async {
        for _ in 0..<eventCount where violations.isEmpty {
            happen(to: randomLayer())
            switch random(1...8) {
            case 1: simulation.run()
            case 2: simulation.advance(by: .microseconds(random(0...16_000)))
            case 3...5: for _ in 0..<random(1...4) { simulation.step() }
            // Tasks continue.
            case 6: await Task.yield()
            default: break
            }
            check((0...Self.byteLimit).contains(simulation.budget.bytesInUse), "the budget is exceeded")
        }
    }

    private func happen(to layer: AsyncLayer<StageRenderer>) {
        switch random(1...40) {
        case 1...5: layer.display()
        case 6...13: layer.setNeedsDisplay()
        case 14...15: layer.cancelDisplay()
        case 16: layer.suspend()
        case 17...18: layer.resume()
        case 19...21: randomLayer().addSublayer(layer)
        case 22: layer.removeFromSuperlayer()
        case 23...24: layer.drawsSublayers.toggle()
        case 25: layer.placement.isHidden.toggle()
        case 26:
            layer.bounds.size = Size(width: chance(1, of: 4) ? .nan : Double(random(0...5) * 4), height: 8)
        case 27: layer.oversizePolicy = chance(1, of: 2) ? .tiles : .fail
        case 28:
            // Tiles of a few pixels, and layers that are larger than that, or lie across them.
            layer.maximumContextBytes = [64, 160, Self.byteLimit / 2][random(0...2)]
            layer.placement.origin.x = Double(random(-2...4))
            layer.placement.opacity = [0.5, 1][random(0...1)]
        case 29: layer.displayDeadline = [.zero, .milliseconds(2)][random(0...1)]
        case 30: layer.displaysAsynchronously.toggle()
        case 31...33: displayGroup(with: layer)
        case 34...37: wait(for: layer)
        case 38: waits.randomElement(using: &generator)?.cancel()
        case 39: replace(layer)
        default: layer.move(to: QoSTier.allCases[random(0...4)])
        }
    }

    /// What a program may do in a callback; not to a layer that has left, which no player checks.
    private func somethingMayHappen(to tree: Tree) {
        if !isCalm, chance(1, of: 32), trees.contains(where: { $0 === tree }) { happen(to: tree.layer) }
    }

    private func wait(for layer: AsyncLayer<StageRenderer>) {
        openWaits += 1
        waits.append(
            Task { @MainActor [self] in
                do {
                    try await layer.displayed()
                } catch is CancellationError {
                    cancelledWaits += 1
                } catch {
                    // The newest pass has failed.
                }
                openWaits -= 1
                finishedWaits += 1
            })
    }

    private func displayGroup(with layer: AsyncLayer<StageRenderer>) {
        let group = DisplayGroup(
            timeLimit: .milliseconds([0, 10, 50][random(0...2)]), host: simulation.host)
        let members = [layer] + (0..<random(0...3)).map { _ in randomLayer() }
        for member in members { group.add(member) }
        openGroups += 1
        var isDone = false
        group.display { [self, count = Set(members.map(ObjectIdentifier.init)).count] result in
            check(!isDone, "a group is done twice")
            isDone = true
            openGroups -= 1
            finishedGroups += 1
            let total = result.together + result.late + result.failed + result.cancelled
            check(total == count, "a group of \(count) has \(result)")
        }
    }

    private func replace(_ layer: AsyncLayer<StageRenderer>) {
        guard let index = trees.firstIndex(where: { $0.layer === layer }) else { return }
        for sublayer in layer.sublayers { sublayer.removeFromSuperlayer() }
        layer.removeFromSuperlayer()
        // A task that waits for it retains it, and would do so forever.
        layer.resume()
        trees[index] = makeTree()
    }

    // MARK: The end

    /// Until each has come to where it waits, or to its end.
    private func letTasksContinue() async {
        for _ in 0..<20 {
            simulation.advance(by: .seconds(1))
            for _ in 0..<10 { await Task.yield() }
        }
    }

    /// Lets everything come to its end and looks whether it is as it should be.
    func finish() async {
        isCalm = true
        await letTasksContinue()  // one that was cancelled takes a display back
        for layer in trees.map(\.layer) {
            layer.resume()
            layer.placement.isHidden = false
            layer.bounds.size = Size(width: 8, height: 8)
            layer.oversizePolicy = .tiles
            layer.setNeedsDisplay()
        }
        await letTasksContinue()
        check(openWaits == 0, "\(openWaits) tasks wait still")
        check(openGroups == 0, "\(openGroups) groups are not done")
        check(simulation.possibleActions.isEmpty, "something is left to do")
        check(simulation.budget.bytesInUse == 0, "\(simulation.budget.bytesInUse) bytes are in use")
        for tree in trees {
            check(tree.begun == tree.ended, "\(tree.begun) passes began, \(tree.ended) ended")
            var top = tree.layer
            while let next = top.superlayer { top = next }
            check(top.contents != nil || !top.tiles.isEmpty, "a topmost layer shows nothing")
        }
        let streams = trees.map { (watcher: $0.watcher, streamed: $0.streamed, told: $0.ended) }
        waits = []
        trees = []
        simulation.run()
        // Streams end with their layers, and have every outcome until then.
        for stream in streams {
            await stream.watcher?.value
            check(
                stream.streamed.value == stream.told,
                "\(stream.told) outcomes were told, \(stream.streamed.value) were streamed")
        }
        cache.trim()
        simulation.run()
        check(renderer.livingPictures.value == 0, "\(renderer.livingPictures.value) pictures are alive")
    }
}

extension StageRenderer: CompositingRenderer {
    func draw(_ contents: Picture, into context: Canvas, placed placement: ContentsPlacement) {}
}
