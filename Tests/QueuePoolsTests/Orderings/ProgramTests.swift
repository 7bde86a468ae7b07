import Testing

/// What is reported besides outcomes: races, sleepers that are not woken, threads that spin.
@Suite("The exploration of programs in weak memory", .timeLimit(.minutes(15)))
struct ProgramTests {
    private func violation(in program: Program) -> Violation? {
        do {
            _ = try program.explore()
            return nil
        } catch {
            return error as? Violation
        }
    }

    @Test("plain accesses that are not ordered by happens-before are a race, in either order")
    func races() throws {
        func violation(_ store: Ordering, _ load: Ordering, readsFirst: Bool) -> Violation? {
            var program = Program()
            let (data, flag) = (program.plain("data"), program.atomic("flag"))
            program.thread("first") { t in
                if readsFirst { _ = try t.read(data) } else { try t.write(data, 1) }
                try t.store(flag, 1, store)
                return []
            }
            program.thread("second") { t in
                guard try t.load(flag, load) == 1 else { return [] }
                if readsFirst { try t.write(data, 1) } else { _ = try t.read(data) }
                return []
            }
            return self.violation(in: program)
        }
        for readsFirst in [false, true] {
            #expect(violation(.releasing, .acquiring, readsFirst: readsFirst) == nil)
            for (store, load) in [(Ordering.releasing, Ordering.relaxed), (.relaxed, .acquiring)] {
                let race = violation(store, load, readsFirst: readsFirst)
                #expect(race?.reason == "second has a data race on data")
                #expect(race?.trace.last?.hasPrefix("second: ") == true)
            }
        }
    }

    @Test("a sequentially consistent fence orders no plain accesses")
    func fencesAreNoHappensBefore() {
        var program = Program()
        let (data, x, y) = (program.plain("data"), program.atomic("x"), program.atomic("y"))
        program.thread("reader") { t in
            _ = try t.read(data)
            try t.store(x, 1, .relaxed)
            try t.fence(.sequentiallyConsistent)
            return try [t.load(y, .relaxed)]
        }
        program.thread("writer") { t in
            try t.store(y, 1, .relaxed)
            try t.fence(.sequentiallyConsistent)
            // Not to have been seen says that the reader comes later, or stands before its fence.
            if try t.load(x, .relaxed) == 0 { try t.write(data, 1) }
            return []
        }
        #expect(violation(in: program)?.reason.contains("data race on data") == true)
    }

    @Test("a value that is read too late may be discarded, not used")
    func peeking() {
        func isRace(_ claim: Ordering, usesAlways: Bool) -> Bool {
            var program = Program()
            let (data, state) = (program.plain("data", 1), program.atomic("state"))
            program.thread("reader") { t in
                let value = try t.peek(data)
                let isClaimed = try t.exchange(state, 1, claim) == 0
                try t.settle(data, isUsed: isClaimed || usesAlways)
                if isClaimed, value != 1 { throw Violation("wrong value") }
                return []
            }
            program.thread("writer") { t in
                _ = try t.exchange(state, 2, .acquiring)
                try t.write(data, 2)
                return []
            }
            return violation(in: program) != nil
        }
        #expect(!isRace(.releasing, usesAlways: false))
        #expect(isRace(.relaxed, usesAlways: false))
        #expect(isRace(.releasing, usesAlways: true))
    }

    @Test("memory that is not initialized for the reader is not read")
    func initialization() {
        func isMissed(_ ordering: Ordering) -> Bool {
            var program = Program()
            let node = program.atomic("node", AtomicLocation.uninitialized)
            let link = program.atomic("link")
            program.thread("owner") { t in
                try t.initialize(node, 1)
                try t.store(link, 1, ordering)
                return []
            }
            program.thread("reader") { t in
                try t.load(link, .acquiring) == 1 ? [t.load(node, .relaxed)] : []
            }
            return violation(in: program)?.reason == "reader reads node before it is initialized"
        }
        #expect(!isMissed(.releasing))
        #expect(isMissed(.relaxed))
    }

    /// A sleeper announces itself, looks again, and sleeps; a waker publishes and then looks for sleepers.
    private func sleepers(
        _ publish: Ordering, _ announce: Ordering, looksAgain: Bool = true, wakes: Bool = true
    ) -> Program {
        var program = Program()
        let (ready, parked) = (program.atomic("ready"), program.atomic("parked"))
        program.thread("sleeper") { t in
            [
                try t.loop {
                    if try t.fetchAnd(ready, 0, .acquiring) == 1 { return 1 }
                    _ = try t.fetchOr(parked, 1, announce)
                    if looksAgain, try t.load(ready, announce) == 1 { return nil }
                    try t.wait(parked, while: 1)
                    return nil
                }
            ]
        }
        program.thread("waker") { t in
            _ = try t.fetchOr(ready, 1, publish)
            if try t.load(parked, publish) == 1 {
                _ = try t.fetchAnd(parked, 0, .relaxed)
                if wakes { try t.wake(parked) }
            }
            return []
        }
        return program
    }

    @Test("a wake-up is lost without announcement, second look, wake-up, or the order of all of these")
    func lostWakeups() {
        #expect(violation(in: sleepers(.sequentiallyConsistent, .sequentiallyConsistent)) == nil)
        for program in [
            sleepers(.acquiringAndReleasing, .sequentiallyConsistent),
            sleepers(.sequentiallyConsistent, .acquiringAndReleasing),
            sleepers(.sequentiallyConsistent, .sequentiallyConsistent, looksAgain: false),
            sleepers(.sequentiallyConsistent, .sequentiallyConsistent, wakes: false),
        ] {
            #expect(violation(in: program)?.reason == "sleeper sleeps forever")
        }
    }

    @Test("a thread that serves others may sleep when all is done, but not before")
    func servants() throws {
        for (position, isViolation) in [(1, false), (2, true)] {
            var program = Program()
            let (jobs, done) = (program.atomic("jobs"), program.atomic("done"))
            program.thread("servant", maySleepForever: true) { t in
                [
                    try t.loop {
                        let seen = try t.load(jobs, .acquiring)
                        if seen == 0 { try t.wait(jobs, while: 0) } else { try t.store(done, 1, .relaxed) }
                        if seen != 0 { try t.wait(jobs, while: seen) }
                        return nil
                    }
                ]
            }
            program.thread("client") { t in
                try t.store(jobs, position, .releasing)
                if position == 1 { try t.wake(jobs) }
                return []
            }
            program.check = { if $0[done] == 0 { throw Violation("left undone") } }
            #expect((violation(in: program)?.reason == "left undone") == isViolation)
        }
    }

    @Test("threads that spin forever are found, also if they look at what changes")
    func spinning() {
        var program = Program()
        let (x, y) = (program.atomic("x"), program.atomic("y"))
        for (own, other) in [(x, y), (y, x)] {
            program.thread(own.name) { t in
                [
                    try t.loop {
                        if try t.load(other, .sequentiallyConsistent) == 0 { return nil }
                        try t.store(own, 1, .relaxed)
                        return 0
                    }
                ]
            }
        }
        #expect(violation(in: program)?.reason == "threads spin forever")
    }
}
