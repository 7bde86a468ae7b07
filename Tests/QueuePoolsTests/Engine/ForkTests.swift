#if os(Linux)
    import Dispatch
    import Foundation
    import Glibc
    import QueuePoolsLocks
    import TestSupport
    import Testing

    @testable import QueuePools

    /// Pools in the child of a fork. Each test runs in a process of its own.
    @Suite("Pools after a fork", .timeLimit(.minutes(15)))
    struct ForkTests {
        @Test("in a forked child pools of each kind refuse jobs, also if the parent is making a tier")
        func refusal() async {
            await #expect(processExitsWith: .success) {
                try runRefusal { label, _, _ in try! WorkerQueue(label: label) }
            }
            await #expect(processExitsWith: .success) {
                try runRefusal { label, _, _ in DispatchQueue(label: label) }
            }
        }

        @Test("a forked child's worker pools and queues, also new ones, refuse jobs of every kind")
        func workers() async {
            await #expect(processExitsWith: .success) { try runWorkers() }
        }

        @Test("in a forked child groups and pipelines refuse jobs, also if a thread holds a group's lock")
        func groups() async {
            await #expect(processExitsWith: .success) { try runGroups() }
        }

        @Test("a job that cannot be refused traps in a forked child")
        func trap() async {
            let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                let queue = try ThreadBoundQueue(label: "q")
                try queue.sync {}
                waitForOtherThreadsToSleep()
                let status = statusOfChild {
                    queue.enqueue {}
                    return 1
                }
                check([SIGILL, SIGTRAP].contains(status & 0x7F), "the child ended with \(status)")
            }
            let message = "the queue \"q\" runs nothing in a process that was forked"
            #expect(result?.message.contains(message) == true)
        }

        @Test("a task's step that its sender's thread would run next traps in a child that the step forks")
        func keptStep() async {
            let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(1))
                let (statuses, ended) = (Recorder<Int32>(), DispatchSemaphore(value: 0))
                let executor = pool.taskExecutor(for: .default)
                try pool.async(qos: .default) {
                    waitForOtherThreadsToSleep()
                    statuses.append(
                        statusOfChild {
                            Task(executorPreference: executor) {}
                            return 1
                        })
                    ended.signal()
                }
                ended.wait()
                let status = statuses.elements[0]
                check([SIGILL, SIGTRAP].contains(status & 0x7F), "the child ended with \(status)")
            }
            let message = "the queue \"p.default\" runs nothing in a process that was forked"
            #expect(result?.message.contains(message) == true)
        }

        @Test("a job can fork, and execute another program in the child")
        func exec() async {
            await #expect(processExitsWith: .success) {
                let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(1))
                let (statuses, ended) = (Recorder<Int32>(), DispatchSemaphore(value: 0))
                try pool.async(qos: .default) {
                    let arguments = [strdup("sh"), strdup("-c"), strdup("exit 7"), nil]
                    let child = forkProcess()
                    if child == 0 {
                        dieRatherThanHang()
                        execv("/bin/sh", arguments)
                        _exit(1)
                    }
                    for argument in arguments { free(argument) }
                    statuses.append(statusOfEnd(ofChild: child))
                    ended.signal()
                }
                ended.wait()
                check(statuses.elements == [7 << 8], "\(statuses.elements)")
            }
        }
    }

    /// Whether a call is refused because the process was forked.
    private func isRefused(_ submission: () throws -> Void) -> Bool {
        do {
            try submission()
            return false
        } catch { return (error as? PoolError)?.code == .forked }
    }

    private func runRefusal<Queue>(_ makeQueue: @escaping QueuePool<Queue>.QueueMaker) throws {
        let gate = Gate()
        let options = QueuePoolOptions(
            label: "p", queuesPerTier: .exactly(1), capacity: [.default: 1])
        let pool = try QueuePool<Queue>(options) { label, tier, node in
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
                guard isRefused({ try pool.async(qos: tier) {} }) else { return 2 }
                guard isRefused({ try pool.async(qos: tier, key: 1) {} }) else { return 3 }
                guard isRefused({ _ = try pool.start(qos: tier) { 1 } }) else { return 4 }
                let calls = Counter()
                pool.forEach(0..<10, qos: tier, chunk: 1) { _ in calls.increment() }
                guard calls.value == 10 else { return 5 }
            }
            let released = Counter()
            pool.enqueueRelease { released.increment() }
            guard released.value == 1 else { return 6 }
            pool.shutdownBlocking()
            return 0
        }
        check(status == 0, "the child ended with \(status)")
        gate.open()
        ended.wait()
        pool.shutdownBlocking()
    }

    private func runGroups() throws {
        let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(1))
        let group = JobGroup(on: pool)
        let pipeline = try JobPipeline(limit: 1, on: pool) { (_: Int) in }.then(on: JobGroup(on: group)) {}
        let (gate, ended) = (Gate(), DispatchSemaphore(value: 0))
        Thread {
            group.state.withLock { _ in gate.pass() }
            ended.signal()
        }.start()
        gate.waitForArrivals()
        waitForOtherThreadsToSleep()
        let status = statusOfChild {
            guard isRefused({ try group.async(qos: .default) {} }) else { return 2 }
            guard isRefused({ try group.async(qos: .default, key: 1, after: .seconds(1)) {} }) else {
                return 3
            }
            guard isRefused({ _ = try group.start { 1 } }) else { return 4 }
            guard isRefused({ try pipeline.start(1) }) else { return 5 }
            return 0
        }
        check(status == 0, "the child ended with \(status)")
        gate.open()
        ended.wait()
        pool.shutdownBlocking()
    }

    private func runWorkers() throws {
        let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(2))
        let queue = try WorkerQueue(label: "q")
        let ran = DispatchSemaphore(value: 0)
        try pool.async(qos: .default) { ran.signal() }
        try queue.async { ran.signal() }
        for _ in 0..<2 { ran.wait() }
        waitForOtherThreadsToSleep()
        let status = statusOfChild {
            guard let newPool = try? WorkerQueuePool(label: "p", queuesPerTier: .exactly(2)),
                let newQueue = try? WorkerQueue(label: "q")
            else { return 2 }
            for pool in [pool, newPool] {
                guard isRefused({ try pool.async(qos: .default) {} }) else { return 3 }
                guard isRefused({ try pool.async(qos: .default, after: .seconds(1)) {} }) else { return 4 }
                guard isRefused({ try pool.queue(for: .default).sync {} }) else { return 5 }
                pool.shutdownBlocking()
            }
            for queue in [queue, newQueue] {
                guard isRefused({ try queue.async {} }) else { return 6 }
                guard isRefused({ try queue.async(after: .zero) {} }) else { return 7 }
                guard isRefused({ try queue.sync {} }) else { return 8 }
            }
            return 0
        }
        check(status == 0, "the child ended with \(status)")
        pool.shutdownBlocking()
    }
#endif
