/// How the supervisor is woken, and how it watches what threads keep, with the orderings of the accesses: the
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

    /// `keep`, `beginWatching` and `watch` of `WorkerGroup`. The supervisor has watched for long.
    struct Watching {
        /// Every access that is stronger than relaxed.
        enum Site: OrderingSite {
            case keep, lookWhetherWatched, lookAtKept, endWatching, lookAtKeptAgain

            var ordering: Ordering { self == .lookAtKept ? .acquiring : .sequentiallyConsistent }
        }

        private(set) var program = Program()

        init(_ orderings: Orderings<Site>) {
            let (words, kept) = (program.plain("words"), program.atomic("kept"))
            let isWatched = program.atomic("isWatched", 1)
            program.thread("thread") { t in
                try t.write(words, 1)
                try t.store(kept, 1, orderings[.keep])
                guard try t.load(isWatched, orderings[.lookWhetherWatched]) == 0 else { return [0] }
                return try [1 - t.exchange(isWatched, 1, .relaxed)]
            }
            program.thread("supervisor") { t in
                if try t.load(kept, orderings[.lookAtKept]) == 1 {
                    _ = try t.read(words)
                    return [1]
                }
                try t.store(isWatched, 0, orderings[.endWatching])
                guard try t.load(kept, orderings[.lookAtKeptAgain]) == 1 else { return [0] }
                return try [1 - t.exchange(isWatched, 1, .relaxed)]
            }
            program.check = { end in
                guard end.results.joined().reduce(0, +) == 1 else { throw Violation("not one watches") }
            }
        }
    }

    /// `watchJobs` and `lookForLongJobs` of `WorkerGroup`. The supervisor has watched, and found no job.
    struct LongJobs {
        /// Every access that is stronger than relaxed, but those of `JobRecord`.
        enum Site: OrderingSite {
            case fenceAfterBegin, fenceBeforeLook, endWatching, claimWatching

            var ordering: Ordering {
                switch self {
                case .fenceAfterBegin, .fenceBeforeLook: .sequentiallyConsistent
                case .endWatching: .releasing
                case .claimWatching: .acquiring
                }
            }
        }

        private(set) var program = Program()

        init(_ orderings: Orderings<Site>) {
            let (since, reported) = (program.atomic("since"), program.plain("reported"))
            let isWatching = program.atomic("isWatching", 1)
            /// Returns how many of those that find the job without a watch begin one.
            func claim(_ t: ModelThread) throws -> [Int] {
                guard try t.exchange(isWatching, 1, orderings[.claimWatching]) == 0 else { return [0] }
                try t.write(reported, 1)
                return [1]
            }
            program.thread("thread") { t in
                try t.store(since, 1, .relaxed)
                try t.fence(orderings[.fenceAfterBegin])
                return try t.load(isWatching, .relaxed) == 0 ? claim(t) : [0]
            }
            program.thread("supervisor") { t in
                try t.write(reported, 0)
                try t.store(isWatching, 0, orderings[.endWatching])
                try t.fence(orderings[.fenceBeforeLook])
                return try t.load(since, .relaxed) == 1 ? claim(t) : [0]
            }
            program.check = { end in
                guard end.results.joined().reduce(0, +) == 1 else { throw Violation("not one watches") }
            }
        }
    }

    /// `keep` and `takeKept` of a thread that keeps one thing after the other, and `watch`, which takes what
    /// it meets.
    struct Taking {
        /// Every access that is stronger than relaxed.
        enum Site: OrderingSite {
            case lookWhetherKept, claimKept

            var ordering: Ordering { self == .claimKept ? .releasing : .acquiring }
        }

        private(set) var program = Program()

        init(_ orderings: Orderings<Site>) {
            let (words, kept) = (program.plain("words"), program.atomic("kept"))
            program.thread("thread") { t in
                var taken: [Int] = []
                for number in 1...2 {
                    guard try t.load(kept, orderings[.lookWhetherKept]) == 0 else {
                        throw Violation("something is kept")
                    }
                    try t.write(words, number)
                    try t.store(kept, number, .sequentiallyConsistent)
                    if try t.exchange(kept, 0, .relaxed) != 0 { taken.append(number) }
                }
                return taken
            }
            program.thread("supervisor") { t in
                let number = try t.load(kept, .acquiring)
                guard number != 0 else { return [] }
                let found = try t.peek(words)
                let claim = try t.compareExchange(kept, expected: number, desired: 0, orderings[.claimKept])
                try t.settle(words, isUsed: claim.exchanged)
                guard claim.exchanged else { return [] }
                guard found == number else { throw Violation("\(number) has the words of \(found)") }
                return [number]
            }
            program.check = { end in
                guard end.results.joined().sorted() == [1, 2] else { throw Violation("\(end.results)") }
            }
        }
    }
}
