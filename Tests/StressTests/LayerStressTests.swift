import AsyncLayers
import Dispatch
import QueuePools
import TestSupport
import Testing

@MainActor
@Suite("Layers under stress", .serialized, .timeLimit(.minutes(30)))
struct LayerStressTests {
    @Test(
        "of passes invalidated at random from four threads each has one outcome, and pictures only get newer",
        arguments: PoolKind.allCases)
    func randomInvalidations(kind: PoolKind) async throws {
        let pool = try kind.pool("stress", .automatic)
        let stage = StressStage(pool: pool, layerCount: 50, seed: StressPlan.seed)
        await stage.run(passes: 10_000 * StressPlan.scale, threads: 4)
        let tally = stage.tally

        #expect(tally.begun >= 10_000 * StressPlan.scale)
        #expect(tally.begun == tally.committed + tally.superseded + tally.cancelled + tally.failed)
        #expect(tally.disorders == 0, "an older picture was shown after a newer one")
        #expect(tally.offMain == 0, "an outcome was reported off the main actor")
        #expect(tally.askedWhileSuspended == 0, "a suspended layer was asked for a task")
        #expect(stage.peakBytes <= StressStage.byteLimit, "the memory budget was exceeded")
        #expect(stage.bytesInUse == 0)
        let statistics = stage.statistics
        #expect(statistics.begun == statistics.ended)
        #expect(statistics.begun >= tally.begun)
        // Every ending must have happened, or the run has tested less than it says.
        #expect(tally.committed > 0 && tally.superseded > 0 && tally.cancelled > 0 && tally.failed > 0)
        #expect(stage.replacedLayers > 0 && stage.finishedGroups > 0 && stage.cacheHits > 0)
        #expect(statistics.sources[.shared, default: 0] > 0 && statistics.interims > 0)

        try await pool.shutdown()
        #expect(stage.livingLayers == 0, "a layer is kept alive")
    }
}

/// What the passes of all layers came to.
struct Tally {
    var begun = 0
    var committed = 0
    var superseded = 0
    var cancelled = 0
    var failed = 0
    var disorders = 0
    var offMain = 0
    var askedWhileSuspended = 0

    var ended: Int { committed + superseded + cancelled + failed }
}
