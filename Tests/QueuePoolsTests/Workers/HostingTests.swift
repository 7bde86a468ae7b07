#if os(Linux)
    import Dispatch
    import Glibc
    import Locks
    import TestSupport
    import Testing

    @testable import QueuePools

    /// A system that refuses threads as the test says.
    final class ThreadSupply: Sendable {
        private let refusals = Counter()
        private let refuses: @Sendable (_ refusedBefore: Int, _ label: String) -> Bool

        init(refuses: @escaping @Sendable (_ refusedBefore: Int, _ label: String) -> Bool) {
            self.refuses = refuses
        }

        /// A thread for the first queue of each tier, and no more.
        static var one: ThreadSupply { ThreadSupply { _, label in !label.hasSuffix(".0") } }

        /// How often a thread was refused.
        var refused: Int { refusals.value }

        func pool(_ queues: Int, label: String = "p") throws -> WorkerQueuePool {
            try WorkerQueuePool(
                QueuePoolConfiguration(label: label, queuesPerTier: .exactly(queues)),
                makeCrew: { Crew(firstRetry: 1_000_000, startThread: self.start) })
        }

        private func start(_ worker: Worker) -> Int32 {
            guard refuses(refusals.value, worker.label) else { return worker.startThread() }
            refusals.increment()
            return EAGAIN
        }
    }

    @Suite("When the system has no thread to give", .timeLimit(.minutes(5)))
    struct HostingTests {
        @Test("refused three times, a queue gets its thread at last, and its jobs ran in order all the while")
        func threeTimes() throws {
            let supply = ThreadSupply { refused, label in refused < 3 && label.hasSuffix(".1") }
            let pool = try supply.pool(2)
            let order = Recorder<Int>()
            let queues = [pool.queue(for: .default), pool.queue(for: .default)]
            try queues[0].async {}
            var jobs = 0
            while pool.statistics[.default].threads < 2 || pool.statistics[.default].hostedQueues > 0 {
                let job = jobs
                try queues[1].async { order.append(job) }
                jobs += 1
            }
            for job in jobs..<jobs + 1_000 { try queues[1].async { order.append(job) } }
            try queues[1].sync {}
            #expect(order.elements == Array(0..<jobs + 1_000))
            let tier = pool.statistics[.default]
            #expect(tier.threadFailures == 3)
            #expect(tier.threads == 2)
            #expect(tier.hostedQueues == 0)
            #expect(supply.refused == 3)
        }

        @Test("refused for ever, queues are served by the tier's only thread, each in order, and it shows")
        func forEver() async throws {
            let supply = ThreadSupply.one
            let pool = try supply.pool(4)
            let queues = (0..<4).map { _ in pool.queue(for: .default) }
            let order = Recorder<(queue: Int, job: Int)>()
            for job in 0..<2_000 {
                for (index, queue) in queues.enumerated() {
                    try queue.async {
                        if !queue.isCurrent { Issue.record("another queue is current") }
                        order.append((index, job))
                    }
                }
            }
            for (index, queue) in queues.enumerated() {
                try queue.sync {}
                #expect(order.elements.filter { $0.queue == index }.map(\.job) == Array(0..<2_000))
            }
            let tier = pool.statistics[.default]
            #expect(tier.threads == 1)
            #expect(tier.hostedQueues == 3)
            #expect(tier.threadFailures >= 3)
            await pool.shutdown()
            #expect(pool.statistics[.default].finished == 8_000 + 4)
        }

        @Test("with no thread at all, submission throws at once, and works again when there is one")
        func none() throws {
            let relief = Counter()
            let supply = ThreadSupply { _, _ in relief.value == 0 }
            let pool = try supply.pool(2)
            for _ in 0..<10 {
                let error = #expect(throws: PoolError.self) { try pool.async(qos: .utility) {} }
                #expect(error?.code == .noThread)
                #expect(error?.description == "the system cannot make a thread for the pool \"p\" now")
            }
            #expect(pool.statistics[.utility].submitted == 0)
            #expect(pool.statistics[.utility].threadFailures == 10)
            let queue = pool.queue(for: .utility)
            let error = #expect(throws: PoolError.self) { try queue.sync {} }
            #expect(error?.code == .noThread)
            #expect(
                error?.description == "the system cannot make a thread for the queue \"\(queue.label)\" now")
            relief.increment()
            let ran = DispatchSemaphore(value: 0)
            try pool.async(qos: .utility) { ran.signal() }
            ran.wait()
        }

        @Test("what is never refused waits until there is a thread")
        func patient() async throws {
            let relief = Counter()
            let supply = ThreadSupply { _, _ in relief.value == 0 }
            let pool = try supply.pool(2)
            let order = Recorder<Int>()
            let queue = pool.queue(for: .utility)
            for index in 0..<100 { queue.enqueue { order.append(index) } }
            let task = Task(executorPreference: pool.taskExecutor(for: .default)) { 7 }
            while supply.refused < 10 {}
            #expect(order.elements.isEmpty)
            relief.increment()
            #expect(await task.value == 7)
            try queue.sync {}
            #expect(order.elements == Array(0..<100))
        }

        @Test("a job of the host can wait for the queue that it hosts")
        func syncWithGuest() throws {
            let pool = try ThreadSupply.one.pool(2)
            let (host, guest) = (pool.queue(for: .default), pool.queue(for: .default))
            try host.async {}
            let order = Recorder<Int>()
            for index in 0..<100 { try guest.async { order.append(index) } }
            #expect(try host.sync { try guest.sync { order.elements.count } } == 100)
            #expect(try guest.sync { !host.isCurrent && guest.isCurrent })
        }

        @Test(
            "a job can wait for a queue of which nobody knows yet that it will be hosted by that job's own thread"
        )
        func syncWithFutureGuest() throws {
            let attempt = Gate()
            let supply = ThreadSupply { _, label in
                guard label.hasSuffix(".1") else { return false }
                attempt.pass()
                return true
            }
            let pool = try supply.pool(2)
            let (host, guest) = (pool.queue(for: .default), pool.queue(for: .default))
            let ended = DispatchSemaphore(value: 0)
            try host.async {
                _ = try? guest.sync {}
                ended.signal()
            }
            attempt.waitForArrivals()
            attempt.open()
            #expect(ended.wait(timeout: .now() + 60) == .success)
        }

        @Test("delayed jobs of a queue run that a job of its host's has waited for before it was hosted")
        func laterOnFutureGuest() throws {
            let attempt = Gate()
            let supply = ThreadSupply { _, label in
                guard label.hasSuffix(".1") else { return false }
                attempt.pass()
                return true
            }
            let pool = try supply.pool(2)
            let (host, guest) = (pool.queue(for: .default), pool.queue(for: .default))
            let ended = DispatchSemaphore(value: 0)
            try host.async {
                let start = DispatchTime.now().uptimeNanoseconds
                _ = try? guest.async(after: .milliseconds(1)) {}
                _ = try? guest.async(after: .milliseconds(30)) { ended.signal() }
                _ = try? guest.sync {}
                // Until the first is due.
                while DispatchTime.now().uptimeNanoseconds < start + 5_000_000 {}
            }
            attempt.waitForArrivals()
            attempt.open()
            #expect(ended.wait(timeout: .now() + 60) == .success)
        }

        @Test("delayed jobs and notifications work on a hosted queue")
        func laterOnGuest() throws {
            let pool = try ThreadSupply.one.pool(2)
            let (host, guest) = (pool.queue(for: .default), pool.queue(for: .default))
            try host.async {}
            let events = Recorder<String>()
            let ended = DispatchSemaphore(value: 0)
            try guest.async(after: .milliseconds(30)) {
                events.append("later")
                ended.signal()
            }
            let empty = DispatchSemaphore(value: 0)
            try guest.notifyWhenEmpty {
                events.append("empty")
                empty.signal()
            }
            empty.wait()
            ended.wait()
            #expect(events.elements == ["empty", "later"])
        }

        @Test("a pool dropped with hosted queues loses no job, and its thread ends")
        func dropped() async {
            await #expect(processExitsWith: .success) {
                let ran = Counter()
                let gate = Gate()
                var pool: WorkerQueuePool? = try ThreadSupply.one.pool(3)
                try pool?.async(qos: .default) { gate.pass() }
                for _ in 0..<3_000 { try pool?.async(qos: .default) { ran.increment() } }
                gate.waitForArrivals()
                precondition(threadCount(named: "p.default.") == 1)
                pool = nil
                gate.open()
                while threadCount(named: "p.default.") > 0 {}
                precondition(ran.value == 3_000)
            }
        }

        @Test("a thread that could leave stays while another queue waits to hear whether it must be its host")
        func detained() async {
            await #expect(processExitsWith: .success) { try runDetained(isRefused: true) }
            await #expect(processExitsWith: .success) { try runDetained(isRefused: false) }
        }

        @Test("threads and hosts that take turns at random lose and reorder nothing", arguments: 0..<8)
        func takingTurns(seed: UInt64) throws {
            let generator = Lock(SeededGenerator(seed: seed))
            for _ in 0..<20 {
                let pool = try WorkerQueuePool(
                    QueuePoolConfiguration(label: "p", queuesPerTier: .exactly(4)),
                    makeCrew: {
                        Crew(firstRetry: 50_000) { worker in
                            let isRefused = generator.withLock { $0.next() % 3 != 0 }
                            return isRefused && !worker.label.hasSuffix(".0") ? EAGAIN : worker.startThread()
                        }
                    })
                let order = Recorder<(queue: Int, job: Int)>()
                let queues = (0..<4).map { _ in pool.queue(for: .default) }
                for job in 0..<300 {
                    for (index, queue) in queues.enumerated() {
                        try queue.async { order.append((index, job)) }
                    }
                }
                for (index, queue) in queues.enumerated() {
                    try queue.sync {}
                    #expect(order.elements.filter { $0.queue == index }.map(\.job) == Array(0..<300))
                }
            }
        }
    }

    private func runDetained(isRefused: Bool) throws {
        let attempt = Gate()
        let supply = ThreadSupply { _, label in
            guard label.hasSuffix(".1") else { return false }
            attempt.pass()
            return isRefused
        }
        var pool: WorkerQueuePool? = try supply.pool(2)
        let ran = Counter()
        try pool?.async(qos: .default) { ran.increment() }
        for _ in 0..<100 { try pool?.async(qos: .default) { ran.increment() } }
        attempt.waitForArrivals()
        pool = nil
        // Time for the thread to end, if it did so.
        for _ in 0..<1_000 where threadCount(named: "p.default.") > 0 { sched_yield() }
        attempt.open()
        while threadCount(named: "p.default.") > 0 || ran.value < 101 {}
    }
#endif
