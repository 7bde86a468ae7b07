#if os(Linux)
    import Dispatch
    import Glibc
    import TestSupport
    import Testing

    @testable import QueuePools

    @Suite("Worker queues", .timeLimit(.minutes(15)))
    struct WorkerQueueTests {
        let queue: WorkerQueue

        init() throws {
            queue = try WorkerQueue(withThread: "worker")
        }

        @Test("jobs run one at a time in the order of submission, through thousands of segments")
        func order() throws {
            let order = Recorder<Int>()
            for index in 0..<200_000 {
                if index % 2 == 0 {
                    queue.enqueue { order.append(index) }
                } else {
                    try queue.async { order.append(index) }
                }
            }
            try queue.sync {}
            #expect(order.elements == Array(0..<200_000))
        }

        @Test("jobs of several threads keep each thread's order")
        func severalSenders() async throws {
            let order = Recorder<(thread: Int, job: Int)>()
            await withTaskGroup(of: Void.self) { group in
                for thread in 0..<4 {
                    group.addTask { [queue] in
                        for job in 0..<20_000 { queue.enqueue { order.append((thread, job)) } }
                    }
                }
            }
            try queue.sync {}
            for thread in 0..<4 {
                #expect(order.elements.filter { $0.thread == thread }.map(\.job) == Array(0..<20_000))
            }
        }

        @Test("a cancelled job never runs, its closure is released at once, and the queue continues")
        func cancel() throws {
            let gate = Gate()
            queue.enqueue { gate.pass() }
            gate.waitForArrivals()
            let events = Recorder<String>()
            var probe: LifetimeProbe? = LifetimeProbe { events.append("released") }
            let job = try queue.async { [probe] in
                probe?.touch()
                events.append("ran")
            }
            queue.enqueue { events.append("next") }
            probe = nil
            #expect(job.cancel())
            #expect(events.elements == ["released"])
            #expect(!job.cancel(), "only the first cancel counts")
            gate.open()
            try queue.sync {}
            #expect(events.elements == ["released", "next"])
        }

        @Test("a job that has begun or ended cannot be cancelled, however often its slot was used since")
        func cancelTooLate() throws {
            let gate = Gate()
            let begun = try queue.async { gate.pass() }
            gate.waitForArrivals()
            #expect(!begun.cancel())
            gate.open()
            for _ in 0..<1_000 { queue.enqueue {} }
            try queue.sync {}
            let ran = Counter()
            for _ in 0..<1_000 { try queue.async { ran.increment() } }
            #expect(!begun.cancel())
            try queue.sync {}
            #expect(ran.value == 1_000)
        }

        @Test("captures are released before the next job begins")
        func releases() throws {
            let events = Recorder<String>()
            var probe: LifetimeProbe? = LifetimeProbe { events.append("released") }
            queue.enqueue { [probe] in probe?.touch() }
            probe = nil
            queue.enqueue { events.append("next") }
            try queue.sync {}
            #expect(events.elements == ["released", "next"])
        }

        // MARK: Waiting

        @Test("delayed jobs run in the order of their times, those of equal times as submitted")
        func delayed() throws {
            while true {
                let order = Recorder<String>()
                let ended = DispatchSemaphore(value: 0)
                let begun = ContinuousClock.now
                try queue.async(after: .milliseconds(900)) {
                    order.append("last")
                    ended.signal()
                }
                try queue.async(after: .milliseconds(600)) { order.append("second") }
                try queue.async(after: .milliseconds(-5)) { order.append("first") }
                try queue.async(after: .zero) { order.append("also first") }
                let wasStopped = begun.duration(to: .now) > .milliseconds(200)
                ended.wait()
                // Again if the submissions lie too far apart, as on a busy machine.
                guard !wasStopped else { continue }
                #expect(order.elements == ["first", "also first", "second", "last"])
                #expect(begun.duration(to: .now) >= .milliseconds(900))
                return
            }
        }

        @Test("a delayed job can be cancelled, and its closure is released at once")
        func cancelDelayed() throws {
            let events = Recorder<String>()
            var probe: LifetimeProbe? = LifetimeProbe { events.append("released") }
            let job = try queue.async(after: .seconds(3_600)) { [probe] in probe?.touch() }
            probe = nil
            try queue.sync {}
            #expect(job.cancel())
            #expect(events.elements == ["released"])
            #expect(!job.cancel())
        }

        @Test("a delay beyond all times is accepted, waits, and can be cancelled")
        func hugeDelay() throws {
            let job = try queue.async(after: .seconds(Int64.max)) { Issue.record("ran") }
            try queue.sync {}
            #expect(job.cancel())
        }

        @Test("deadlines are never in the past and never overflow")
        func deadlines() {
            #expect(UInt64(5).advanced(by: .seconds(-1)) == 5)
            #expect(UInt64(5).advanced(by: .zero) == 5)
            #expect(UInt64(5).advanced(by: .nanoseconds(1)) == 6)
            #expect(UInt64(5).advanced(by: .seconds(2)) == 2_000_000_005)
            #expect(UInt64(5).advanced(by: .seconds(Int64.max)) == .max)
            #expect(UInt64(5).advanced(by: .seconds(10_000_000_000)) == .max)
        }

        // MARK: Lifetime

        @Test("dropping a queue loses no job, and its thread ends after the last")
        func dropped() async {
            await #expect(processExitsWith: .success) {
                let gate = Gate()
                let ran = Counter()
                var queue: WorkerQueue? = try WorkerQueue(withThread: "dropped")
                queue?.enqueue { gate.pass() }
                for _ in 0..<1_000 { queue?.enqueue { ran.increment() } }
                try queue?.async(after: .milliseconds(50)) { ran.increment() }
                await gate.waitForArrivals()
                precondition(threadCount(named: "dropped") == 1)
                queue = nil
                gate.open()
                while threadCount(named: "dropped") > 0 {}
                precondition(ran.value == 1_001)
            }
        }

        @Test("a queue that was never used makes no thread")
        func unused() async {
            await #expect(processExitsWith: .success) {
                let queues = try (0..<100).map { try WorkerQueue(withThread: "unused \($0)") }
                // What the maker has been asked for is done once it has made the next.
                let used = try WorkerQueue(withThread: "used")
                try used.sync {}
                // A thread names itself when it begins.
                while threadCount(named: "used") != 1 {}
                precondition(threadCount(named: "unused") == 0)
                withExtendedLifetime(queues) {}
            }
        }

        @Test("after the pool's shutdown a queue refuses jobs and runs those that cannot be refused")
        func afterShutdown() throws {
            let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(1))
            let queue = pool.queue(for: .default)
            try queue.sync {}
            pool.shutdownBlocking()
            let order = Recorder<Int>()
            let ended = DispatchSemaphore(value: 0)
            for number in 0..<3 {
                #expect(throws: PoolError.self) { try queue.async { order.append(-1) } }
                queue.enqueue { order.append(number) }
            }
            queue.enqueue { ended.signal() }
            #expect(ended.wait(timeout: .now() + 600) == .success)
            #expect(order.elements == [0, 1, 2])
        }

        @Test("after the pool's shutdown a queue names itself in each refusal")
        func namesItself() throws {
            let pool = try WorkerQueuePool(label: "tiles", queuesPerTier: .exactly(1))
            let queue = pool.queue(for: .utility)
            pool.shutdownBlocking()
            let submissions: [() throws -> Void] = [
                { try queue.async {} }, { try queue.async(after: .seconds(1)) {} },
                { try queue.sync {} },
            ]
            for submit in submissions {
                let error = #expect(throws: PoolError.self, performing: submit)
                #expect(error?.code == .shutDown)
                #expect(
                    error?.description
                        == "the queue \"tiles.utility.0\" has been shut down and accepts no more work")
            }
        }

        @Test("a sender that takes a position during the closing is before it, or sees the mark")
        func closingRace() async throws {
            for _ in 0..<200 {
                let mailbox = Mailbox()
                let positions = Recorder<(position: UInt64, isClosed: Bool)>()
                let closing = await withTaskGroup(of: UInt64?.self) { group in
                    for _ in 0..<3 {
                        group.addTask {
                            for _ in 0..<200 { positions.append(mailbox.takePosition()) }
                            return nil
                        }
                    }
                    group.addTask {
                        while positions.elements.count < 100 {}
                        return mailbox.close()
                    }
                    return await group.reduce(nil) { $0 ?? $1 }
                }
                let position = try #require(closing)
                #expect(mailbox.close() == nil)
                #expect(positions.elements.allSatisfy { $0.isClosed == ($0.position > position) })
                #expect(Set(positions.elements.map(\.position)).count == 600)
                for taken in positions.elements { _ = mailbox.publish(.skipped, (0, 0), at: taken.position) }
                _ = mailbox.publish(.skipped, (0, 0), at: position)
                let receiver = mailbox.claimedReceiver
                if let message = receiver.take() {
                    message.drop()
                    Issue.record("there was no job")
                }
                receiver.passOn()
                mailbox.claimedReceiver.destroy()
            }
        }

        @Test("jobs that have not run are released with the queue's memory")
        func releasedUnread() {
            let released = Counter()
            let mailbox = Mailbox()
            for _ in 0..<1_000 {
                let probe = LifetimeProbe { released.increment() }
                _ = mailbox.send(.closure, Closure { probe.touch() }.intoWords())
            }
            #expect(released.value == 0)
            mailbox.claimedReceiver.destroy()
            #expect(released.value == 1_000)
        }

        // MARK: Arguments

        @Test("impossible labels are refused", arguments: ["", "a\0b"])
        func labels(label: String) {
            let error = #expect(throws: PoolError.self) { try WorkerQueue(label: label) }
            #expect(error?.code == .invalidLabel)
        }

        @Test("a scheduling of tiers is read and changed tier by tier")
        func tierScheduling() {
            var scheduling = TierScheduling.separated
            #expect(scheduling[.userInteractive] == ThreadScheduling())
            scheduling[.background] = ThreadScheduling(policy: .idle)
            #expect(scheduling[.background]?.policy == .idle)
            for tier in QoSTier.allCases { scheduling[tier] = nil }
            #expect(scheduling == .inherited)
            scheduling[.utility] = ThreadScheduling(niceIncrement: 2)
            #expect(scheduling == [.utility: ThreadScheduling(niceIncrement: 2)])
        }

        @Test("impossible scheduling is refused with the reason")
        func scheduling() {
            let cases: [(ThreadScheduling, String)] = [
                (.init(niceIncrement: 40), "a nice increment is from -40 to 39; 40 was asked for"),
                (
                    .init(niceIncrement: .min),
                    "a nice increment is from -40 to 39; \(Int.min) was asked for"
                ),
                (.init(slice: .zero), "a slice is from 0.1 to 100 ms; 0 s was asked for"),
                (.init(slice: .seconds(1)), "a slice is from 0.1 to 100 ms; 1 s was asked for"),
            ]
            for (scheduling, description) in cases {
                let error = #expect(throws: PoolError.self) {
                    try ThreadBoundQueue(label: "q", scheduling: scheduling)
                }
                #expect(error?.code == .invalidScheduling)
                #expect(error?.description == description)
                #expect(throws: PoolError.self) {
                    try WorkerQueuePool(
                        label: "p", workers: WorkerOptions(scheduling: [.utility: scheduling]))
                }
            }
        }
    }
#endif
