import Synchronization
import Testing

@testable import BenchmarkHarness

@Suite struct RunnerTests {
    /// Contenders that do nothing but say that they were asked.
    private final class Sample: Benchmark {
        let plan: Plan
        let metrics = [Metric("sample", unit: "ns", ours: "a", summary: "")]
        private let order = Mutex<[String]>([])

        init(warmsUp: Bool) {
            plan = Plan(rounds: (2, 5), warmsUp: warmsUp)
        }

        var trials: [Trial] {
            ["a", "b", "c", "only in full runs"].map { name in
                Trial(name, threads: .own, isQuick: name.count == 1) { [self] _ in
                    Session(
                        measure: { [self] in
                            order.withLock { $0.append(name) }
                            return [Reading(Double(order.withLock { $0.count }))]
                        },
                        end: { [self] in order.withLock { $0.append("end of \(name)") } })
                }
            }
        }

        var measured: [String] { order.withLock { $0 } }
    }

    private func run(
        _ sample: Sample, rounds: Int? = nil, isQuick: Bool = false, seed: UInt64 = 1, deadline: UInt64? = nil
    ) throws -> [MetricResult] {
        var runner = Runner(
            scale: Scale(workers: 1, isQuick: isQuick), rounds: rounds, selection: try Selection(nil),
            seed: seed,
            deadline: deadline)
        let progress = Progress(total: runner.work(of: sample), isTerminal: false, write: { _ in })
        return try runner.run(sample, progress)
    }

    @Test func eachRoundMeasuresEachContenderOnce() throws {
        let sample = Sample(warmsUp: false)
        _ = try run(sample)
        #expect(sample.measured.count == 4 * 5 + 4)
        for round in 0..<5 {
            #expect(
                Set(sample.measured[(round * 4)..<(round * 4 + 4)]) == ["a", "b", "c", "only in full runs"])
        }
    }

    @Test func theOrderChangesFromRoundToRoundAndIsTheSameForTheSameSeed() throws {
        let samples = [Sample(warmsUp: false), Sample(warmsUp: false), Sample(warmsUp: false)]
        for (sample, seed) in zip(samples, [1, 1, 2]) { _ = try run(sample, rounds: 20, seed: UInt64(seed)) }
        #expect(samples[0].measured == samples[1].measured)
        #expect(samples[0].measured != samples[2].measured)
        let firstRounds = [
            samples[0].measured[0..<4], samples[0].measured[4..<8], samples[0].measured[8..<12],
        ]
        #expect(Set(firstRounds.map(Array.init)).count > 1)
    }

    @Test func theRoundThatWarmsUpIsNotCounted() throws {
        let sample = Sample(warmsUp: true)
        let results = try run(sample, rounds: 1)
        // The four measurements of the first round gave 1 to 4.
        #expect(results[0].entries.allSatisfy { $0.value.median > 4 })
    }

    @Test func aQuickRunHasFewerRoundsAndContenders() throws {
        let sample = Sample(warmsUp: false)
        let results = try run(sample, isQuick: true)
        #expect(results[0].entries.map(\.contender) == ["a", "b", "c"])
        #expect(sample.measured.count == 3 * 2 + 3)
    }

    @Test func afterTheDeadlineOneRoundHasToDo() throws {
        let sample = Sample(warmsUp: false)
        _ = try run(sample, deadline: 0)
        #expect(sample.measured.count == 4 + 4)
    }

    @Test func everyContenderIsEndedOnceAllAreMeasured() throws {
        let sample = Sample(warmsUp: false)
        _ = try run(sample, rounds: 1)
        #expect(
            Set(sample.measured.suffix(4)) == [
                "end of a", "end of b", "end of c", "end of only in full runs",
            ])
    }
}
