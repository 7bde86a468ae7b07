#if os(Linux)
    import Dispatch
    import Glibc
    import CQueuePoolsThreads
    import CThreadChecks
    import TestSupport
    import Testing

    @testable import QueuePools

    private func runInOrder() throws {
        let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(2))
        let gate = Gate()
        defer { gate.open() }
        try pool.async(qos: .utility) { gate.pass() }
        gate.waitForArrivals()
        let begun = Recorder<(delay: Int, at: ContinuousClock.Instant)>()
        let ended = DispatchSemaphore(value: 0)
        // A job is due between these, however long its submission takes.
        var due: [Int: ClosedRange<ContinuousClock.Instant>] = [:]
        for delay in [30, 10, 20, 0, -5] {
            let start = ContinuousClock.now
            try pool.async(qos: .utility, after: .milliseconds(delay)) {
                begun.append((delay, .now))
                ended.signal()
            }
            due[delay] = start + .milliseconds(max(delay, 0))...(.now + .milliseconds(max(delay, 0)))
        }
        for _ in 0..<5 { precondition(ended.wait(timeout: .now() + 600) == .success) }
        precondition(begun.elements.count == 5)
        for (index, job) in begun.elements.enumerated() {
            let own = due[job.delay]!
            precondition(job.at >= own.lowerBound)
            for other in begun.elements[..<index] where other.delay > 0 && job.delay > 0 {
                precondition(due[other.delay]!.lowerBound <= own.upperBound)
            }
        }
    }

    @Suite("Unordered jobs that are to begin later", .timeLimit(.minutes(15)))
    struct DelayedJobTests {
        func makePool(
            _ queues: Int = 1, capacity: TierCapacities = .unlimited
        ) throws -> WorkerQueuePool {
            try WorkerQueuePool(
                QueuePoolOptions(label: "p", queuesPerTier: .exactly(queues), capacity: capacity))
        }

        /// Holds a thread of the utility tier until the gate opens.
        func block(_ pool: WorkerQueuePool) throws -> Gate {
            let gate = Gate()
            try pool.async(qos: .utility) { gate.pass() }
            gate.waitForArrivals()
            return gate
        }

        // In processes of their own, since the supervisor is one for all pools.
        @Test("many of them in one pool do not hold up the shutdown of another that has none")
        func besideShutdown() async {
            await #expect(processExitsWith: .success) {
                let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(1))
                let other = try WorkerQueuePool(label: "other", queuesPerTier: .exactly(64))
                for _ in 0..<300_000 { try pool.async(qos: .utility, after: .seconds(3600)) {} }
                for _ in 0..<64 { other.queue(for: .utility).enqueue {} }
                Supervisor.required().performAndWait {}
                let isInTime = await other.hasShutDown(timeLimit: .seconds(3))
                precondition(isInTime)
                try await pool.shutdown()
            }
        }

        @Test("many cost the supervisor no time in a shutdown, of their own pool or of another")
        func costOfShutdown() async {
            await #expect(processExitsWith: .success) {
                /// How long the supervisor has run. Other processes do not make it longer.
                @Sendable func timeOfSupervisor() -> Duration {
                    nonisolated(unsafe) var time = 0  // ordered by the wait
                    Supervisor.required().performAndWait { time = Int(cthread_cpu_nanoseconds()) }
                    return .nanoseconds(time)
                }
                let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(1))
                let other = try WorkerQueuePool(label: "other", queuesPerTier: .exactly(1))
                for _ in 0..<100_000 { try pool.async(qos: .utility, after: .seconds(3_600)) {} }
                try other.async(qos: .utility, after: .seconds(3_600)) {}
                for pool in [other, pool] {
                    let start = timeOfSupervisor()
                    try await pool.shutdown()
                    let time = timeOfSupervisor() - start
                    precondition(time < .milliseconds(20), "the supervisor of \(pool.label) took \(time)")
                }
                precondition(pool.statistics[.utility].cancelled == 100_000)
            }
        }

        @Test("one that the supervisor calls itself is released when it is cancelled")
        func withoutTarget() throws {
            let (supervisor, ran) = (Supervisor.required(), Counter())
            let deadline = cqp_monotonic_nanoseconds() + 3_600_000_000_000
            var job: DelayedJob? = DelayedJob(at: deadline, by: supervisor) { ran.increment() }
            weak let reference = job
            try supervisor.insert(#require(job))
            #expect(job?.cancel() == true)
            #expect(job?.cancel() == false)
            job = nil
            supervisor.performAndWait {}
            #expect(reference == nil)
            #expect(ran.value == 0)
        }

        /// As when it resumes a task on an executor of the program that takes the lock.
        @Test("they are submitted also by a thread that the supervisor waits for")
        func underLock() async {
            await #expect(processExitsWith: .success) {
                let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(1))
                try pool.async(qos: .utility) {}  // makes its thread
                let isDone = DispatchSemaphore(value: 0)
                Supervisor.required().perform { isDone.wait() }
                for _ in 0..<100_000 { try pool.async(qos: .utility, after: .seconds(3600)) {} }
                isDone.signal()
                try await pool.shutdown()
            }
        }

        // In a process of its own: others' requests may keep the supervisor busy.
        @Test("they begin not before their times, in the order of these, and on the first free thread")
        func order() async {
            await #expect(processExitsWith: .success) { try runInOrder() }
        }

        @Test("they begin in the order of their times, however late the supervisor reads of them")
        func lateSupervisor() async {
            await #expect(processExitsWith: .success) {
                let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(1))
                try pool.async(qos: .utility) {}  // makes its thread
                let (order, isDone) = (Recorder<Int>(), DispatchSemaphore(value: 0))
                let mayRead = DispatchSemaphore(value: 0)
                Supervisor.required().perform { mayRead.wait() }
                for delay in [3, 1, 2] {
                    try pool.async(qos: .utility, after: .milliseconds(delay)) {
                        order.append(delay)
                        isDone.signal()
                    }
                }
                let end = ContinuousClock.now + .milliseconds(4)
                while .now < end {}
                mayRead.signal()
                for _ in 0..<3 { precondition(isDone.wait(timeout: .now() + 600) == .success) }
                precondition(order.elements == [1, 2, 3], "\(order.elements)")
            }
        }

        @Test("a job whose time has come goes before those that wait in the tier")
        func beforeWaiting() async throws {
            let pool = try makePool()
            let gate = try block(pool)
            let order = Recorder<String>()
            for _ in 0..<200 { try pool.async(qos: .utility) { order.append("waiting") } }
            try pool.async(qos: .utility, after: .milliseconds(1)) { order.append("due") }
            let lanes = pool.withPartition(of: .utility) { ($0 as? WorkerPartition)?.intakes.count ?? 0 }
            #expect(lanes == 4, "a queue, a lane, one for due jobs, and the list of made queues")
            await waitWhile(!pool.hasDueJob)
            gate.open()
            try await pool.shutdown()
            #expect(order.elements.first == "due")
            #expect(order.elements.count == 201)
        }

        @Test(
            "a job that is cancelled before or after its time never runs, is released, and counts once"
        )
        func cancelling() async throws {
            let pool = try makePool()
            let gate = try block(pool)
            let (ran, released) = (Counter(), Counter())
            let jobs = try [Duration.seconds(3_600), .nanoseconds(1)].map { delay in
                let probe = LifetimeProbe { released.increment() }
                return try pool.async(qos: .utility, after: delay) { [probe] in
                    probe.touch()
                    ran.increment()
                }
            }
            await waitWhile(!pool.hasDueJob)
            #expect(pool.statistics[.utility].waiting == 1 && pool.statistics[.utility].delayed == 1)
            for job in jobs {
                #expect(job.cancel())
                #expect(!job.cancel())
            }
            #expect(released.value == 2)
            gate.open()
            try await pool.shutdown()
            let statistics = pool.statistics[.utility]
            #expect(ran.value == 0)
            #expect(
                [statistics.submitted, statistics.cancelled, statistics.finished, statistics.waiting] == [
                    3, 2, 1, 0,
                ])
        }

        /// the closer                        supervisor
        /// closes the mailbox
        ///                                   finds the job due
        /// asks for delayed jobs
        @Test("the captures of a queue's delayed job are released before the job counts as finished")
        func releasedInTime() throws {
            let pool = try makePool(1)
            let (gate, running) = (Gate(), Recorder<Int>())
            let queue = pool.queue(for: .utility)
            queue.enqueue { gate.pass() }
            gate.waitForArrivals()
            let probe = LifetimeProbe { running.append(pool.statistics[.utility].running) }
            try queue.async(after: .zero) { [probe = consume probe] in probe.touch() }
            gate.open()
            try queue.sync {}
            #expect(running.elements == [1])
        }

        @Test("they begin at their times while others are submitted and cancelled without a pause")
        func besideRequests() throws {
            let (isOver, ended) = (Counter(), DispatchSemaphore(value: 0))
            // Each request makes the next one, as several threads do that are faster than the supervisor.
            @Sendable func request() {
                if isOver.value == 0 { Supervisor.required().perform(request) }
            }
            request()
            defer { isOver.increment() }
            try makePool().async(qos: .utility, after: .milliseconds(1)) { ended.signal() }
            #expect(ended.wait(timeout: .now() + 600) == .success)
        }

        @Test("a pool that is dropped runs them at their time")
        func dropped() throws {
            let ended = DispatchSemaphore(value: 0)
            try makePool().async(qos: .utility, after: .milliseconds(20)) { ended.signal() }
            #expect(ended.wait(timeout: .now() + 600) == .success)
        }
    }

    extension WorkerQueuePool {
        /// Whether a delayed job of the utility tier has been handed over.
        var hasDueJob: Bool {
            withPartition(of: .utility) {
                guard let partition = $0 as? WorkerPartition else { return false }
                return partition.group.lanes[partition.group.firstLane].takeUnretainedValue().mayHaveJobs
            }
        }
    }
#endif
