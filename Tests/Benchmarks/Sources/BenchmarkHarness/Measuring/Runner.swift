/// Runs benchmarks: contenders side by side in one process, round after round.
///
/// A round measures each contender once, in a new random order, so that what the machine does
/// meanwhile, and what one contender leaves behind for the next, falls on all of them alike. Before each
/// measurement the process must have come to rest.
struct Runner {
    let scale: Scale
    /// Rounds of every benchmark; nil lets each benchmark choose.
    let rounds: Int?
    let selection: Selection
    /// From then on one round of each benchmark has to do; in nanoseconds of the clock.
    let deadline: UInt64?
    private var generator: SeededGenerator

    init(scale: Scale, rounds: Int?, selection: Selection, seed: UInt64, deadline: UInt64? = nil) {
        self.scale = scale
        self.deadline = deadline
        self.rounds = rounds
        self.selection = selection
        generator = SeededGenerator(seed: seed)
    }

    /// Runs one benchmark and returns the results of the metrics that were asked for.
    mutating func run(_ benchmark: any Benchmark, _ progress: Progress) throws -> [MetricResult] {
        let trials = selectedTrials(of: benchmark)
        let sessions = try trials.map { try $0.prepare(scale) }
        defer { for session in sessions { session.end() } }

        var readings = trials.map { _ in [[Reading]]() }
        for round in firstRound(of: benchmark)...rounds(of: benchmark) {
            if let deadline, round > 1, Clock.now > deadline { break }
            let isWarmUp = round == 0
            for batch in batches(of: trials, haveIdled: benchmark.plan.idleSeconds > 0 && !isWarmUp) {
                if !isWarmUp { idle(for: benchmark.plan.idleSeconds, progress) }
                for index in batch {
                    Quiescence.wait()
                    let reading = try sessions[index].measure()
                    if !isWarmUp { readings[index].append(reading) }
                    progress.advance(by: weight(of: benchmark))
                }
            }
        }
        return benchmark.metrics.enumerated().filter { selection.includes($1, of: benchmark) }.map {
            index, metric in
            MetricResult(
                metric,
                readings: zip(trials, readings).map { trial, rounds in
                    (trial.contender, rounds.map { $0[index] })
                })
        }
    }

    /// How much `run` will advance the progress.
    func work(of benchmark: any Benchmark) -> Int {
        selectedTrials(of: benchmark).count * (rounds(of: benchmark) - firstRound(of: benchmark) + 1)
            * weight(of: benchmark)
    }

    private func weight(of benchmark: any Benchmark) -> Int { 1 + 2 * benchmark.plan.idleSeconds }

    /// Round 0 warms up.
    private func firstRound(of benchmark: any Benchmark) -> Int { benchmark.plan.warmsUp ? 0 : 1 }

    private func rounds(of benchmark: any Benchmark) -> Int {
        rounds ?? (scale.isQuick ? benchmark.plan.rounds.quick : benchmark.plan.rounds.full)
    }

    private func selectedTrials(of benchmark: any Benchmark) -> [Trial] {
        benchmark.trials.filter { trial in
            selection.includes(trial.contender, of: benchmark) && (trial.isQuick || !scale.isQuick)
        }
    }

    /// The trials in an order of this round, as indices. Where contenders must find the process idle there
    /// are several batches, each of which has no two contenders that share threads: the first would wake them
    /// for the second.
    private mutating func batches(of trials: [Trial], haveIdled: Bool) -> [[Int]] {
        let order = trials.indices.shuffled(using: &generator)
        guard haveIdled else { return [order] }
        var batches: [[Int]] = []
        for index in order {
            let threads = trials[index].threads
            let isFree = { (batch: [Int]) in
                threads == .own || !batch.contains { trials[$0].threads == threads }
            }
            if let batch = batches.firstIndex(where: isFree) {
                batches[batch].append(index)
            } else {
                batches.append([index])
            }
        }
        return batches
    }

    private func idle(for seconds: Int, _ progress: Progress) {
        guard seconds > 0 else { return }
        let end = Clock.now + UInt64(seconds) * 1_000_000_000 + 100_000_000
        while Clock.now < end {
            Clock.sleep(microseconds: 100_000)
            progress.refresh()
        }
        // The caller has slept as long as the workers: without this, it would pay for its own cold caches as
        // well.
        let warm = Clock.now + 1_000_000
        while Clock.now < warm {}
    }
}
