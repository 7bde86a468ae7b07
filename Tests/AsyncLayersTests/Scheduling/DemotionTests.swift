import ManualPools
import QueuePools
import TestSupport
import Testing
import QueuePoolsTransactions

@testable import AsyncLayers

/// Memory for one draw at a time makes the others wait, by tier and then in order: as workers do that are
/// busy.
@MainActor
@Suite("Demotion of draws that have waited, for layers that show nothing", .timeLimit(.minutes(15)))
struct DemotionTests {
    private func makeBench(demotionDelay: Duration = .milliseconds(16)) throws -> LayerBench {
        let bench = try LayerBench(budget: 10 * 20 * 4, demotionDelay: demotionDelay)
        bench.makeTask = { [unowned bench] number in
            bench.task { [log = bench.log] _, _ in log.append("draw \(number)") }
        }
        return bench
    }

    /// The numbers of the passes, in the order in which they were drawn.
    private func drawn(_ bench: LayerBench) -> [Int] {
        for _ in 0..<10 { bench.settle() }
        return bench.log.elements.compactMap { $0.hasPrefix("draw ") ? Int($0.dropFirst(5)) : nil }
    }

    /// Displays layers, a new one each, with time in between.
    private func display(
        _ bench: LayerBench, after times: [Int]
    ) -> [AsyncLayer<RecordingRenderer>] {
        times.map { milliseconds in
            bench.main.advance(by: .milliseconds(milliseconds))
            let layer = bench.addLayer()
            layer.display()
            return layer
        }
    }

    @Test("what has waited for as long as the host's demotion delay is drawn after what is begun then")
    func givesWay() throws {
        let bench = try makeBench()
        _ = display(bench, after: [0, 1, 1, 14, 1])
        // The first waits in the pool, the others for its memory; the third has waited for 15 ms at the last.
        #expect(drawn(bench) == [1, 3, 4, 5, 2])
        let (first, second) = (QoSTier.userInitiated, QoSTier.default)
        #expect(bench.reports.all.map(\.qos) == [second, first, first, first, second])
        #expect(bench.outcomes == Array(repeating: "committed", count: 5))
    }

    @Test("a draw that was held back for an older one gives way, also behind one that has begun")
    func heldBack() throws {
        let bench = try LayerBench()
        let (first, second, third) = (bench.addLayer(), bench.addLayer(), bench.addLayer())
        bench.makeTask = { [unowned bench] number in
            bench.task { [main = bench.main] _, _ in
                MainActor.assumeIsolated {
                    if number == 1 { first.display() }
                    guard number == 3 else { return }
                    main.advance(by: .milliseconds(12))
                    third.display()
                    #expect(first.pipeline.machine.current?.tier == .default)
                }
            }
        }
        first.display()
        bench.pool.runNext()  // draws 1; 2 is held back for its end
        bench.main.advance(by: .milliseconds(10))
        second.display()
        bench.main.runAll()  // 2 begins to wait, behind 3
        bench.pool.runNext()  // draws 3
        bench.settle()
        #expect(bench.outcomes == ["committed in the interim", "committed", "committed", "committed"])
    }

    @Test("only something newer pushes a draw back, once and by one tier")
    func once() throws {
        let bench = try makeBench()
        _ = display(bench, after: [0, 0])
        bench.main.advance(by: .seconds(3_600))
        bench.settle()
        _ = display(bench, after: [0, 1_000, 1_000, 1_000])
        #expect(drawn(bench) == [1, 2, 6, 3, 4, 5])
        #expect(Set(bench.reports.all.dropFirst(3).map(\.qos)) == [.default])
    }

    @Test("a newer draw of the layer keeps the place of the one that has given way")
    func nextDraw() throws {
        let bench = try makeBench()
        let layers = display(bench, after: [0, 0, 16])
        layers[1].display()
        #expect(drawn(bench) == [1, 3, 4])
        #expect(bench.reports.all.last?.qos == .default)
    }

    @Test("a layer that has shown a picture demotes no draw, until it is reused")
    func refresh() throws {
        for isUsedForSomethingElse in [false, true] {
            let bench = try makeBench()
            let layers = display(bench, after: [0])
            #expect(drawn(bench) == [1])
            _ = display(bench, after: [0, 0, 0])
            bench.main.advance(by: .seconds(1))
            if isUsedForSomethingElse { layers[0].cancelDisplay() }
            layers[0].display()
            #expect(drawn(bench) == (isUsedForSomethingElse ? [1, 2, 5, 3, 4] : [1, 2, 3, 4, 5]))
        }
    }

    @Test("a draw that a caller awaits, or that was moved, keeps its place")
    func keepsItsPlace() async throws {
        let bench = try makeBench()
        let layers = display(bench, after: [0, 1, 1, 1])
        layers[1].qos = .userInitiated
        let waiter = Task { @MainActor in try await layers[2].displayed() }
        await waitWhile(layers[2].pipeline.observers?.hasWaiters != true)
        _ = display(bench, after: [20])
        #expect(drawn(bench) == [1, 2, 3, 5, 4])
        try await waiter.value
    }

    @Test("a layer that was moved before its pass began keeps its place too")
    func movedBefore() throws {
        let bench = try makeBench()
        var layers = display(bench, after: [0, 0])
        layers.append(bench.addLayer())
        layers[2].setNeedsDisplay()
        layers[2].qos = .userInitiated
        bench.transactions.flush()
        layers += display(bench, after: [20])
        #expect(drawn(bench) == [1, 3, 4, 2])
    }

    @Test("a draw that several layers share gives way to none")
    func shared() throws {
        let bench = try makeBench()
        bench.makeTask = { [unowned bench] number in
            var task = bench.task { [log = bench.log] _, _ in log.append("draw \(number)") }
            if number == 2 || number == 3 { task.key = ContentKey("shared") }
            return task
        }
        _ = display(bench, after: [0, 0, 0, 20])
        #expect(drawn(bench) == [1, 2, 4])
    }

    @Test("without a delay the newest is drawn first, with an endless one the oldest")
    func delays() throws {
        let impatient = try makeBench(demotionDelay: .zero)
        _ = display(impatient, after: [0, 0, 0, 0])
        #expect(drawn(impatient) == [1, 4, 2, 3])
        let patient = try makeBench(demotionDelay: .seconds(Int64.max))
        _ = display(patient, after: [0, 1_000_000, 1_000_000, 1_000_000])
        #expect(drawn(patient) == [1, 2, 3, 4])
    }

    @Test("of draws that have ended the host keeps nothing", arguments: [0, 20])
    func nothingIsKept(milliseconds: Int) throws {
        let bench = try makeBench()
        let layers = display(bench, after: [0, 0, milliseconds])
        layers[1].cancelDisplay()
        #expect(drawn(bench) == [1, 3])
        #expect(bench.host.demotion.isEmpty)
    }
}
