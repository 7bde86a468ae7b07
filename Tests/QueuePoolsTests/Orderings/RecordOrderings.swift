/// What those that look on see of jobs, with the orderings of the accesses: `JobRecord`, and the time in a
/// slot that `Mailbox.longestWait` reads.
struct RecordOrderings {
    /// Every access that is stronger than relaxed.
    enum Site: OrderingSite {
        case begin, lookAtSince, setLabel, lookAtLabel
        case publish, lookAtState

        var ordering: Ordering {
            switch self {
            case .begin, .setLabel, .publish: .releasing
            case .lookAtSince, .lookAtLabel, .lookAtState: .acquiring
            }
        }
    }

    /// A thread that runs two jobs, each of which names itself, beside one that looks.
    static func running(_ orderings: Orderings<Site>) -> Program {
        var program = Program()
        let (since, label) = (program.atomic("since"), program.atomic("label"))
        program.thread("runner") { t in
            for job in 1...2 {
                try t.store(label, 0, .relaxed)
                try t.store(since, job, orderings[.begin])
                try t.store(label, job, orderings[.setLabel])
                try t.store(since, 0, .relaxed)
            }
            return []
        }
        program.thread("reader") { t in
            let job = try t.load(since, orderings[.lookAtSince])
            let name = try t.load(label, orderings[.lookAtLabel])
            let isSame = try t.load(since, .relaxed) == job
            guard job != 0, isSame else { return [] }
            guard name == 0 || name == job else { throw Violation("job \(job) has the name of \(name)") }
            return []
        }
        return program
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
