/// What a thread that looks on sees of a job that waits, with the orderings of the accesses: the time in a
/// slot that `Mailbox.longestWait` reads.
struct RecordOrderings {
    /// Every access that is stronger than relaxed.
    enum Site: OrderingSite {
        case publish, lookAtState

        var ordering: Ordering {
            switch self {
            case .publish: .releasing
            case .lookAtState: .acquiring
            }
        }
    }

    /// A sender that uses a slot twice, beside one that looks for how long its job has waited.
    static func waiting(_ orderings: Orderings<Site>) -> Program {
        var program = Program()
        let (state, sentAt) = (program.atomic("state"), program.atomic("sentAt"))
        program.thread("sender") { t in
            for job in 1...2 {
                try t.store(sentAt, job, .relaxed)
                _ = try t.exchange(state, job, orderings[.publish])
            }
            return []
        }
        program.thread("reader") { t in
            let job = try t.load(state, orderings[.lookAtState])
            let time = try t.load(sentAt, .relaxed)
            // A later time may be there: then the slot has just been used again.
            guard time >= job else { throw Violation("job \(job) has the time of \(time)") }
            return []
        }
        return program
    }
}
