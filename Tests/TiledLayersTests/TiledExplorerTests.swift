import AsyncLayers
import BitmapRendering
import QueuePools
import QueuePoolsSimulations
import Synchronization
import TestSupport
import Testing

@testable import TiledLayers

/// `STRESS_SCALE=500` makes 10⁶ operations in the simulation, and 250,000 on threads.
@Suite("Explored tiled layers")
@MainActor
struct TiledExplorerTests {
    /// A simulation of two cores, which run the most urgent jobs first.
    private static func makeSimulation() -> (Simulation, spend: @Sendable (Duration) -> Void) {
        let simulation = Simulation()
        simulation.stepLimit = 10_000_000
        let running = RunningCount()
        simulation.order = .chosen { possible in
            if let step = possible.first(where: \.isOnMainThread) { return step }
            guard running.value.load(ordering: .relaxed) < 2 else { return nil }
            return possible.max { one, other in
                guard case .job(let one, _) = one, case .job(let other, _) = other else { return false }
                return one < other
            }
        }
        return (
            simulation,
            { [unowned simulation] duration in
                running.value.add(1, ordering: .relaxed)
                simulation.spend(duration)
                running.value.subtract(1, ordering: .relaxed)
            }
        )
    }

    @Test(
        "while views move and zoom no edit waits for other tiles, nothing is blurred, and memory has a limit",
        // In the last ones an edit hits a tile whose first picture is held, one that is shown in part, one
        // that waits behind other edits, one that waits behind many that come into view, and one whose level
        // is wanted again.
        arguments: Array(1...UInt64(4 * StressPlan.scale)) + [25, 70, 319, 789, 857])
    func simulated(seed: UInt64) throws {
        let (simulation, spend) = Self.makeSimulation()
        let explorer = TileExplorer(host: simulation.host, seed: seed &+ StressPlan.seed &* 7_919)
        if seed % 2 == 0 { explorer.layer.overviewScale = 0.25 }
        if seed % 3 == 0 { explorer.layer.draft = nil }
        if seed % 5 == 0 { explorer.layer.displayTimeLimit = .milliseconds(4) }
        let drawTime = Duration.milliseconds(20)
        explorer.whileDrawing = { spend(drawTime) }
        // Two draws that run, of which one may delay the other, and as long as that for up to four tiles; a
        // round more for two more; and a frame. Where the main thread waits for draws, also two that begin
        // within its wait.
        if seed % 4 > 0 {
            let others = seed % 5 == 0 ? 4 : 2
            explorer.longestWait = { drawTime * (others + max(2, ($0 + 1) / 2)) + .milliseconds(17) }
        }
        let (loop, operations) = (simulation.host.loop, 500)
        for frame in 0..<operations / 2 {
            loop.perform(at: .milliseconds(17) * frame) { explorer.takeFrame() }
        }
        var time = Duration.zero
        for _ in 0..<operations {
            time += .milliseconds(explorer.random(17))
            loop.perform(at: time) { explorer.act() }
        }
        simulation.advance(by: time)
        explorer.longestWait = nil
        explorer.comeToRest()
        simulation.advance(by: .seconds(5))
        explorer.checkRest()
        simulation.advance(by: .seconds(1))
        #expect(!explorer.isAboveMemoryLimit, "\(explorer.layer.statistics)")
    }

    // One after the other: each has threads of its own.
    @Test(
        "on threads nothing goes back or is blurred while views move and zoom, and memory has a limit",
        .serialized, arguments: 1...UInt64(2 * StressPlan.scale))
    func threads(seed: UInt64) async throws {
        let pool = try DefaultQueuePool(label: "tiles", queuesPerTier: .exactly(2))
        let host = DisplayHost(pool: pool)
        let explorer = TileExplorer(host: host, seed: seed &+ StressPlan.seed &* 7_919)
        if seed % 2 == 0 { explorer.layer.overviewScale = 0.25 }
        if seed % 3 == 0 { explorer.layer.draft = nil }
        for _ in 0..<250 {
            explorer.act()
            for _ in 0..<explorer.random(4) { await Task.yield() }
            if explorer.random(3) == 0 { explorer.takeFrame() }
        }
        explorer.comeToRest()
        await explorer.layer.settled()
        explorer.checkRest()
        await waitWhile(explorer.isAboveMemoryLimit)
        // Tiles may still be drawn ahead, which the pool refuses.
        explorer.layer.onFailure = nil
        try await pool.shutdown()
    }

    @Test("a layer that is closed at any moment is gone, with its pictures", arguments: [false, true])
    func closing(hasThreads: Bool) async throws {
        for seed in 1...UInt64(10 * StressPlan.scale) {
            var generator = SeededGenerator(seed: seed &+ StressPlan.seed &* 7_919)
            let pool = try DefaultQueuePool(label: "tiles", queuesPerTier: .exactly(2))
            let (simulation, spend) = Self.makeSimulation()
            let host = hasThreads ? DisplayHost(pool: pool) : simulation.host
            var explorer: TileExplorer? = TileExplorer(host: host, seed: seed)
            if !hasThreads { explorer?.whileDrawing = { spend(.milliseconds(9)) } }
            weak let layer = explorer?.layer
            weak let pipeline = layer?.pipeline
            weak let program = explorer
            let operations = Int.random(in: 0..<60, using: &generator)
            for number in 0..<operations {
                if hasThreads {
                    explorer?.act()
                    await Task.yield()
                } else {
                    host.loop.perform(at: .milliseconds(7) * number) { program?.act() }
                }
            }
            let end = Duration.milliseconds(7) * operations
            if hasThreads {
                explorer = nil
                await waitWhile(layer != nil || pipeline != nil)
                try await pool.shutdown()
                await waitWhile(host.unreleasedByteCount > 0)
            } else {
                // Draws may be in flight.
                let closed = explorer.take()
                host.loop.perform(at: end) { _ = closed }
                simulation.advance(by: end + .seconds(1))
                try await pool.shutdown()
            }
            #expect(layer == nil && pipeline == nil && program == nil, "seed \(seed)")
            #expect(host.unreleasedByteCount == 0, "seed \(seed)")
        }
    }
}

private final class RunningCount: Sendable {
    let value = Atomic(0)
}
