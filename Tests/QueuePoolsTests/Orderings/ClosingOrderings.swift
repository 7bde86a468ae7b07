/// How the closing of a lane is reported, with the orderings of the accesses: `closeMailbox`, `take`, `run`
/// and `reportIfDrained` of `UnorderedLane`.
struct ClosingOrderings {
    /// Every access that is stronger than relaxed.
    enum Site: OrderingSite {
        case setLast, lookAtLast, countFinished, lookAtFinished

        var ordering: Ordering { .sequentiallyConsistent }
    }

    private(set) var program = Program()

    /// - Parameter jobs: How many have begun before the closing, each run by its own thread.
    init(jobs: Int, _ orderings: Orderings<Site>) {
        let unset = -1
        let (last, finished) = (program.atomic("lastBegun", unset), program.atomic("finished"))
        let (report, whenDrained) = (program.atomic("report"), program.plain("whenDrained"))
        let effects = (0..<jobs).map { program.plain("effect[\($0)]") }
        func reportIfDrained(_ t: ModelThread) throws -> [Int] {
            let seen = try t.load(last, orderings[.lookAtLast])
            guard seen != unset, try t.load(finished, orderings[.lookAtFinished]) == seen,
                try t.exchange(report, 1, .relaxed) == 0
            else { return [0] }
            _ = try t.read(whenDrained)
            for effect in effects { _ = try t.read(effect) }
            return [1]
        }
        program.thread("closer") { t in
            try t.write(whenDrained, 1)
            try t.store(last, jobs, orderings[.setLast])
            return try reportIfDrained(t)
        }
        for effect in effects {
            program.thread("runner of \(effect.name)") { t in
                try t.write(effect, 1)
                _ = try t.fetchAdd(finished, 1, orderings[.countFinished])
                return try reportIfDrained(t)
            }
        }
        program.check = { end in
            guard end.results.joined().reduce(0, +) == 1 else { throw Violation("not reported once") }
        }
    }
}

/// How a delayed job is submitted while its queue or lane is closed, with the orderings of the accesses:
/// `async(after:)` or `submit(after:)`, and `close`. Positions are those of the supervisor's mailbox.
struct DelayedClosingOrderings {
    /// A half of each access that is stronger than relaxed. The submitter also releases, and the closer
    /// acquires, that the job has the lower position if its submitter came first, which the model grants to
    /// each position that is taken later.
    enum Site: OrderingSite {
        case submitterMeets, closerMeets

        var ordering: Ordering { self == .submitterMeets ? .acquiring : .releasing }
    }

    private(set) var program = Program()

    init(_ orderings: Orderings<Site>) {
        let (tail, delayed) = (program.atomic("tail"), program.atomic("delayed"))
        let isClosed = program.atomic("isClosed")
        let (refused, none) = (-1, -1)
        program.thread("submitter") { t in
            _ = try t.fetchAdd(delayed, 1, .relaxed)
            let position = try t.fetchAdd(tail, 1, .relaxed)
            _ = try t.fetchAdd(delayed, 0, orderings[.submitterMeets])
            return try [t.load(isClosed, .relaxed) == 1 ? refused : position]
        }
        program.thread("closer") { t in
            try t.store(isClosed, 1, .relaxed)
            guard try t.fetchAdd(delayed, 0, orderings[.closerMeets]) > 0 else { return [none] }
            return try [t.fetchAdd(tail, 1, .relaxed)]
        }
        program.check = { end in
            let (job, closing) = (end.results[0][0], end.results[1][0])
            guard job == refused || job < closing else {
                throw Violation("a job is accepted that the closing does not cancel")
            }
        }
    }
}
