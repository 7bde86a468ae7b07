/// A question, and how each contender is put to it.
protocol Benchmark: Sendable {
    /// What each measurement of a contender yields, in this order.
    var metrics: [Metric] { get }

    /// What is measured, one for each contender.
    var trials: [Trial] { get }

    /// How it is measured.
    var plan: Plan { get }
}

extension Benchmark {
    var plan: Plan { Plan() }
}

/// How often a benchmark measures its contenders, and what comes before it.
struct Plan: Sendable {
    /// How many rounds are enough where the user has not said it: in quick runs, and otherwise.
    var rounds = (quick: 3, full: 9)
    /// Whether a round at first is not counted. Without it, a measurement must itself see to it that threads
    /// exist.
    var warmsUp = true
    /// For how many seconds the process must have been idle before a contender is measured.
    var idleSeconds = 0
}

/// One figure that a benchmark yields for each contender.
struct Metric: Sendable {
    /// What is better.
    enum Direction: Sendable {
        case lower
        case higher
    }

    /// Short, in words with hyphens; the name of the benchmark in options, tables and JSON.
    let name: String
    let unit: String
    let better: Direction
    /// What the figure is, in one sentence.
    let summary: String
    /// The contender that the others are compared with.
    let ours: String

    init(
        _ name: String, unit: String, better: Direction = .lower, ours: String = Roster.ours, summary: String
    ) {
        self.name = name
        self.unit = unit
        self.better = better
        self.ours = ours
        self.summary = summary
    }
}

/// One contender's part in a benchmark.
struct Trial: Sendable {
    let contender: String
    let threads: ThreadSource
    /// Whether a quick run measures it as well.
    let isQuick: Bool
    /// Makes the contender.
    let prepare: @Sendable (Scale) throws -> Session

    init(
        _ contender: String, threads: ThreadSource, isQuick: Bool = true,
        prepare: @escaping @Sendable (Scale) throws -> Session
    ) {
        self.contender = contender
        self.threads = threads
        self.isQuick = isQuick
        self.prepare = prepare
    }

    /// A trial that makes its contender with this many workers, or the run's number of them.
    init(
        _ kind: ContenderKind, workers: Int? = nil, isQuick: Bool = true,
        measure: @escaping @Sendable (any Contender, Scale) throws -> [Reading]
    ) {
        self.init(kind.name, threads: kind.threads, isQuick: isQuick) { scale in
            let contender = try kind.make(workers ?? scale.workers)
            return Session(measure: { try measure(contender, scale) }, end: { contender.shutDown() })
        }
    }
}

/// A contender that is ready to be measured any number of times.
struct Session {
    /// Measures it once: one reading for each metric of the benchmark.
    let measure: () throws -> [Reading]
    let end: () -> Void

    init(measure: @escaping () throws -> [Reading], end: @escaping () -> Void = {}) {
        self.measure = measure
        self.end = end
    }
}

/// What one measurement found.
struct Reading: Sendable {
    let value: Double
    /// The 99th percentile, where the value is the median of many samples.
    let p99: Double?

    init(_ value: Double, p99: Double? = nil) {
        self.value = value
        self.p99 = p99
    }

    /// Median and 99th percentile of at least one sample.
    init(samples: [Double]) {
        let sorted = samples.sorted()
        self.init(
            Statistics.quantile(0.5, ofSorted: sorted), p99: Statistics.percentile99(ofSorted: sorted))
    }
}

/// How large a run is.
struct Scale: Sendable {
    /// Workers of each contender, in each tier.
    let workers: Int
    let isQuick: Bool

    /// Picks a number of jobs or samples.
    func pick(quick: Int, full: Int) -> Int { isQuick ? quick : full }
}
