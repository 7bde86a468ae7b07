/// How the supervisor is woken, and how it watches postponed wake-ups, with the orderings of the accesses: the
/// code of `Supervisor` and of `WorkerGroup`.
enum SupervisorOrderings {
    /// `perform` and `runThread` of `Supervisor`.
    struct Waking {
        /// Every access that is stronger than relaxed, but those of the mailbox.
        enum Site: OrderingSite {
            case wake, lookAtWakeUps

            var ordering: Ordering { self == .wake ? .releasing : .acquiring }
        }

        private(set) var program = Program()

        init(_ orderings: Orderings<Site>) {
            let (slot, wakeUps) = (program.atomic("slot"), program.atomic("wakeUps"))
            let (never, awaited, published) = (0, 1, 2)
            program.thread("sender") { t in
                guard try t.exchange(slot, published, .acquiringAndReleasing) == awaited else { return [] }
                _ = try t.fetchAdd(wakeUps, 1, orderings[.wake])
                try t.wake(wakeUps)
                return []
            }
            program.thread("supervisor") { t in
                [
                    try t.loop {
                        let seen = try t.load(wakeUps, orderings[.lookAtWakeUps])
                        if try t.load(slot, .acquiring) == published { return 1 }
                        guard seen == 0 else { throw Violation("the supervisor was woken and found nothing") }
                        let isAnnounced =
                            try t.compareExchange(
                                slot, expected: never, desired: awaited, .releasing
                            ).exchanged
                        if isAnnounced { try t.wait(wakeUps, while: seen) }
                        return nil
                    }
                ]
            }
        }
    }

    /// `postpone`, `beginWatching` and `watch` of `WorkerGroup`. The supervisor has watched for long.
    struct Watching {
        /// Every access that is stronger than relaxed.
        enum Site: OrderingSite {
            case postpone, lookWhetherWatched, lookAtPostponed, endWatching, lookAgain

            var ordering: Ordering { self == .lookAtPostponed ? .acquiring : .sequentiallyConsistent }
        }

        private(set) var program = Program()

        init(_ orderings: Orderings<Site>) {
            let (ready, postponed) = (program.atomic("ready"), program.atomic("postponed"))
            let isWatched = program.atomic("isWatched", 1)
            program.thread("thread") { t in
                _ = try t.fetchOr(ready, 1, .sequentiallyConsistent)
                try t.store(postponed, 1, orderings[.postpone])
                guard try t.load(isWatched, orderings[.lookWhetherWatched]) == 0 else { return [0] }
                return try [1 - t.exchange(isWatched, 1, .relaxed)]
            }
            program.thread("supervisor") { t in
                if try t.load(postponed, orderings[.lookAtPostponed]) == 1 {
                    guard try t.load(ready, .relaxed) == 1 else {
                        throw Violation("what is ready is not seen")
                    }
                    return [1]
                }
                try t.store(isWatched, 0, orderings[.endWatching])
                guard try t.load(postponed, orderings[.lookAgain]) == 1 else { return [0] }
                return try [1 - t.exchange(isWatched, 1, .relaxed)]
            }
            program.check = { end in
                guard end.results.joined().reduce(0, +) == 1 else { throw Violation("not one watches") }
            }
        }
    }
}
