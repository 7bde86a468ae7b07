#if os(Linux)
    import Dispatch
    import Glibc
    import QueuePoolsLocks
    import Synchronization
    import TestSupport
    import Testing

    @testable import QueuePools

    @Suite("Queues made on a tier's threads", .timeLimit(.minutes(15)))
    struct MadeQueueTests {
        let pool: WorkerQueuePool
        let queue: WorkerQueue

        init() throws {
            pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(2))
            queue = try pool.makeQueue(label: "made", qos: .utility)
        }

        // MARK: Order

        @Test("jobs run one at a time in the order of submission, through thousands of chunks")
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

        @Test("ten thousand queues that have jobs at once have no more threads than the tier")
        func manyAtOnce() async throws {
            let pool = try WorkerQueuePool(label: "many", queuesPerTier: .exactly(2))
            let queues = try (0..<10_000).map { try pool.makeQueue(label: "queue \($0)", qos: .utility) }
            final class Counts: Sendable { let running = Atomic<Int>(0), peak = Atomic<Int>(0) }
            let found = Counts()
            // Each queue's count is protected by the queue.
            nonisolated(unsafe) let counts = UnsafeMutablePointer<Int>.allocate(capacity: queues.count)
            counts.initialize(repeating: 0, count: queues.count)
            defer { counts.deallocate() }
            for _ in 0..<5 {
                for (index, queue) in queues.enumerated() {
                    try queue.async {
                        let now = found.running.wrappingAdd(1, ordering: .relaxed).newValue
                        found.peak.max(now, ordering: .relaxed)
                        counts[index] += 1
                        found.running.wrappingSubtract(1, ordering: .relaxed)
                    }
                }
                #expect(pool.statistics[.utility].threads <= 2)
            }
            for queue in queues { try queue.sync {} }
            #expect((0..<queues.count).allSatisfy { counts[$0] == 5 })
            #expect(found.peak.load(ordering: .relaxed) <= 2)
            #expect(threadCount(named: "many.ut") <= 2)
        }

        @Test("a queue that always has jobs leaves their turn to unordered jobs, the tier's and other queues")
        func fairness() throws {
            let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(1))
            let isOver = Counter()
            let queues = try (0..<2).map { try pool.makeQueue(label: "\($0)", qos: .utility) }
            @Sendable func submit(to queue: WorkerQueue) {
                queue.enqueue { if isOver.value == 0 { submit(to: queue) } }
            }
            for queue in queues { submit(to: queue) }
            let ran = DispatchSemaphore(value: 0)
            try pool.async(qos: .utility) { ran.signal() }
            try pool.queue(for: .utility).async { ran.signal() }
            try pool.makeQueue(label: "late", qos: .utility).async { ran.signal() }
            for _ in 0..<3 { #expect(ran.wait(timeout: .now() + 600) == .success) }
            isOver.increment()
            pool.shutdownBlocking()
        }

        // MARK: Cancellation

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
            #expect(!job.cancel())
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

        @Test(
            "of a job that is cancelled while the queue runs, either the cancellation or the job takes place")
        func cancelRace() async throws {
            /// The jobs that were submitted, and what became of each.
            final class Shared: @unchecked Sendable {  // atomics and a lock
                static let rounds = 30_000
                let jobs = Lock<[(index: Int, job: PoolJob)]>([])
                let counts = UnsafeMutablePointer<Atomic<Int>>.allocate(capacity: rounds)
                let cancelled = Counter()
                let submitted = Counter()

                init() { for index in 0..<Self.rounds { (counts + index).initialize(to: Atomic(0)) } }

                func run(_ index: Int) { counts[index].wrappingAdd(1, ordering: .relaxed) }

                func cancel(_ job: PoolJob, _ index: Int) {
                    guard job.cancel() else { return }
                    counts[index].wrappingAdd(100, ordering: .relaxed)
                    cancelled.increment()
                }
            }
            let shared = Shared()
            await withTaskGroup(of: Void.self) { group in
                group.addTask { [queue] in
                    for index in 0..<Shared.rounds {
                        let job = try! queue.async { shared.run(index) }
                        if index % 3 == 0 { shared.jobs.withLock { $0.append((index, job)) } }
                        if index % 3 == 1 { shared.cancel(job, index) }
                    }
                    shared.submitted.increment()
                }
                group.addTask {
                    var isOver = false
                    while !isOver {
                        isOver = shared.submitted.value > 0
                        let taken = shared.jobs.withLock { jobs in
                            defer { jobs = [] }
                            return jobs
                        }
                        for (index, job) in taken { shared.cancel(job, index) }
                        await Task.yield()
                    }
                }
            }
            try await queue.run {}
            let results = (0..<Shared.rounds).map { shared.counts[$0].load(ordering: .relaxed) }
            let cancelled = shared.cancelled
            #expect(results.allSatisfy { $0 == 1 || $0 == 100 })
            #expect(results.count { $0 == 100 } == cancelled.value)
            #expect(pool.statistics[.utility].cancelled == cancelled.value)
            shared.counts.deallocate()
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

        // MARK: Delayed jobs, labels, values

        @Test("delayed jobs run in the order of their times, before those that wait, and can be cancelled")
        func delayed() throws {
            let order = Recorder<String>()
            let (gate, ended) = (Gate(), DispatchSemaphore(value: 0))
            try queue.async { gate.pass() }
            gate.waitForArrivals()
            try queue.async { order.append("waiting") }
            try queue.async(after: .milliseconds(-5)) { order.append("first") }
            try queue.async(after: .zero) { order.append("second") }
            let cancelled = try queue.async(after: .seconds(3_600)) { order.append("never") }
            try queue.async(after: .milliseconds(60)) {
                order.append("last")
                ended.signal()
            }
            #expect(cancelled.cancel())
            gate.open()
            ended.wait()
            #expect(order.elements == ["first", "second", "waiting", "last"])
        }

        @Test("jobs know their queue, tier and label, and hand their values over")
        func values() async throws {
            struct Refusal: Error {}
            #expect(queue.label == "made")
            let queue = queue
            #expect(try await queue.run { queue.isCurrent })
            #expect(try await queue.run { PoolJob.currentQueueLabel } == "made")
            #expect(try await queue.start { QoSTier.current }.value == .utility)
            #expect(!queue.isCurrent)
            await #expect(throws: Refusal.self) { try await queue.run { throw Refusal() } }
        }

        @Test("a queue made by itself runs on the pool of the process, on its tier")
        func standalone() async throws {
            for tier in [QoSTier.default, .background] {
                let queue =
                    tier == .default
                    ? try WorkerQueue(label: "own") : try WorkerQueue(label: "own", qos: tier)
                #expect(try await queue.run { QoSTier.current } == tier)
                let group = try await queue.run { WorkerThread.current?.group }
                #expect(group === WorkerQueuePool.shared.queue(for: tier).group)
            }
        }

        @Test("impossible labels are refused", arguments: ["", "a\0b"])
        func labels(label: String) {
            let error = #expect(throws: PoolError.self) { try pool.makeQueue(label: label, qos: .utility) }
            #expect(error?.code == .invalidLabel)
        }

        // MARK: Capacity and statistics

        @Test("jobs take places of the tier's capacity until they begin or are cancelled")
        func capacity() throws {
            let pool = try WorkerQueuePool(
                label: "p", queuesPerTier: .exactly(1), capacity: [.utility: 2])
            let queues = try (0..<3).map { try pool.makeQueue(label: "\($0)", qos: .utility) }
            let gate = Gate()
            queues[0].enqueue { gate.pass() }
            gate.waitForArrivals()
            let job = try queues[0].async {}
            try queues[1].async {}
            for submit in [{ _ = try queues[2].async {} }, { _ = try pool.async(qos: .utility) {} }] {
                let error = #expect(throws: PoolError.self, performing: submit)
                #expect(error?.code == .full)
            }
            #expect(job.cancel())
            try queues[2].async {}
            gate.open()
            for queue in queues { try queue.sync {} }
            for _ in 0..<2 { try queues[0].async {} }
            pool.shutdownBlocking()
            #expect(pool.statistics[.utility].refused == 2)
        }

        @Test("dropping the queue and the pool loses no job, and the threads end after the last")
        func dropped() async {
            await #expect(processExitsWith: .success) {
                let gate = Gate()
                let ran = Counter()
                var pool: WorkerQueuePool? = try WorkerQueuePool(label: "gone", queuesPerTier: .exactly(2))
                var queue = try pool?.makeQueue(label: "dropped", qos: .utility)
                queue?.enqueue { gate.pass() }
                for _ in 0..<1_000 { queue?.enqueue { ran.increment() } }
                try queue?.async(after: .milliseconds(50)) { ran.increment() }
                await gate.waitForArrivals()
                pool = nil
                try queue?.async { ran.increment() }
                queue = nil
                gate.open()
                while threadCount(named: "gone") > 0 {}
                precondition(ran.value == 1_002)
            }
        }

        @Test("a forked child refuses jobs and cancellations, and queues can be made and dropped there")
        func forked() async {
            await #expect(processExitsWith: .success) {
                let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(1))
                let queue = try pool.makeQueue(label: "q", qos: .utility)
                let (gate, isReading) = (Gate(), DispatchSemaphore(value: 0))
                let job = try queue.async(after: .seconds(3_600)) {}
                try queue.sync {}
                // The lock of the list is taken while the process forks.
                let list = queue.group.madeQueues
                try queue.async {
                    _ = list.reduce(into: 0) { _, _ in
                        isReading.signal()
                        gate.pass()
                    }
                }
                isReading.wait()
                let waiting = try queue.async {}
                waitForOtherThreadsToSleep()
                let status = statusOfChild {
                    var own: WorkerQueue? = try? pool.makeQueue(label: "child", qos: .utility)
                    for queue in [queue, own] {
                        guard let queue, (try? queue.async {}) == nil, (try? queue.sync {}) == nil,
                            (try? queue.async(after: .zero) {}) == nil
                        else { return 1 }
                    }
                    own = nil
                    return waiting.cancel() ? 2 : 0
                }
                precondition(status == 0, "the child ended with \(status)")
                gate.open()
                precondition(job.cancel())
                try await pool.shutdown()
            }
        }
    }
#endif
