#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    @testable import QueuePools

    @Suite("Shutting down and the ends of threads", .timeLimit(.minutes(15)))
    struct ThreadEndTests {
        /// Holds threads of a pool until a gate opens, each with a thread-specific value and its destructor.
        private static func hold(
            _ threads: Int = 1, of pool: WorkerQueuePool,
            destructor: @convention(c) (UnsafeMutableRawPointer?) -> Void
        ) async throws -> Gate {
            var key = pthread_key_t()
            pthread_key_create(&key, destructor)
            let gate = Gate()
            for _ in 0..<threads {
                try pool.async(qos: .utility) { [key] in
                    pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1))
                    gate.pass()
                }
            }
            await gate.waitForArrivals(threads)
            return gate
        }

        @Test("a shutdown joins the threads: they have ended when it returns, with their destructors")
        func joins() async {
            await #expect(processExitsWith: .success) {
                // The destructor is a C function, which captures nothing.
                enum Destructors { static let ended = Counter() }
                for (round, isBlocking) in [true, false, true, false].enumerated() {
                    let pool = try WorkerQueuePool(label: "joined", queuesPerTier: .exactly(3))
                    let gate = try await Self.hold(3, of: pool) { _ in
                        for _ in 0..<1_000 { sched_yield() }  // so that who does not wait for it is sooner
                        Destructors.ended.increment()
                    }
                    gate.open()
                    if isBlocking { shutDownBlocking(pool) } else { try await pool.shutdown() }
                    precondition(Destructors.ended.value == 3 * (round + 1))
                    precondition(pool.statistics[.utility].threads == 0)
                }
            }
        }

        @Test("a shutdown waits for the destructors of threads that ended without work, not for its caller's")
        func joinsIdleEnds() async {
            await #expect(processExitsWith: .success) {
                enum Ends {
                    static let begun = Counter()
                    static let slow = Counter()
                    static let shutdowns = Counter()
                    static let pool = try? WorkerQueuePool(
                        label: "idle", queuesPerTier: .exactly(3),
                        workers: WorkerOptions(threads: ThreadOptions(idleLimit: .zero)))
                }
                let gate = try await Self.hold(3, of: Ends.pool!) { _ in
                    switch Ends.begun.increment() {
                    case 1:
                        while Ends.begun.value < 2 { sched_yield() }
                        Ends.shutdowns.increment()
                        Ends.pool!.shutdownBlocking()
                        precondition(Ends.slow.value == 1)
                        Ends.shutdowns.increment()
                    case 2:
                        while Ends.shutdowns.value == 0 { sched_yield() }
                        // So that a shutdown that does not wait returns first.
                        for _ in 0..<20_000 { sched_yield() }
                        Ends.slow.increment()
                    default: break  // the tier's last thread, which the shutdown ends
                    }
                }
                gate.open()
                await waitWhile(Ends.shutdowns.value < 2)
                shutDownBlocking(Ends.pool!)  // joins the last thread, as no destructor does
            }
        }

        @Test("a destructor shuts the pool down while another thread does")
        func destructorBesideCaller() async {
            await #expect(processExitsWith: .success) {
                enum Ends {
                    static let pool = try? WorkerQueuePool(
                        QueuePoolOptions(label: "both", queuesPerTier: .exactly(1)))
                }
                dieRatherThanHang()
                let gate = try await Self.hold(of: Ends.pool!) { _ in Ends.pool!.shutdownBlocking() }
                gate.open()
                try await Ends.pool!.shutdown()
            }
        }

        @Test("two destructors of idle threads shut the pool down")
        func twoDestructors() async {
            await #expect(processExitsWith: .success) {
                enum Ends {
                    static let begun = Counter()
                    static let done = Counter()
                    static let pool = try? WorkerQueuePool(
                        label: "idle", queuesPerTier: .exactly(3),
                        workers: WorkerOptions(threads: ThreadOptions(idleLimit: .zero)))
                }
                dieRatherThanHang()
                let gate = try await Self.hold(3, of: Ends.pool!) { _ in
                    guard Ends.begun.increment() <= 2 else { return }
                    while Ends.begun.value < 2 { sched_yield() }
                    Ends.pool!.shutdownBlocking()
                    Ends.done.increment()
                }
                gate.open()
                await waitWhile(Ends.done.value < 2)
                shutDownBlocking(Ends.pool!)  // joins the last thread, as no destructor does
            }
        }

        @Test("shutdowns whose limit has passed have one thread made, for all of them")
        func expiredShutdowns() async {
            await #expect(processExitsWith: .success) {
                enum Ends { static let destructor = Gate() }
                dieRatherThanHang()
                let pool = try WorkerQueuePool(label: "limits", queuesPerTier: .exactly(1))
                let gate = try await Self.hold(of: pool) { _ in Ends.destructor.pass() }
                for _ in 0..<20 {
                    let hasEnded = await pool.hasShutDown(timeLimit: .zero)
                    precondition(!hasEnded)
                }
                gate.open()
                // What the end of the job has asked the supervisor for is done then, and waits.
                await Ends.destructor.waitForArrivals()
                Supervisor.required().performAndWait {}
                // A thread has the name of its maker until it gives itself its own.
                func helpers() -> Int {
                    let threads = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
                    let names = (threads ?? []).compactMap {
                        try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)
                    }
                    return names.count { ["pool helper\n", "pool supervisor\n"].contains($0) } - 1
                }
                // Those that have told the calls of their limits may still be ending.
                await waitWhile(helpers() != 1)
                Ends.destructor.open()
                try await pool.shutdown()
            }
        }

        @Test("a shutdown does not wait for a thread that does not end while another runs a task's step")
        func besideStep() async {
            await #expect(processExitsWith: .success) {
                enum Ends { static let destructor = Gate() }
                dieRatherThanHang()
                let pool = try WorkerQueuePool(label: "steps", queuesPerTier: .exactly(2))
                let job = try await Self.hold(of: pool) { _ in Ends.destructor.pass() }
                let step = Gate()
                async let isOver = pool.hasShutDown()
                // Steps that come now are not waited for, because the closing has been read in each lane.
                let group = pool.withPartition(of: .utility) { ($0 as? WorkerPartition)?.group }!
                let lanes = group.lanes.map { $0.takeUnretainedValue() }
                await waitWhile(!lanes.allSatisfy({ $0.mailbox.isClosed && !$0.mayHaveJobs }))
                let task = Task(executorPreference: pool.taskExecutor(for: .utility)) { step.pass() }
                await step.waitForArrivals()
                job.open()
                _ = await isOver
                Ends.destructor.open()
                step.open()
                await task.value
                await waitWhile(pool.statistics[.utility].threads > 0)
            }
        }
    }

    /// Shuts a pool down in asynchronous code that may be blocked.
    func shutDownBlocking(_ pool: WorkerQueuePool) { pool.shutdownBlocking() }
#endif
