import QueuePoolsLocks

#if os(Linux)
    import Dispatch
    import Foundation
    import QueuePools
    import Synchronization
    import TestSupport
    import Testing

    /// Each test runs in a process of its own, whose threads are all it counts.
    @Suite("Threads of a Dispatch pool on Linux", .timeLimit(.minutes(15)))
    struct DispatchThreadTests {
        @Test("1,000 blocking jobs in a tier of four use four threads, and another tier starts at once")
        func blockingJobs() async {
            await #expect(processExitsWith: .success) {
                try runBlockingJobs()
            }
        }

        @Test("a tier keeps running when the program blocks every thread of the global queues")
        func blockedHost() async {
            await #expect(processExitsWith: .success) {
                try runWithBlockedHost()
            }
        }

        @Test(
            "with every thread of the global queues blocked, a shutdown cancels delayed jobs and ends"
        )
        func shutdownWithBlockedHost() async {
            await #expect(processExitsWith: .success) {
                try shutDownWithBlockedHost()
            }
        }

        @Test("never more jobs of a tier run at once than it has queues", arguments: [1, 2, 5])
        func boundedParallelism(count: Int) throws {
            let pool = try DispatchQueuePool(label: "p", queuesPerTier: .exactly(count))
            let running = Counter()
            let peak = Lock(0)
            for _ in 0..<2_000 {
                try pool.async(qos: .userInitiated) {
                    let now = running.increment()
                    peak.withLock { $0 = max($0, now) }
                    running.decrement()
                }
            }
            pool.shutdownBlocking()
            #expect((1...count).contains(peak.withLock { $0 }))
        }
    }

    private func runBlockingJobs() throws {
        // A first job, ended, so that what Dispatch itself needs is there before the count.
        let warmUp = try DispatchQueuePool(label: "warm", queuesPerTier: .exactly(1))
        try warmUp.async(qos: .background) {}
        warmUp.shutdownBlocking()
        let before = try #require(processThreadCount())

        let pool = try DispatchQueuePool(label: "p", queuesPerTier: .exactly(4))
        let gate = Gate()
        for _ in 0..<1_000 { try pool.async(qos: .userInitiated) { gate.pass() } }
        gate.waitForArrivals(4)
        let blocked = try #require(processThreadCount())
        precondition(blocked - before <= 4, "\(blocked - before) threads for four queues")

        let other = DispatchSemaphore(value: 0)
        try pool.async(qos: .utility) { other.signal() }
        precondition(other.wait(timeout: .now() + 600) == .success, "it waits behind blocked jobs")

        gate.open()
        pool.shutdownBlocking()
        precondition(pool.statistics[.userInitiated].finished == 1_000)
    }

    private func blockGlobalQueues() {
        let gate = Gate()
        for tier in QoSTier.allCases {
            for _ in 0..<300 { DispatchQueue.global(qos: tier.dispatchQoS.qosClass).async { gate.pass() } }
        }
        gate.waitForArrivals(ProcessInfo.processInfo.activeProcessorCount)
    }

    private func shutDownWithBlockedHost() throws {
        blockGlobalQueues()
        let pool = try WorkerQueuePool(label: "p")
        let late = try pool.async(qos: .utility, after: .seconds(3_600)) {}
        pool.shutdownBlocking()
        precondition(!late.cancel())
        exit(EXIT_SUCCESS)
    }

    private func runWithBlockedHost() throws {
        blockGlobalQueues()
        let pool = try DispatchQueuePool(label: "p", queuesPerTier: .exactly(4))
        for tier in QoSTier.allCases {
            let ran = DispatchSemaphore(value: 0)
            for _ in 0..<8 { try pool.async(qos: tier) { ran.signal() } }
            for _ in 0..<8 {
                precondition(
                    ran.wait(timeout: .now() + 600) == .success, "\(tier) stands still behind the host")
            }
        }
        exit(EXIT_SUCCESS)  // the host's jobs still wait at the gate
    }
#endif
