import ManualPools
import QueuePools
import TestSupport
import Testing
import QueuePoolsTransactions

@testable import AsyncLayers

/// Displays compositions that change by chance, on layers that share caches, and checks every picture.
@MainActor
private final class RandomComposer: AsyncLayerDelegate {
    typealias Part = Composition<RecordingRenderer>.Part

    /// A part as the test knows it. Equal keys draw the same.
    private struct Node {
        var key: Int?
        var name: String
        var height = 0.0
        var isHidden = false
        var opacity = 1.0
        var parts: [Node] = []

        /// What is drawn of it, from the lowest to the topmost.
        var names: [String] {
            guard !isHidden, opacity > 0 else { return [] }
            return [name] + Self.names(parts)
        }

        static func names(_ nodes: [Node]) -> [String] {
            nodes.enumerated().sorted { ($0.element.height, $0.offset) < ($1.element.height, $1.offset) }
                .flatMap(\.element.names)
        }
    }

    struct Failure: Error {}

    let bench: LayerBench
    private let caches: [ContentsCache<RecordingRenderer>?]
    /// Whether the caches have room for all there is, and nothing removes it.
    private let isRoomy: Bool
    var layers: [AsyncLayer<RecordingRenderer>] = []
    private var cacheOfLayer: [ObjectIdentifier: Int] = [:]
    private var trees: [ObjectIdentifier: [Node]] = [:]
    private var generator: SeededGenerator
    private var depth = 0
    private var isQuiet = false
    /// By the number of the pass: what its picture must be.
    private var expected: [Int: [String]] = [:]
    private var keysDrawn: [Int: [String]] = [:]
    /// Per cache: what must not be drawn again.
    private var kept: [Set<String>]
    private var began = 0
    private(set) var committed = 0
    private(set) var drawnParts = 0
    private var groupsBegun = 0
    private var groupsDone = 0
    private var outcomes: [Int: Int] = [:]
    private(set) var faults: [String] = []

    init(seed: UInt64) throws {
        generator = SeededGenerator(seed: seed)
        isRoomy = seed.isMultiple(of: 2)
        bench = try LayerBench(budget: 4 * 300 * 4, cacheBytes: 1 << 20)
        let bytes = isRoomy ? 1 << 20 : 700
        caches = [
            ContentsCache(byteLimit: bytes, pool: bench.pool),
            ContentsCache(byteLimit: isRoomy ? bytes : 0, pool: bench.pool), nil,
        ]
        kept = caches.map { _ in [] }
        for _ in 0..<3 { addLayer() }
    }

    private func random(_ n: Int) -> Int { Int.random(in: 0..<n, using: &generator) }

    private func addLayer() {
        let cache = random(caches.count)
        let layer = AsyncLayer(renderer: RecordingRenderer(), host: bench.host, cache: caches[cache])
        layer.size = Size(width: 10, height: 10)
        layer.delegate = self
        layer.onContentsChange = { [unowned self, weak layer] _ in
            if let layer { check(layer) }
            poke()
        }
        cacheOfLayer[ObjectIdentifier(layer)] = cache
        trees[ObjectIdentifier(layer)] = nodes(level: 0)
        layers.append(layer)
    }

    private func nodes(level: Int) -> [Node] {
        (0..<random(level == 0 ? 5 : 3)).map { _ in node(level) }
    }

    private func node(_ level: Int) -> Node {
        let key = random(4) == 0 ? nil : random(12)
        return Node(
            key: key, name: key.map { "k\($0)" } ?? "u\(random(100))", height: Double(random(3)),
            isHidden: random(9) == 0, opacity: [1, 1, 1, 0.5, 0, -3, .nan, 9][random(8)],
            parts: level < 3 ? nodes(level: level + 1) : [])
    }

    private func mutate(_ layer: AsyncLayer<RecordingRenderer>) {
        let id = ObjectIdentifier(layer)
        guard var tree = trees[id] else { return }
        switch random(4) {
        case 0: tree = nodes(level: 0)
        case 1 where !tree.isEmpty: tree[random(tree.count)] = node(0)
        case 2 where !tree.isEmpty: tree.remove(at: random(tree.count))
        default: tree.append(node(0))
        }
        trees[id] = tree
    }

