import AsyncLayers
import QueuePoolsLocks
import QueuePools
import QueuePoolsSimulations
import TestSupport
import Testing
import QueuePoolsTransactions

@MainActor
@Suite("What happens next in a simulation", .timeLimit(.minutes(15)))
struct SimulationOrderTests {
    /// Two layers on two queues, drawn and invalidated in bands.
    private func trace(_ order: SimulationOrder) -> [SimulationStep] {
        let simulation = Simulation(order: order)
        let sketches = (0..<3).map { _ in Sketch(simulation) }
        for (index, sketch) in sketches.enumerated() {
            sketch.beforeDrawing = { _, _ in
                for _ in 0..<3 { simulation.spend(.milliseconds(index + 1)) }
            }
            for time in 0..<3 {
                simulation.schedule(after: .milliseconds(4 * time)) { [layer = sketch.layer] in
                    layer.setNeedsDisplay()
                }
            }
        }
        simulation.advance(by: .milliseconds(100))
        // A layer that goes has something to do on the main queue.
        withExtendedLifetime(sketches) {
            #expect(sketches.allSatisfy { $0.shown == "\($0.passCount)" })
            #expect(simulation.possibleActions == [])
        }
        return simulation.trace
    }

    @Test("equal seeds give equal traces, and other seeds other ones")
    func seeds() {
        let traces = (0..<20).map { trace(.seeded($0)) }
        for (seed, first) in traces.enumerated() { #expect(trace(.seeded(UInt64(seed))) == first) }
        #expect(Set(traces).count > 15)
        #expect(traces.contains { $0.contains { $0.depth > 1 } }, "draws overlap")
        #expect(trace(.firstInFirstOut) == trace(.firstInFirstOut))
    }

    @Test("a seed means the same order on every platform")
    func knownSeed() {
        let simulation = Simulation(order: .seeded(7))
        for number in 0..<4 {
            simulation.host.loop.perform {}
            _ = try? simulation.pool.async(qos: QoSTier.allCases[number]) {}
        }
        simulation.run()
        #expect(simulation.transcript == knownTranscript)
    }

    private let knownTranscript = """
        0.000000 s: job of background.0
        0.000000 s: main queue
        0.000000 s: job of userInitiated.0
        0.000000 s: job of utility.0
        0.000000 s: main queue
        0.000000 s: main queue
        0.000000 s: job of default.0
        0.000000 s: main queue
        """

    @Test("jobs of one queue run one at a time and in order, also where draws overlap")
    func serialQueues() throws {
        let overlaps = Counter()
        for seed: UInt64 in 0..<50 {
            let simulation = Simulation(order: .seeded(seed), queuesPerTier: 3)
            let log = Recorder<Int>()
            let running = Lock<[ObjectIdentifier: Int]>([:])
            for job in 0..<30 {
                let queue = simulation.pool.queue(for: .utility)
                queue.enqueue {
                    running.withLock { running in
                        #expect(running.updateValue(job, forKey: ObjectIdentifier(queue)) == nil)
                        if running.count > 1 { overlaps.increment() }
                    }
                    #expect(queue.isCurrent)
                    log.append(job)
                    simulation.spend(.milliseconds(1))
                    running.withLock { $0[ObjectIdentifier(queue)] = nil }
                }
            }
            simulation.run()
            let jobs = log.elements
            #expect(jobs.count == 30)
            for queue in 0..<3 {
                let ofQueue = jobs.filter { $0 % 3 == queue }
                #expect(ofQueue == ofQueue.sorted())
            }
        }
        #expect(overlaps.value > 0)
    }

    @Test("a closure picks what happens next, and may stop the run")
    func chosenOrder() {
        let offers = Recorder<[SimulationAction]>()
        let simulation = Simulation(
            order: .chosen { possible in
                offers.append(possible)
                return possible.last { $0 != .mainQueue }
            })
        let (first, second) = (Sketch(simulation), Sketch(simulation))
        first.layer.setNeedsDisplay()
        second.layer.setNeedsDisplay()
        simulation.run()
        #expect(
            offers.elements == [
                [.flush],
                [.job(.userInitiated, queue: 0), .job(.userInitiated, queue: 1)],
                [.job(.userInitiated, queue: 0), .mainQueue],
                [.mainQueue],
            ])
        #expect(first.shown == nil)
        simulation.advance(by: .milliseconds(1))
        #expect(simulation.now == .milliseconds(1), "time passes all the same")
        simulation.order = .firstInFirstOut
        simulation.run()
        #expect(first.shown == "1")
    }

    #if os(Linux) || os(macOS)
        @Test("an order that picks what is not possible ends the program with a message")
        func impossibleChoice() async {
            let result = await #expect(
                processExitsWith: .failure, observing: [\.standardErrorContent]
            ) {
                await MainActor.run {
                    let simulation = Simulation(order: .chosen { _ in .timer })
                    simulation.host.loop.perform {}
                    simulation.run()
                }
            }
            let message = result?.message ?? ""
            #expect(message.contains("chose \"timer\", which was not possible; possible were [main queue]"))
        }

        @Test("a layer that displays forever is stopped after so many steps, and the last ones are printed")
        func runaway() async {
            let result = await #expect(
                processExitsWith: .failure, observing: [\.standardErrorContent]
            ) {
                await MainActor.run {
                    let simulation = Simulation()
                    let sketch = Sketch(simulation)
                    sketch.whenDisplayed = { [layer = sketch.layer] in layer.setNeedsDisplay() }
                    sketch.layer.setNeedsDisplay()
                    simulation.stepLimit = 1_000
                    simulation.run()
                }
            }
            let message = result?.message ?? ""
            #expect(message.contains("has taken 1000 steps and there is still something to do"))
            #expect(message.contains("0.000000 s: job of userInitiated.1"))
        }
    #endif

    @Test("each call may take so many steps again")
    func stepLimitPerCall() {
        let simulation = Simulation()
        simulation.stepLimit = 10
        for _ in 0..<10 {
            for _ in 0..<10 { simulation.host.loop.perform {} }
            simulation.run()
        }
        #expect(simulation.trace.count == 100)
    }
}
