import BenchmarkHarness

/// Does a job wait behind a long one though a thread is free?
struct UnevenJobs: Benchmark {
    let metrics = [
        Metric(
            "uneven-jobs", unit: "%",
            summary:
                "Jobs of which every second takes 20 ms: the time until all have run, against the least that so many "
                + "threads need.")
    ]

    let plan = Plan(rounds: (2, 7), warmsUp: false)

    let trials = Roster.sizable.map { kind in
        Trial(kind) { contender, scale in
            let count = 20 * scale.workers
            let tally = Tally()
            defer { tally.deallocate() }
            let start = Clock.now
            for number in 0..<count {
                contender.submit(to: .default) {
                    if number % 2 == 0 { Clock.sleep(microseconds: 20_000) }
                    tally.count(number)
                }
            }
            let time = Double(try tally.wait(for: count) - start) / 1_000_000
            return [Reading(100 * time / Double(10 * 20))]
        }
    }
}
