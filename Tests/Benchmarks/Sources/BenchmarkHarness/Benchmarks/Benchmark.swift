/// A question, and how each contender is put to it.
package protocol Benchmark: Sendable {
    /// What each measurement of a contender yields, in this order.
    var metrics: [Metric] { get }

    /// What is measured, one for each contender.
    var trials: [Trial] { get }

    /// How it is measured.
    var plan: Plan { get }
}

extension Benchmark {
    package var plan: Plan { Plan() }
}

/// How often a benchmark measures its contenders, and what comes before it.
package struct Plan: Sendable {
    /// How many rounds are enough where the user has not said it: in quick runs, and otherwise.
    package let rounds: (quick: Int, full: Int)
    /// Whether a round at first is not counted. Without it, a measurement must itself ensure that threads
    /// exist.
    package let warmsUp: Bool
    /// For how many seconds the process must have been idle before a contender is measured.
    package let idleSeconds: Int

    package init(rounds: (quick: Int, full: Int) = (3, 9), warmsUp: Bool = true, idleSeconds: Int = 0) {
        self.rounds = rounds
        self.warmsUp = warmsUp
        self.idleSeconds = idleSeconds
    }
}

/// One figure that a benchmark yields for each contender.
package struct Metric: Sendable {
    /// What is better.
    package enum Direction: Sendable {
        case lower
        case higher
    }

    /// Short, in words with hyphens; the name of the benchmark in options, tables and JSON.
    package let name: String
    package let unit: String
    package let better: Direction
    /// What the figure is, in one sentence.
    package let summary: String
    /// The contender that the others are compared with.
    package let ours: String

    package init(_ name: String, unit: String, better: Direction = .lower, ours: String, summary: String) {
        self.name = name
        self.unit = unit
        self.better = better
        self.ours = ours
        self.summary = summary
    }
}

/// One contender's part in a benchmark.
package struct Trial: Sendable {
    package let contender: String
    package let threads: ThreadSource
    /// Whether a quick run measures it as well.
    package let isQuick: Bool
    /// Makes the contender.
    package let prepare: @Sendable (Scale) throws -> Session

    package init(
        _ contender: String, threads: ThreadSource, isQuick: Bool = true,
        prepare: @escaping @Sendable (Scale) throws -> Session
    ) {
        self.contender = contender
        self.threads = threads
        self.isQuick = isQuick
        self.prepare = prepare
    }
}

/// A contender that is ready to be measured any number of times.
package struct Session {
    /// Measures it once: one reading for each metric of the benchmark.
    package let measure: () throws -> [Reading]
    package let end: () -> Void

    package init(measure: @escaping () throws -> [Reading], end: @escaping () -> Void = {}) {
        self.measure = measure
        self.end = end
    }
}

/// What one measurement found.
package struct Reading: Sendable {
    package let value: Double
    /// The 99th percentile, where the value is the median of many samples.
    package let p99: Double?

    package init(_ value: Double, p99: Double? = nil) {
        self.value = value
        self.p99 = p99
    }

    /// Median and 99th percentile of at least one sample.
    package init(samples: [Double]) {
        let sorted = samples.sorted()
        self.init(
            Statistics.quantile(0.5, ofSorted: sorted), p99: Statistics.percentile99(ofSorted: sorted))
    }
}

/// How large a run is.
package struct Scale: Sendable {
    /// Workers of each contender, in each tier.
    package let workers: Int
    package let isQuick: Bool

    package init(workers: Int, isQuick: Bool) {
        self.workers = workers
        self.isQuick = isQuick
    }

    /// Picks a number of jobs or samples.
    package func pick(quick: Int, full: Int) -> Int { isQuick ? quick : full }
}
