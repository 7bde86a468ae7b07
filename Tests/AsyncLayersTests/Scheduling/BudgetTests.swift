import ManualPools
import QueuePools
import TestSupport
import Testing

@testable import AsyncLayers

@MainActor
@Suite("Memory budget", .timeLimit(.minutes(15)))
struct BudgetTests {
    /// Every layer of the bench takes 800 bytes.
    let bytes = 10 * 20 * 4

    @Test("draws beyond the budget wait until others have ended, and the budget is never exceeded")
    func waiting() throws {
        let bench = try LayerBench(budget: 2 * bytes + 1)
        let layers = (0..<5).map { _ in bench.addLayer() }
        for layer in layers { layer.display() }
        #expect(bench.budget.bytesInUse == 2 * bytes)
        #expect(bench.budget.waitingCount == 3)
        bench.pool.runAll()
        #expect(bench.budget.waitingCount == 3, "until the main actor has received the pictures")
        bench.main.runAll()
        #expect(bench.budget.waitingCount == 1)
        bench.settle()
        bench.settle()
        #expect(bench.outcomes == Array(repeating: "committed", count: 5))
        #expect(bench.budget.bytesInUse == 0)
        #expect(bench.budget.peakBytesInUse == 2 * bytes)
    }

    @Test("a draw that waits for memory can be superseded, and makes no way for itself then")
    func superseded() throws {
        let bench = try LayerBench(budget: bytes)
        let layers = (0..<2).map { _ in bench.addLayer() }
        layers[0].display()
        layers[1].display()
        layers[1].cancelDisplay()
        #expect(bench.outcomes == ["cancelled while waiting"])
        #expect(bench.budget.waitingCount == 0)
        bench.settle()
        #expect(bench.outcomes == ["cancelled while waiting", "committed"])
        #expect(bench.budget.bytesInUse == 0)
    }

    @Test("a big draw is not overtaken by small ones of its tier, but by those of a higher tier")
    func order() throws {
        let bench = try LayerBench(budget: 3 * bytes)
        let layers = (0..<4).map { _ in bench.addLayer() }
        layers[1].size.height *= 3
        bench.makeTask = { [unowned bench] number in
            var task = bench.task { context, _ in context.commands.append("draw \(number)") }
            if number == 4 { task.qos = .userInteractive }
            return task
        }
        for layer in layers { layer.display() }
        // The last small one would fit, but the big one was there first.
        #expect(bench.budget.bytesInUse == 2 * bytes)
        #expect(bench.budget.waitingCount == 2)
        bench.pool.runAll()
        bench.main.runAll()
        #expect(layers.map { $0.contents != nil } == [true, false, false, true])
        #expect(bench.budget.bytesInUse == 3 * bytes)
        bench.pool.runAll()
        bench.main.runAll()
        #expect(layers.map { $0.contents != nil } == [true, true, false, true])
        bench.settle()
        #expect(layers.allSatisfy { $0.contents != nil })
    }

    @Test("a draw that is raised while it waits lets no draw slip through that it kept back")
    func raised() throws {
        let bench = try LayerBench(budget: 10 * bytes)
        let layers = [5.0, 9, 4].map { height in
            let layer = bench.addLayer()
            layer.size.height *= height
            layer.display()
            return layer
        }
        #expect(bench.budget.bytesInUse == 5 * bytes)
        layers[1].qos = .userInteractive
        #expect(bench.budget.bytesInUse == 5 * bytes)
        #expect(bench.budget.waitingCount == 2)
        layers[1].qos = .background
        #expect(bench.budget.bytesInUse == 9 * bytes, "the small one is before it now, and fits")
        for _ in 0..<3 { bench.settle() }
        #expect(layers.allSatisfy { $0.contents != nil })
    }