    private func check(_ layer: AsyncLayer<RecordingRenderer>) {
        guard let commands = layer.contents?.commands else { return }
        guard let first = commands.first, first.hasPrefix("#"), let number = Int(first.dropFirst()) else {
            return faults.append("shows \(commands)")
        }
        if commands.dropFirst() != expected[number]![...] {
            faults.append("\(number) shows \(commands), not \(expected[number]!)")
        }
    }

    func displayTask(for layer: AsyncLayer<RecordingRenderer>) -> DisplayTask<RecordingRenderer>? {
        if random(25) == 0 { poke() }
        began += 1
        let number = began
        outcomes[number] = 0
        if random(40) == 0 { return emptyTask(number) }
        let tree = trees[ObjectIdentifier(layer)]!
        let cache = cacheOfLayer[ObjectIdentifier(layer)]!
        let names = Node.names(tree)
        expected[number] = names
        var drawnInPass: Set<String> = []
        func part(_ node: Node) -> Part {
            var part = Part(size: Size(width: 3, height: 3), parts: node.parts.map(part)) { context, scope in
                try MainActor.assumeIsolated {
                    self.drawnParts += 1
                    if node.key != nil {
                        if !drawnInPass.insert(node.name).inserted {
                            self.faults.append("\(node.name) twice in \(number)")
                        }
                        if self.kept[cache].contains(node.name) {
                            self.faults.append("\(node.name) drawn again in \(number)")
                        }
                    }
                    self.poke()
                    if self.random(40) == 0 { throw Failure() }
                    if self.random(40) == 0 { throw CancellationError() }
                    if self.random(2) == 0 { try scope.checkCancellation() }
                    self.poke()
                    // Stopped here, it is not kept.
                    if node.key != nil, !scope.isCancelled {
                        self.keysDrawn[number, default: []].append(node.name)
                    }
                }
                context.commands.append(node.name)
            }
            part.key = node.key.map { ContentKey($0) }
            part.placement.zPosition = node.height
            part.placement.isHidden = node.isHidden
            part.placement.opacity = node.opacity
            return part
        }
        var mark = Part(size: Size(width: 2, height: 2)) { context, _ in
            context.commands.append("#\(number)")
        }
        mark.placement.zPosition = -1
        var task: DisplayTask<RecordingRenderer>
        if random(6) == 0 {
            // A closure that draws the same.
            task = DisplayTask { context, scope in
                MainActor.assumeIsolated { self.poke() }
                try scope.checkCancellation()
                context.commands += ["#\(number)"] + names
            }
        } else {
            task = DisplayTask(composition: Composition([mark] + tree.map(part)))
        }
        task.qos = QoSTier.allCases[random(QoSTier.allCases.count)]
        if random(3) == 0 { task.key = ContentKey(names) }
        task.onEnd = { [weak layer] outcome in
            self.ended(number, outcome, cache)
            if let layer { self.check(layer) }
            self.poke()
        }
        return task
    }

    private func emptyTask(_ number: Int) -> DisplayTask<RecordingRenderer> {
        expected[number] = []
        return DisplayTask(onEnd: { _ in self.outcomes[number]! += 1 }, draw: nil)
    }

    private func ended(_ number: Int, _ outcome: DisplayOutcome, _ cache: Int) {
        outcomes[number]! += 1
        if case .committed = outcome { committed += 1 }
        guard isRoomy, caches[cache] != nil else { return }
        kept[cache].formUnion(keysDrawn[number] ?? [])
    }

    private func poke() {
        guard !isQuiet, depth < 4, random(4) == 0 else { return }
        act()
    }

