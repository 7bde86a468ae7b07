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