    @Test("a draw that can never fit fails and says why", arguments: [799, 0, -1])
    func oversize(limit: Int) throws {
        let bench = try LayerBench(budget: limit)
        bench.layer.display()
        bench.settle()
        #expect(
            bench.outcomes == [
                "failed: the drawing would take 800 bytes; the limit of its layer and its host is \(max(0, limit))"
            ])
    }

    @Test("a synchronous draw cannot wait: it is counted and let through")
    func synchronous() throws {
        let bench = try LayerBench(budget: bytes)
        let layers = (0..<2).map { _ in bench.addLayer() }
        layers[0].display()
        layers[1].displaysAsynchronously = false
        layers[1].display()
        #expect(layers[1].contents != nil)
        bench.settle()
        #expect(layers[0].contents != nil)
        #expect(bench.budget.bytesInUse == 0)
    }

    @Test("a failing draw and a refused job give their bytes back")
    func failures() async throws {
        let bench = try LayerBench(budget: bytes)
        bench.makeTask = { [unowned bench] _ in bench.task { _, _ in throw CancellationError() } }
        bench.layer.display()
        bench.settle()
        #expect(bench.budget.bytesInUse == 0)
        try await bench.pool.shutdown()
        bench.layer.display()
        bench.settle()
        #expect(bench.budget.bytesInUse == 0)
        #expect(bench.outcomes.count == 2)
    }

    @Test("a renderer is asked for bytes before a draw: on the main actor, and for parts on the thread")
    func bytesBeforeTheDraw() throws {
        let renderer = RecordingRenderer()
        let bench = try LayerBench(renderer: renderer)
        let counts = Recorder<Int>()
        let part = Composition<RecordingRenderer>.Part(size: Size(width: 2, height: 2)) { _, _ in
            counts.append(renderer.byteCounts.value)
        }
        for composition in [nil, Composition([part, part])] {
            bench.makeTask = { _ in
                composition.map { DisplayTask(composition: $0) }
                    ?? DisplayTask { _, _ in counts.append(renderer.byteCounts.value) }
            }
            bench.layer.display()
            #expect(renderer.byteCounts.value == counts.elements.count + 1, "the whole")
            bench.settle()
        }
        #expect(counts.elements == [1, 5, 5], "the whole twice, and two parts, before the first is drawn")
    }

    @Test("a budget without a limit overflows nothing")
    func unlimited() throws {
        let bench = try LayerBench(budget: .max)
        bench.layer.contextByteLimit = .max
        let layers = (0..<3).map { _ in bench.addLayer() }
        for layer in layers {
            layer.displaysAsynchronously = layer !== layers[0]
            layer.display()
        }
        bench.settle()
        #expect(layers.allSatisfy { $0.contents != nil })
        #expect(bench.budget.bytesInUse == 0)
    }

    @Test(
        "of 10,000 draws that wait, those of higher tiers go first, within a tier the oldest, and none starves"
    )
    func order10000() throws {
        let bench = try LayerBench(budget: bytes)
        var generator = SeededGenerator(seed: 1)
        let tiers = (0..<10_000).map { _ in QoSTier.allCases.randomElement(using: &generator)! }
        let order = Recorder<Int>()
        bench.makeTask = { number in
            DisplayTask(
                qos: number == 1 ? .background : tiers[number - 2], draw: { _, _ in order.append(number) })
        }
        let layers = (0...10_000).map { _ in bench.addLayer() }
        for layer in layers { layer.display() }
        // Some leave, some change their tier.
        for layer in layers[1...].filter({ _ in generator.next() % 10 == 0 }) { layer.cancelDisplay() }
        while bench.budget.bytesInUse > 0 { bench.settle() }
        for tier in QoSTier.allCases {
            let numbers = order.elements.dropFirst().filter { tiers[$0 - 2] == tier }
            #expect(numbers == numbers.sorted(), "\(tier)")
        }
        // A tier's steps down count as so many later arrivals each.
        let places = order.elements.dropFirst().map { number in
            number + 64 * (QoSTier.userInteractive.rawValue - tiers[number - 2].rawValue)
        }
        #expect(places == places.sorted())
    }

    @Test("a place whose draw is replaced by a larger or smaller one is charged for that one")
    func otherSizes() throws {
        let bench = try LayerBench(budget: 3 * bytes)
        let layers = (0..<2).map { _ in bench.addLayer() }
        for layer in layers { layer.display() }
        #expect(bench.budget.bytesInUse == 2 * bytes)
        layers[0].size.height *= 3
        layers[0].display()
        #expect(bench.budget.bytesInUse == bytes, "it waits for memory again")
        #expect(bench.budget.waitingCount == 1)
        layers[0].size.height /= 3
        layers[0].display()
        #expect(bench.budget.bytesInUse == 2 * bytes)
        layers[0].size.height /= 2
        layers[0].display()
        #expect(bench.budget.bytesInUse == bytes + bytes / 2)
        bench.settle()
        #expect(layers.allSatisfy { $0.contents != nil })
        #expect(bench.budget.bytesInUse == 0)
    }
}
