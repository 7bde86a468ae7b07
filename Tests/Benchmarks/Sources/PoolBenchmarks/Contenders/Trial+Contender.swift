import BenchmarkHarness

extension Metric {
    /// A metric in which the others are compared with the pool that is the default.
    init(_ name: String, unit: String, better: Direction = .lower, summary: String) {
        self.init(name, unit: unit, better: better, ours: Roster.ours, summary: summary)
    }
}

extension Trial {
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
