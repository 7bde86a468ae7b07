#if os(Linux)
    import Dispatch
    import Foundation
    import Glibc
    import Locks
    import Synchronization
    import TestSupport
    import Testing
    import Topology

    @testable import QueuePools

    /// Pools in the child of a fork. Each test runs in a process of its own.
    @Suite("Pools after a fork", .timeLimit(.minutes(15)))
    struct ForkTests {
        @Test("in a forked child the shared pool is another one, which works")
        func sharedAfterFork() async {
            await #expect(processExitsWith: .success) {
                try WorkerQueuePool.shared.async(qos: .default) {}
                waitForOtherThreadsToSleep()
                let status = statusOfChild {
                    let ran = DispatchSemaphore(value: 0)
                    do { try WorkerQueuePool.shared.async(qos: .default) { ran.signal() } } catch { return 1 }
                    ran.wait()
                    return 0
                }
                check(status == 0, "the child ended with \(status)")
            }
        }

        @Test("after a fork the child's old pool refuses at once, does not hang, and a new pool works")
        func fork() async {
            await #expect(processExitsWith: .success) {
                try runFork()
            }
        }

        @Test(
            "a child that was forked while the pool made a tier is refused by pools of each kind"
        )
        func forkDuringTier() async {
            await #expect(processExitsWith: .success) {
                try runForkDuringTier { label, _, _ in try! WorkerQueue(label: label) }
            }
            await #expect(processExitsWith: .success) {
                try runForkDuringTier { label, _, _ in DispatchQueue(label: label) }
            }
        }

        @Test("in a forked child the first thread and a pool's threads make tiers at the same time")
        func tiersInChild() async {
            await #expect(processExitsWith: .success) { try runTiersInChild() }
        }

        @Test("a child that was forked while another thread reads the topology can read it, too")
        func forkDuringTopology() async {
            await #expect(processExitsWith: .success) { try runForkDuringTopology() }
        }

        @Test("a child that cancels its parent's job resumes no task of the parent")
        func cancelInChild() async {
            await #expect(processExitsWith: .success) { try runCancelInChild() }
        }

        @Test("a job that forks during a shutdown ends in the child without the shutdown's end")
        func forkDuringShutdown() async {
            await #expect(processExitsWith: .success) { try runForkDuringShutdown() }
        }

        @Test("in a forked child a shutdown returns at its time limit, of pools of each kind")
        func timeLimit() async {
            await #expect(processExitsWith: .success) {
                try WorkerQueue(label: "q").sync {}
                runOnFirstThread {
                    let (pool, gate) = (try WorkerQueuePool(label: "p", queuesPerTier: .exactly(1)), Gate())
                    try pool.async(qos: .default) { gate.pass() }
                    gate.waitForArrivals()
                    // Here no DispatchQueue runs its jobs.
                    let other = try DispatchQueuePool(label: "other", queuesPerTier: .exactly(1))
                    try other.async(qos: .default) {}
                    let executor = try WorkerQueuePool(label: "e", queuesPerTier: .exactly(1))
                        .taskExecutor(for: .default)
                    let (results, ended) = (Recorder<Bool>(), DispatchSemaphore(value: 0))
                    Task(executorPreference: executor) {
                        results.append(await pool.hasShutDown(timeLimit: .milliseconds(10)))
                        results.append(await other.hasShutDown(timeLimit: .milliseconds(10)))
                        gate.open()
                        results.append(await pool.hasShutDown(timeLimit: .seconds(60)))
                        ended.signal()
                    }
                    check(ended.wait(timeout: .now() + 30) == .success, "\(results.elements)")
                    check(results.elements == [false, false, true], "\(results.elements)")
                }
            }
        }

        @Test("in a forked child a release of the parent's pool runs in the call, of pools of each kind")
        func release() async {
            await #expect(processExitsWith: .success) {
                for kind in PoolKind.allCases {
                    let (pool, ran) = (try kind.pool("p", .exactly(1)), Counter())
                    try pool.async(qos: .background) {}
                    waitForOtherThreadsToSleep()
                    let status = statusOfChild {
                        pool.enqueueRelease { ran.increment() }
                        return ran.value == 1 ? 0 : 1
                    }
                    check(status == 0, "the child ended with \(status)")
                }
            }
        }

        @Test("putting a job that cannot be refused on a forked queue traps instead of hanging")
        func forkEnqueue() async {
            await #expect(processExitsWith: .success) {
                try runForkEnqueue()
            }
        }
    }

    private func runFork() throws {
        let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(2))
        let gate = Gate()
        let pending = try pool.async(qos: .default) { gate.pass() }
        try pool.async(qos: .default) {}
        gate.waitForArrivals()
        // In the best of some forks within 100 ms, as the machine may be busy with other tests.
        let isQuickEnough = 0, isSlow: Int32 = 7
        for attempt in 0..<10 {
            waitForOtherThreadsToSleep()
            let status = statusOfChild { useInChild(pool, pending, isSlow: isSlow) }
            if status == isQuickEnough { break }
            check(status == isSlow << 8 && attempt < 9, "the child ended with \(status)")
        }
        gate.open()
        pool.shutdownBlocking()
        check(pool.statistics[.default].finished == 2)
    }

    /// What a forked child does with its parent's pool, and with one of its own. Returns its exit status.
    private func useInChild(_ pool: WorkerQueuePool, _ pending: PoolJob, isSlow: Int32) -> Int32 {
        let began = DispatchTime.now().uptimeNanoseconds
        for tier in QoSTier.allCases {
            do {
                try pool.async(qos: tier) {}
                return 2
            } catch {
                if error.code != .forked { return 3 }
                guard "\(error)".hasPrefix("the pool \"\(pool.label)\" belongs to the process") else {
                    return 9
                }
            }
        }
        let queue = pool.queue(for: .default)
        do {
            try queue.sync {}
            return 4
        } catch {
            guard "\(error)".hasPrefix("the queue \"\(queue.label)\" belongs to the process") else {
                return 8
            }
        }
        _ = pending.cancel()
        pool.shutdownBlocking()
        let isQuick = DispatchTime.now().uptimeNanoseconds - began < 100_000_000
        let ran = Counter()
        do {
            let new = try WorkerQueuePool(label: "new", queuesPerTier: .exactly(2))
            for tier in QoSTier.allCases { try new.async(qos: tier) { ran.increment() } }
            new.shutdownBlocking()
        } catch { return 5 }
        if ran.value != 5 { return 6 }
        return isQuick ? 0 : isSlow
    }

    private func runForkDuringTier<Queue>(_ makeQueue: @escaping QueuePool<Queue>.QueueMaker) throws {
        let gate = Gate()
        let configuration = QueuePoolConfiguration(label: "p", queuesPerTier: .exactly(1))
        let pool = try QueuePool<Queue>(configuration) { label, tier, node in
            if tier == .utility { gate.pass() }
            return makeQueue(label, tier, node)
        }
        try pool.async(qos: .default) {}
        let ended = DispatchSemaphore(value: 0)
        Thread {
            _ = pool.queue(for: .utility)
            ended.signal()
        }.start()
        gate.waitForArrivals()
        waitForOtherThreadsToSleep()
        let status = statusOfChild {
            for tier in [QoSTier.default, .userInitiated] {
                do throws(PoolError) {
                    try pool.async(qos: tier) {}
                    return 2
                } catch { if error.code != .forked { return 3 } }
            }
            pool.shutdownBlocking()
            return 0
        }
        check(status == 0, "the child ended with \(status)")
        gate.open()
        ended.wait()
        pool.shutdownBlocking()
    }

    private func expectSuccess(of child: pid_t) {
        var status: Int32 = 0
        waitpid(child, &status, 0)
        check(status == 0, "the child ended with \(status)")
    }

    private func runTiersInChild() throws {
        // So that this thread knows its number before the fork.
        Lock(()).withLock { _ in }
        for _ in 0..<5 {
            let child = forkProcess()
            if child != 0 {
                expectSuccess(of: child)
                continue
            }
            dieRatherThanHang()
            for _ in 0..<200 {
                guard let pool = try? WorkerQueuePool(label: "p", queuesPerTier: .exactly(1)) else {
                    _exit(1)
                }
                let gate = Gate()
                guard (try? pool.async(qos: .default, { gate.pass() })) != nil else { _exit(2) }
                let ended = DispatchSemaphore(value: 0)
                guard
                    (try? pool.async(qos: .default) {
                        for tier in QoSTier.allCases { _ = pool.queue(for: tier) }
                        ended.signal()
                    }) != nil
                else { _exit(3) }
                gate.waitForArrivals()
                gate.open()
                for tier in QoSTier.allCases.reversed() { _ = pool.queue(for: tier) }
                ended.wait()
            }
            _exit(0)
        }
    }

    private func runForkDuringTopology() throws {
        final class Flag: Sendable { let isOver = Atomic<Bool>(false) }
        let flag = Flag()
        let ended = DispatchSemaphore(value: 0)
        // A fork while the other thread makes Swift's runtime look up a type for the first time leaves the
        // child a lock that it never gets.
        check(CPUTopology.current().activeProcessorCount > 0)
        Thread {
            while !flag.isOver.load(ordering: .relaxed) { _ = CPUTopology.current() }
            ended.signal()
        }.start()
        for _ in 0..<200 {
            let child = forkProcess()
            if child == 0 {
                dieRatherThanHang()
                _exit(CPUTopology.current().activeProcessorCount > 0 ? 0 : 1)
            }
            expectSuccess(of: child)
        }
        flag.isOver.store(true, ordering: .relaxed)
        ended.wait()
    }

    private func runCancelInChild() throws {
        let pool = try WorkerQueuePool(
            QueuePoolConfiguration(label: "p", queuesPerTier: .exactly(1), capacity: [.default: 1]))
        let gate = Gate()
        try pool.async(qos: .default) { gate.pass() }
        gate.waitForArrivals()
        let waiting = try pool.async(qos: .default) {}
        let ended = DispatchSemaphore(value: 0)
        Task(executorPreference: pool.taskExecutor(for: .background)) {
            try await pool.run(qos: .default) {}
            ended.signal()
        }
        while pool.statistics[.default].suspended != 1 { sched_yield() }
        waitForOtherThreadsToSleep()
        let status = statusOfChild { waiting.cancel() ? 0 : 1 }
        check(status == 0, "the child ended with \(status)")
        gate.open()
        ended.wait()
        pool.shutdownBlocking()
    }

    private func runForkDuringShutdown() throws {
        // The other thread takes the end of the intake.
        let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(2))
        let other = try WorkerQueuePool(label: "other", queuesPerTier: .exactly(1))
        let (gate, ended, child) = (Gate(), DispatchSemaphore(value: 0), Recorder<pid_t>())
        try pool.async(qos: .default) {
            gate.pass()
            waitForOtherThreadsToSleep()
            let process = forkProcess()
            if process != 0 { return child.append(process) }
            // The child must not resume the parent's task, whose executor traps.
            dieRatherThanHang()
            exitWithThread()
        }
        gate.waitForArrivals()
        Task(executorPreference: other.taskExecutor(for: .default)) {
            try await pool.shutdown()
            ended.signal()
        }
        while !pool.isShutDown { sched_yield() }
        gate.open()
        ended.wait()
        var status: Int32 = -1
        waitpid(child.elements[0], &status, 0)
        check(status == 0, "the child ended with \(status)")
    }

    private func runForkEnqueue() throws {
        let queue = try WorkerQueue(label: "q")
        try queue.sync {}
        waitForOtherThreadsToSleep()
        let status = statusOfChild {
            signal(SIGILL) { _ in _exit(42) }
            signal(SIGTRAP) { _ in _exit(42) }
            queue.enqueue {}
            return 1
        }
        check(status == 42 << 8, "the child ended with \(status)")
    }
#endif
