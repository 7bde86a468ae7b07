#if os(Linux)
    import Foundation
    import Testing
    import TestSupport
    import QueuePoolsTopology

    @testable import QueuePools

    @Suite("The memory of queues", .timeLimit(.minutes(15)))
    struct MemoryTests {
        @Test("after five million jobs that waited, a queue has returned their memory")
        func burst() async {
            await #expect(processExitsWith: .success) {
                let queue = try WorkerQueue(withThread: "burst")
                try checkBurst { queue.enqueue($0) }
            }
        }

        @Test("after five million unordered jobs that waited, a lane has returned their memory")
        func laneBurst() async {
            await #expect(processExitsWith: .success) {
                let pool = try WorkerQueuePool(label: "burst", queuesPerTier: .exactly(1))
                try checkBurst { _ = try pool.async(qos: .default, $0) }
            }
        }

        @Test("jobs that are cancelled while the queue is busy cost no memory")
        func cancelled() async {
            await #expect(processExitsWith: .success) {
                let queue = try WorkerQueue(withThread: "cancelled")
                try checkCancelling { try queue.async($0) }
            }
        }

        @Test(
            "unordered jobs that are cancelled while the threads are busy cost no memory"
        )
        func cancelledInLane() async {
            await #expect(processExitsWith: .success) {
                let pool = try WorkerQueuePool(label: "cancelled", queuesPerTier: .exactly(1))
                try checkCancelling { try pool.async(qos: .default, $0) }
            }
        }

        @Test("after two million jobs that waited, a made queue has returned their memory")
        func madeBurst() async {
            await #expect(processExitsWith: .success) {
                let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(1))
                let queue = try pool.makeQueue(label: "burst", qos: .utility)
                try checkBurst(2_000_000) { queue.enqueue($0) }
            }
        }

        @Test("jobs of a made queue that are cancelled while it is busy cost no memory")
        func madeCancelled() async {
            await #expect(processExitsWith: .success) {
                let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(1))
                let queue = try pool.makeQueue(label: "cancelled", qos: .utility)
                try checkCancelling { try queue.async($0) }
            }
        }

        @Test("ten thousand idle made queues take 512 bytes each at most, also when they have run jobs")
        func idleQueues() async {
            await #expect(processExitsWith: .success) {
                try checkIdleQueues(
                    of: WorkerQueuePool(label: "p", queuesPerTier: .exactly(1)), bytes: 512, jobs: 100)
            }
        }

        @Test("the record of an idle made queue's job takes 64 bytes at most")
        func observedQueues() async {
            await #expect(processExitsWith: .success) {
                let pool = try WorkerQueuePool(
                    label: "p", queuesPerTier: .exactly(1),
                    workers: WorkerOptions(observation: JobObservation()))
                try checkIdleQueues(of: pool, bytes: 512 + 64, jobs: 1)
            }
        }

        @Test("threads that submit delayed jobs and cancel them, without a pause, take little memory")
        func delayedStorm() async {
            await #expect(processExitsWith: .success) {
                let pool = try WorkerQueuePool(label: "storm", queuesPerTier: .exactly(1))
                let before = try residentBytes()
                let ended = DispatchGroup()
                for _ in 0..<8 {
                    ended.enter()
                    Thread.detachNewThread {
                        for _ in 0..<200_000 {
                            do {
                                try pool.async(qos: .default, after: .seconds(3600)) {}.cancel()
                            } catch {
                                preconditionFailure("\(error)")
                            }
                        }
                        ended.leave()
                    }
                }
                ended.wait()
                let taken = try residentBytes() - before
                precondition(taken < 64 << 20, "took \(taken) bytes")
            }
        }

        @Test("a queue with memory of a node takes it in large mappings")
        func mappings() async {
            await #expect(processExitsWith: .success) {
                let mailbox = Mailbox(on: 0)
                let before = try mappingCount()
                for _ in 0..<200_000 {
                    _ = mailbox.send(.skipped, (0, 0))
                }
                let added = try mappingCount() - before
                precondition(added < 20, "\(added) mappings")
                mailbox.claimedReceiver.destroy()
            }
        }
    }

    private func checkIdleQueues(of pool: WorkerQueuePool, bytes limit: Int, jobs: Int) throws {
        try pool.makeQueue(label: "first", qos: .utility).async {}
        let count = 10_000
        var queues: [WorkerQueue] = []
        queues.reserveCapacity(count)
        let before = try residentBytes()
        for index in 0..<count {
            queues.append(try pool.makeQueue(label: "connection \(index)", qos: .utility))
        }
        func check(_ state: String) throws {
            let taken = try residentBytes() - before
            precondition(taken <= limit * count, "\(state): \(taken / count) bytes each")
            print("\(state): \(taken / count) bytes each")
        }
        try check("unused")
        for queue in queues {
            for _ in 0..<jobs { try queue.async {} }
            try queue.async(label: "labelled") {}
            try queue.sync {}
        }
        try check("used")
    }

    private func checkBurst(
        _ count: Int = 5_000_000, _ submit: (@escaping @Sendable () -> Void) throws -> Void
    ) throws {
        let gate = Gate()
        let ended = DispatchSemaphore(value: 0)
        try submit { gate.pass() }
        gate.waitForArrivals()
        let before = try residentBytes()
        for _ in 0..<count { try submit {} }
        try submit { ended.signal() }
        gate.open()
        ended.wait()
        let kept = try residentBytes() - before
        precondition(kept < 8 << 20, "kept \(kept) bytes")
    }

    private func checkCancelling(
        _ submit: (@escaping @Sendable () -> Void) throws -> PoolJob
    ) throws {
        let gate = Gate()
        let ran = Counter()
        let ended = DispatchSemaphore(value: 0)
        _ = try submit { gate.pass() }
        gate.waitForArrivals()
        let before = try residentBytes()
        for number in 0..<3_000_000 {
            let job = try submit { ran.increment() }
            if number % 50_000 > 0 { precondition(job.cancel()) }
        }
        _ = try submit { ended.signal() }
        let kept = try residentBytes() - before
        precondition(kept < 2 << 20, "kept \(kept) bytes")
        gate.open()
        ended.wait()
        precondition(ran.value == 60)
    }

    private func residentBytes() throws -> Int {
        let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .ascii).split(separator: " ")
        return Int(fields[1]).unsafelyUnwrapped * sysconf(Int32(_SC_PAGESIZE))
    }

    private func mappingCount() throws -> Int {
        try String(contentsOfFile: "/proc/self/maps", encoding: .utf8).count { $0 == "\n" }
    }
#endif
