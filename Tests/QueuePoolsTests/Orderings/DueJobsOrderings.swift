/// How due jobs are listed, with the orderings of the accesses: the code of `DueJobs`.
struct DueJobsOrderings {
    /// Every access that is stronger than relaxed.
    enum Site: OrderingSite {
        case append, takeAll

        var ordering: Ordering { self == .append ? .releasing : .acquiring }
    }

    private(set) var program = Program()

    /// - Parameter jobs: How many threads append one each; they are called 1, 2, …
    init(jobs: Int, _ orderings: Orderings<Site>) {
        let none = 0
        let newest = program.atomic("newest", none)
        let taken = program.plain("taken")
        var (next, bodies): ([PlainLocation], [PlainLocation]) = ([], [])
        for job in 0...jobs {
            next.append(program.plain("next[\(job)]"))
            bodies.append(program.plain("body[\(job)]"))
        }
        for job in 1...jobs {
            program.thread("appender \(job)") { [next, bodies] t in
                try t.write(bodies[job], job)
                try t.write(next[job], t.load(newest, .relaxed))
                while true {
                    let (isAppended, present) = try t.compareExchange(
                        newest, expected: t.read(next[job]), desired: job, orderings[.append],
                        failure: .relaxed)
                    if isAppended { return [] }
                    try t.write(next[job], present)
                }
            }
        }
        program.thread("holder") { [next, bodies] t in
            _ = try t.loop {
                guard try t.load(newest, .relaxed) != none else { return nil }
                var job = try t.exchange(newest, none, orderings[.takeAll])
                while job != none {
                    try t.write(taken, t.read(taken) + t.read(bodies[job]))
                    job = try t.read(next[job])
                }
                return try t.read(taken) == (1...jobs).reduce(0, +) ? 1 : nil
            }
            return []
        }
    }
}
