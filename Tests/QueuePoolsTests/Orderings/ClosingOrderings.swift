/// How the closing of a lane is reported, with the orderings of the accesses: `close`, `run` and
/// `reportIfDrained` of `UnorderedLane`.
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
        let (isReported, whenDrained) = (program.atomic("isReported"), program.plain("whenDrained"))
        let effects = (0..<jobs).map { program.plain("effect[\($0)]") }
        func reportIfDrained(_ t: ModelThread) throws -> [Int] {
            let seen = try t.load(last, orderings[.lookAtLast])
            guard seen != unset, try t.load(finished, orderings[.lookAtFinished]) == seen,
                try t.exchange(isReported, 1, .relaxed) == 0
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
