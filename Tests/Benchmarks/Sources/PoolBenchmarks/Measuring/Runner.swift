/// Runs benchmarks: contenders side by side in one process, round after round.
///
/// A round measures each contender once, in an order drawn anew for each round, so that what the machine does
/// meanwhile, and what one contender leaves behind for the next, falls on all of them alike. Before each measurement the
/// process must have come to rest. One round at first is not counted.
struct Runner {
    let scale: Scale
    /// Rounds of every benchmark; nil lets each benchmark choose.
    let rounds: Int?
    let selection: Selection
    private var generator: SeededGenerator

    init(scale: Scale, rounds: Int?, selection: Selection, seed: UInt64) {
        self.scale = scale
        self.rounds = rounds
        self.selection = selection
        generator = SeededGenerator(seed: seed)
    }

    /// Runs one benchmark and returns the results of the metrics that were asked for.
    mutating func run(_ benchmark: any Benchmark, _ progress: Progress) throws -> [MetricResult] {
        let trials = selectedTrials(of: benchmark)
        let sessions = try trials.map { try $0.prepare(scale) }
        defer { for session in sessions { session.end() } }

        let rounds = rounds(of: benchmark)
        var readings = trials.map { _ in [[Reading]]() }
        for round in 0...rounds {
            let isWarmUp = round == 0
            for batch in batches(of: trials, idleSeconds: isWarmUp ? 0 : benchmark.idleSeconds) {
                if benchmark.idleSeconds > 0, !isWarmUp { idle(for: benchmark.idleSeconds, progress) }
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
        selectedTrials(of: benchmark).count * (rounds(of: benchmark) + 1) * weight(of: benchmark)
    }

    private func weight(of benchmark: any Benchmark) -> Int { 1 + 2 * benchmark.idleSeconds }

    private func rounds(of benchmark: any Benchmark) -> Int {
        rounds ?? benchmark.defaultRounds(isQuick: scale.isQuick)
    }

    private func selectedTrials(of benchmark: any Benchmark) -> [Trial] {
        benchmark.trials.filter { selection.includes($0.contender, of: benchmark) }
    }

    /// The trials in an order of this round, as indices. Where contenders must find the process idle there are several
    /// batches, each of which has no two contenders that share threads: the first would wake them for the second.
    private mutating func batches(of trials: [Trial], idleSeconds: Int) -> [[Int]] {
        let order = trials.indices.shuffled(using: &generator)
        guard idleSeconds > 0 else { return [order] }
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
        let end = Clock.now + UInt64(seconds) * 1_000_000_000 + 100_000_000
        while Clock.now < end {
            Clock.sleep(microseconds: 100_000)
            progress.refresh()
        }
        // The caller has slept as long as the workers: without this, it would pay for its own cold caches as well.
        let warm = Clock.now + 1_000_000
        while Clock.now < warm {}
    }
}
