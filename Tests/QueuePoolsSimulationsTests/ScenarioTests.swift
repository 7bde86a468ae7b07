import TestSupport
import Testing

@MainActor
@Suite(
    "Scenarios that are mixed by chance, in a machine of virtual time", .serialized, .timeLimit(.minutes(30)))
struct ScenarioTests {
    /// 30 seeds a unit of `STRESS_SCALE`, from `STRESS_SEED` on.
    @Test(
        "each pass ends once, pictures get newer, none is overtaken, and no processor is idle while a draw waits"
    )
    func mixed() async throws {
        var (draws, waits, drafts) = (0, 0, 0)
        var played: Set<ScenarioPlay.Scenario> = []
        for seed in (0..<UInt64(30 * StressPlan.scale)).map({ StressPlan.seed &+ $0 }) {
            let play = try ScenarioPlay(seed: seed)
            play.play()
            #expect(play.violations.isEmpty, "STRESS_SEED=\(seed): \(play.conditions)")
            draws += play.book.drawCount
            waits += play.book.waitCount
            drafts += play.draftCount
            played.formUnion(play.scenarios)
            // Other tests wait for the main actor too, and have a time limit.
            await Task.yield()
        }
        // Everything must have happened, or the run has tested less than it says.
        #expect(played.count == ScenarioPlay.Scenario.allCases.count)
        #expect(draws > 10_000 && waits > 1_000 && drafts > 50)
    }
}
