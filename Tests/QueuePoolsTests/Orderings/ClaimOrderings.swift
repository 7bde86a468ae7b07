/// How a caller of `sync` takes a queue from a thread that only looks for messages, with the orderings of the
/// accesses: `permitClaims` and `takeIfPermitted` of `WorkerQueue`.
struct ClaimOrderings {
    /// Every access that is stronger than relaxed.
    enum Site: OrderingSite {
        case permit, take

        var ordering: Ordering { self == .permit ? .releasing : .acquiring }
    }

    private(set) var program = Program()

    init(_ orderings: Orderings<Site>) {
        let claim = program.atomic("claim")
        let queue = program.plain("queue")
        let (forbidden, permitted) = (0, 1)
        func take(_ t: ModelThread) throws -> [Int] {
            let isTaken = try t.compareExchange(
                claim, expected: permitted, desired: forbidden, orderings[.take], failure: .relaxed
            ).exchanged
            if isTaken { try t.write(queue, t.read(queue) + 1) }
            return [isTaken ? 1 : 0]
        }
        program.thread("holder") { t in
            try t.write(queue, 1)
            try t.store(claim, permitted, orderings[.permit])
            return try take(t)
        }
        for index in 0..<2 { program.thread("caller \(index)", take) }
        program.check = { end in
            guard end.results.joined().reduce(0, +) == 1 else { throw Violation("not one has the queue") }
        }
    }
}
