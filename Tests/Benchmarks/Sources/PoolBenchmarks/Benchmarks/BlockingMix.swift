import BenchmarkHarness
import CMeasuring

/// What becomes of throughput and of the number of threads when one job in ten blocks?
struct BlockingMix: Benchmark {
    let metrics = [
        Metric(
            "blocking-mix", unit: "µs/job",
            summary:
                "One job in ten sleeps 50 ms, the others compute 0.1 ms: the time until all have run, divided by their number."
        ),
        Metric(
            "blocking-mix-threads", unit: "threads",
            summary: "The most threads that the contender had while these jobs ran."),
    ]

    let plan = Plan(rounds: (2, 7), warmsUp: false)

    let trials = Roster.all.map { kind in
        Trial(kind) { contender, scale in try measure(contender, count: scale.pick(quick: 80, full: 200)) }
    }

    private static let rounds: UInt64 = 75_000

    private static func measure(_ contender: any Contender, count: Int) throws -> [Reading] {
        let census = ThreadCensus()
        let tally = Tally()
        defer { tally.deallocate() }
        // Every tenth job by number would put all that sleep on one of two queues.
        var generator = SeededGenerator(seed: 10)
        let sleeps = (0..<count).map { $0 < count / 10 }.shuffled(using: &generator)
        var time: UInt64 = 0
        let threads = try census.peak {
            let start = Clock.now
            for number in 0..<count {
                contender.submit(to: .default) { [sleeps = sleeps[number]] in
                    census.noteWorker()
                    if sleeps { Clock.sleep(microseconds: 50_000) } else { measuring_burn(rounds) }
                    tally.count(number)
                }
            }
            time = try tally.wait(for: count) - start
        }
        return [Reading(Double(time) / 1_000 / Double(count)), Reading(Double(threads))]
    }
}