    func act() {
        depth += 1
        defer { depth -= 1 }
        guard !layers.isEmpty else { return addLayer() }
        let layer = layers[random(layers.count)]
        switch random(26) {
        case 0...3:
            mutate(layer)
            layer.display()
        case 4, 5:
            mutate(layer)
            layer.setNeedsDisplay()
        case 6: layer.display()
        case 7: layer.cancelDisplay()
        case 8: layer.qos = QoSTier.allCases[random(QoSTier.allCases.count)]
        case 9: if random(2) == 0 { layer.suspend() } else { layer.resume() }
        case 10: layer.resume()
        case 11: layer.displaysAsynchronously = random(4) > 0
        case 12:
            let group = DisplayGroup(timeLimit: .milliseconds(random(50)), host: bench.host)
            for _ in 0..<3 { group.add(layers[random(layers.count)]) }
            groupsBegun += 1
            group.display { _ in
                self.groupsDone += 1
                self.poke()
            }
        case 13: if random(3) == 0 { replace(layer) }
        case 14: layer.displayTimeLimit = .milliseconds(random(2) * 5)
        case 15: if random(4) == 0 { layer.removeContents() }
        case 16: if !isRoomy { caches[random(2)]?.trim(toBytes: random(3) * 100) }
        case 17: layer.contextByteLimit = random(8) == 0 ? 30 : 1 << 20
        case 18, 19: bench.transactions.flush()
        case 20: bench.main.runAll()
        case 21: bench.main.advance(by: .milliseconds(random(20)))
        case 22, 23: if depth < 3 { bench.pool.runNext() }
        default: layer.setNeedsDisplay()
        }
    }

    private func replace(_ layer: AsyncLayer<RecordingRenderer>) {
        layers.removeAll { $0 === layer }
        addLayer()
    }

    func finish() {
        isQuiet = true
        for layer in layers { layer.resume() }
        for _ in 0..<60 {
            bench.main.advance(by: .milliseconds(100))
            bench.transactions.flush()
            bench.pool.runAll()
            bench.main.runAll()
        }
        for layer in layers {
            check(layer)
            if !layer.pipeline.isSettled || !layer.pipeline.machine.isIdle { faults.append("unsettled") }
        }
        for (number, count) in outcomes where count != 1 { faults.append("\(number): \(count) outcomes") }
        if bench.budget.bytesInUse != 0 || bench.budget.waitingCount != 0 { faults.append("budget") }
        if groupsBegun != groupsDone { faults.append("groups") }
        // Each layer shows its newest tree.
        for layer in layers {
            layer.contextByteLimit = 1 << 20
            layer.displaysAsynchronously = true
        }
        for layer in layers {
            for _ in 0..<200 where !isShown(layer) {
                layer.display()
                bench.settle()
            }
            if !isShown(layer) { faults.append("never shown: \(layer.contents?.commands ?? [])") }
            layer.removeContents()
            layer.onContentsChange = nil
        }
        for cache in caches { cache?.trim() }
        bench.settleTurns()
        layers = []
        bench.settleTurns()
    }

    private func isShown(_ layer: AsyncLayer<RecordingRenderer>) -> Bool {
        guard let shown = layer.contents?.commands.dropFirst() else { return false }
        return Array(shown) == Node.names(trees[ObjectIdentifier(layer)]!)
    }
}

@MainActor
@Suite("Compositions under random use", .timeLimit(.minutes(15)))
struct CompositionRandomUseTests {
    /// 40,000 calls a unit of `STRESS_SCALE`, a million at a scale of 25, from `STRESS_SEED` on.
    @Test("each picture has all parts of its pass, each key is drawn once, and what is kept is not drawn")
    func randomUse() throws {
        var (committed, drawnParts) = (0, 0)
        for seed in StressPlan.seed..<StressPlan.seed + UInt64(200 * StressPlan.scale) {
            let composer = try RandomComposer(seed: seed)
            for _ in 0..<200 { composer.act() }
            composer.finish()
            #expect(composer.faults.isEmpty, "seed \(seed): \(composer.faults.prefix(5))")
            committed += composer.committed
            drawnParts += composer.drawnParts
        }
        #expect(committed > 1_000 * StressPlan.scale && drawnParts > 2_000 * StressPlan.scale)
    }
}
