import QueuePoolsSimulations
import TestSupport
import Testing

/// 10,000 events a unit of `STRESS_SCALE`, a million at a scale of 100, from `STRESS_SEED` on.
@MainActor
@Suite("Layers in a simulation of everything", .serialized, .timeLimit(.minutes(30)))
struct SimulatedStageTests {
    @Test("after any events, passes end once, pictures get newer, groups are whole, memory has its bound")
    func everything() async {
        var (begun, committed, superseded, cancelled, failed) = (0, 0, 0, 0, 0)
        var (placeholders, groups, wholeGroups, replaced, hits, peak) = (0, 0, 0, 0, 0, 0)
        for round in 0..<UInt64(10 * StressPlan.scale) {
            let seed = StressPlan.seed &+ round
            let stage = SimulatedStage(layerCount: 50, seed: seed)
            stage.play(eventCount: 1_000)
            if stage.log.violations.isEmpty { stage.finish() }
            guard stage.log.violations.isEmpty else {
                Issue.record(
                    "with STRESS_SEED=\(seed): \(stage.log.violations)\n\(stage.simulation.transcript)")
                return
            }
            begun += stage.log.begun
            committed += stage.log.committed
            superseded += stage.log.superseded
            cancelled += stage.log.cancelled
            failed += stage.log.failed
            placeholders += stage.log.placeholders
            groups += stage.finishedGroups
            wholeGroups += stage.wholeGroups
            replaced += stage.replacedPlayers
            hits += stage.cacheHits
            peak = max(peak, stage.peakBytesInUse)
            // Other tests wait for the main actor too, and have a time limit.
            await Task.yield()
        }
        // Everything must have happened, or the run has tested less than it says.
        #expect(begun > 3_000 * StressPlan.scale)
        #expect(committed > 0 && superseded > 0 && cancelled > 0 && failed > 0)
        #expect(placeholders > 0 && groups > 0 && wholeGroups > 0 && replaced > 0 && hits > 0)
        #expect(peak > SimulatedStage.byteLimit / 2, "draws have competed for memory")
    }
}
