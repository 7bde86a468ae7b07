#if os(Linux)
    import Dispatch
    import Foundation
    import QueuePoolsLocks
    import TestSupport
    import Testing

    @testable import QueuePools

    /// What happens at the ends of threads, and without a thread for the engine itself. Each test runs in a
    /// process of its own.
    @Suite("Ends of threads, and what needs a thread where there is none", .timeLimit(.minutes(15)))
    struct OutsideThreadsTests {
        private static func shutDown(_ pool: WorkerQueuePool) { pool.shutdownBlocking() }

        @Test("the destructor of a thread-specific value can use queues, also those of the thread that ends")
        func destructors() async {
            await #expect(processExitsWith: .success) {
                enum Ends {
                    static let pool = try? WorkerQueuePool(label: "other", queuesPerTier: .exactly(1))
                    static let ran = Counter()
                }
                var key = pthread_key_t()
                pthread_key_create(&key) { value in
                    guard let value else { return }
                    let queue = Unmanaged<WorkerQueue>.fromOpaque(value).takeRetainedValue()
                    precondition(!queue.isCurrent)
                    _ = try? queue.sync { Ends.ran.increment() }
                    _ = try? Ends.pool?.queue(for: .utility).sync { Ends.ran.increment() }
                    queue.enqueue { Ends.ran.increment() }
                    labelJob("destructor")
                }
                for _ in 0..<20 {
                    let queue = try WorkerQueue(
                        withThread: "ends", threads: ThreadOptions(idleLimit: .zero))
                    try queue.async { [key] in
                        pthread_setspecific(key, Unmanaged.passRetained(queue).toOpaque())
                    }
                }
                while Ends.ran.value < 60 {}
            }
        }

        /// The threads of a tier end in a chain, in which each joins the one before, and those of two tiers
        /// are joined one after the other: none may wait for a destructor that waits for it.
        @Test("destructors of all threads of one tier or of several shut the pool down")
        func destructorsShutDown() async {
            await #expect(processExitsWith: .success) {
                enum Ends {
                    static let pool = Lock<WorkerQueuePool?>(nil)
                    static let ended = Counter()
                }
                dieRatherThanHang()
                var key = pthread_key_t()
                pthread_key_create(&key) { _ in
                    Self.shutDown(Ends.pool.withLock { $0 }!)
                    Ends.ended.increment()
                }
                let tiers = [QoSTier.default, .utility, .background]
                var expected = 0
                for (threads, tierCount) in [(2, 1), (3, 1), (1, 2), (2, 2), (3, 3)] {
                    let pool = try WorkerQueuePool(label: "ends", queuesPerTier: .exactly(threads))
                    Ends.pool.withLock { $0 = pool }
                    let gate = Gate()
                    for tier in tiers.prefix(tierCount) {
                        for _ in 0..<threads {
                            try pool.async(qos: tier) { [key] in
                                pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1))
                                gate.pass()
                            }
                        }
                    }
                    await gate.waitForArrivals(threads * tierCount)
                    gate.open()
                    Self.shutDown(pool)
                    expected += threads * tierCount
                    precondition(Ends.ended.value == expected)
                }
            }
        }

        @Test("what the hooks of a queue captured is not released on the thread that makes threads")
        func hooks() async {
            await #expect(processExitsWith: .success) {
                dieRatherThanHang()
                let (threads, released) = (Recorder<String>(), DispatchSemaphore(value: 0))
                let started = DispatchSemaphore(value: 0)
                func makeJob() throws -> PoolJob {
                    let probe = LifetimeProbe {
                        threads.append(
                            (try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)) ?? "")
                        released.signal()
                    }
                    let hook: ThreadOptions.Hook = { [probe] _ in
                        probe.touch()
                        started.signal()
                    }
                    return try WorkerQueue(
                        withThread: "hooked", threads: .init(idleLimit: .zero, onStart: hook)
                    ).async(after: .seconds(3_600)) {}
                }
                // Cancelled when the queue's thread is gone, while the supervisor is busy, which so has the
                // last reference.
                let gate = Gate()
                try {
                    let job = try makeJob()
                    started.wait()
                    while threadCount(named: "hooked") > 0 { sched_yield() }
                    Supervisor.required().perform { gate.pass() }
                    gate.waitForArrivals()
                    job.cancel()
                }()
                gate.open()
                released.wait()
                precondition(threads.elements == ["pool helper\n"], "\(threads.elements)")
            }
        }

        @Test(
            "a step waits until a thread can be made for it, even if at first the supervisor cannot be"
        )
        func noMaker() async {
            await #expect(processExitsWith: .success) {
                dropPrivileges()
                var limit = rlimit()
                getrlimit(__rlimit_resource_t(__RLIMIT_NPROC.rawValue), &limit)
                // In a child, where no other thread needs one meanwhile.
                waitForOtherThreadsToSleep()
                let status = statusOfChild {
                    var none = rlimit(rlim_cur: 0, rlim_max: limit.rlim_max)
                    setrlimit(__rlimit_resource_t(__RLIMIT_NPROC.rawValue), &none)
                    guard let own = try? WorkerQueue(withThread: "own") else { return 1 }
                    if (try? own.async {}) != nil { return 2 }
                    var again = limit
                    let ran = DispatchSemaphore(value: 0)
                    setrlimit(__rlimit_resource_t(__RLIMIT_NPROC.rawValue), &again)
                    own.enqueue { ran.signal() }
                    ran.wait()
                    return 0
                }
                precondition(status == 0, "the child ended with \(status)")
            }
        }

        @Test(
            "while the system has no thread, delayed jobs run and shutdowns keep their time limits"
        )
        func noHelper() async {
            await #expect(processExitsWith: .success) {
                dropPrivileges()
                // In a forked child, where Dispatch has no threads that could help.
                runOnFirstThread { try runNoHelper() }
            }
        }
    }

    private func runNoHelper() throws {
        let reported = DispatchSemaphore(value: 0)
        let observation = JobObservation(longJobLimit: .milliseconds(1)) { _ in reported.signal() }
        let pool = try WorkerQueuePool(
            label: "p", queuesPerTier: .exactly(1), workers: WorkerOptions(observation: observation))
        let other = try WorkerQueuePool(label: "other", queuesPerTier: .exactly(1))
        let executors = try WorkerQueuePool(label: "e", queuesPerTier: .exactly(1))
        let queue = executors.queue(for: .utility)
        // All threads are there that are needed.
        let ran = DispatchSemaphore(value: 0)
        for (pool, tier) in [(executors, QoSTier.default), (executors, .utility), (pool, .default)] {
            try pool.async(qos: tier) { ran.signal() }
            ran.wait()
        }
        let (gate, wayOut) = (Gate(), Gate())
        try other.async(qos: .default) { wayOut.pass() }
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(__RLIMIT_NPROC.rawValue), &limit)
        var none = rlimit(rlim_cur: 0, rlim_max: limit.rlim_max)
        wayOut.waitForArrivals()
        check(setrlimit(__rlimit_resource_t(__RLIMIT_NPROC.rawValue), &none) == 0)
        try pool.async(qos: .default) { gate.pass() }
        gate.waitForArrivals()

        let results = Recorder<Bool>()
        let hasResult = DispatchSemaphore(value: 0)
        Task(executorPreference: executors.taskExecutor(for: .default)) {
            results.append(await other.hasShutDown(timeLimit: .milliseconds(10)))
            hasResult.signal()
            wayOut.open()
            results.append(await other.hasShutDown())
            hasResult.signal()
        }
        check(hasResult.wait(timeout: .now() + 600) == .success, "no end at the time limit")
        check(results.elements == [false])
        for _ in 0..<10 {
            try queue.async(after: .milliseconds(5)) { ran.signal() }
            check(ran.wait(timeout: .now() + 600) == .success, "a delayed job does not run")
        }
        check(results.elements == [false])
        check(setrlimit(__rlimit_resource_t(__RLIMIT_NPROC.rawValue), &limit) == 0)
        check(hasResult.wait(timeout: .now() + 600) == .success, "no shutdown")
        check(results.elements == [false, true])
        check(reported.wait(timeout: .now() + 600) == .success, "no report")
        gate.open()
        pool.shutdownBlocking()
    }
#endif
