#if os(Linux)
    import Dispatch
    import Foundation
    import TestSupport
    import Testing

    @testable import QueuePools

    /// How many jobs may wait while threads of the tier run none.
    @Suite("Capacity beside free threads", .timeLimit(.minutes(15)))
    struct FreeThreadTests {
        private func pool(_ capacity: Int, threads: Int, queues: Int = 2) throws -> WorkerQueuePool {
            try WorkerQueuePool(
                label: "p", queuesPerTier: .exactly(queues), capacity: [.utility: capacity],
                workers: WorkerOptions(threadsPerTier: .exactly(threads)))
        }

        private func isBusy(_ pool: WorkerQueuePool) -> Bool {
            let statistics = pool.statistics[.utility]
            return statistics.delayed + statistics.waiting + statistics.running > 0
        }

        @Test("two calls at a time, each when the ones before have ended, are never refused by two threads")
        func pairs() async throws {
            for _ in 0..<20 {
                let pool = try pool(1, threads: 2)
                for _ in 0..<300 {
                    async let first = pool.run(qos: .utility, whenFull: .throw) { 1 }
                    async let second = pool.run(qos: .utility, whenFull: .throw) { 1 }
                    let sum = try await first + second
                    #expect(sum == 2)
                }
                #expect(pool.statistics[.utility].refused == 0)
                try await pool.shutdown()
            }
        }

        @Test("as many jobs wait as the capacity says while all threads run one", arguments: [1, 2, 7, 100])
        func busy(threads: Int) async throws {
            let pool = try pool(3, threads: threads)
            for round in 1...3 {
                let gate = Gate()
                // Not one after the other: each is accepted because a thread is free for it.
                for _ in 0..<threads { try pool.async(qos: .utility) { gate.pass() } }
                await gate.waitForArrivals(threads)
                for _ in 0..<3 { try pool.async(qos: .utility) {} }
                for _ in 0..<3 { #expect(isFull { try pool.async(qos: .utility) {} }) }
                #expect(isFull { try pool.async(qos: .utility, key: 1) {} })
                #expect(isFull { try pool.start(qos: .utility, whenFull: .throw) {} })
                gate.open()
                await waitWhile(pool.statistics[.utility].finished != round * (threads + 3))
            }
            try await pool.shutdown()
        }

        @Test("a call that waited behind one that is cancelled gets the thread that is free")
        func behindCancelled() async throws {
            let pool = try pool(1, threads: 2)
            let gate = Gate()
            try pool.async(qos: .utility, key: 1) { gate.pass() }
            await gate.waitForArrivals()
            try pool.async(qos: .utility, key: 1) {}
            let first = try pool.start(qos: .utility, key: 1) {}
            let second = try pool.start(qos: .utility) { 2 }
            #expect(pool.statistics[.utility].waitingForRoom == 2)
            first.cancel()
            // The gate is closed still.
            #expect(try await second.value == 2)
            gate.open()
            try await pool.shutdown()
        }

        @Test("threads that run jobs and steps without a place are not free")
        func uncounted() async throws {
            let pool = try pool(1, threads: 2)
            let gate = Gate()
            for _ in 0..<2 { pool.queue(for: .utility).enqueue { gate.pass() } }
            await gate.waitForArrivals(2)
            try pool.async(qos: .utility) {}
            #expect(isFull { try pool.async(qos: .utility) {} })
            gate.open()
            try await pool.shutdown()
        }

        @Test("beyond the capacity a key's job is accepted only if its queue has no job")
        func keyed() async throws {
            let pool = try pool(1, threads: 3, queues: 1)
            let gate = Gate()
            try pool.async(qos: .utility, key: 1) { gate.pass() }
            await gate.waitForArrivals()
            try pool.async(qos: .utility, key: 1) {}
            // Two threads are free, but not for this queue.
            #expect(isFull { try pool.async(qos: .utility, key: 1) {} })
            #expect(isFull { try pool.queue(for: .utility).async {} })
            let other = Gate()
            for _ in 0..<2 { try pool.async(qos: .utility) { other.pass() } }
            await other.waitForArrivals(2)
            #expect(isFull { try pool.async(qos: .utility) {} })
            gate.open()
            other.open()
            try await pool.shutdown()
        }

        @Test(
            "jobs of queues that the program makes are counted as others are, also on threads that wait",
            arguments: [1, 2])
        func madeQueues(threads: Int) async throws {
            let pool = try pool(1, threads: threads, queues: 1)
            let queues = try (0..<3).map { try pool.makeQueue(label: "\($0)", qos: .utility) }
            @Sendable func use(_ queue: WorkerQueue) {
                _ = try? queue.async {}
                queue.enqueue {}
                _ = try? queue.async(after: .zero) {}
                _ = try? queue.async(after: .microseconds(1)) {}
                _ = try? queue.async {}.cancel()
            }
            for round in 0..<40 {
                if round % 2 == 0 {
                    for queue in queues { use(queue) }
                } else {
                    // Waits in a thread of the tier for a queue, and runs that meanwhile.
                    try await pool.run(qos: .utility) {
                        use(queues[0])
                        try queues[0].sync {}
                    }
                    try queues[1].sync {}
                }
                await waitWhile(isBusy(pool))
                await waitWhile(!queues.allSatisfy(\.isIdle))
                let gate = Gate()
                // Accepted because the tier has a place, or because a thread is free.
                for queue in queues.prefix(threads) { try queue.async { gate.pass() } }
                await gate.waitForArrivals(threads)
                try queues[2].async {}
                for queue in queues { #expect(isFull { try queue.async {} }) }
                #expect(isFull { try pool.async(qos: .utility) {} })
                gate.open()
                await waitWhile(isBusy(pool))
            }
            try await pool.shutdown()
        }

        @Test("beyond the capacity a made queue's job is accepted only if the queue has no job")
        func madeQueueWithJobs() async throws {
            let pool = try pool(1, threads: 3, queues: 1)
            let queues = try (0..<2).map { try pool.makeQueue(label: "\($0)", qos: .utility) }
            let gate = Gate()
            try queues[0].async { gate.pass() }
            await gate.waitForArrivals()
            try queues[0].async {}
            // Two threads are free, but not for this queue.
            #expect(isFull { try queues[0].async {} })
            #expect(isFull { try queues[0].start(whenFull: .throw) {} })
            try queues[1].async { gate.pass() }
            await gate.waitForArrivals()
            #expect(isFull { try queues[1].async {} })
            gate.open()
            try await pool.shutdown()
        }

        @Test(
            "a call that waits continues when a thread becomes free, though all that wait are behind a running job",
            arguments: [false, true])
        func behindQueue(isCancelled: Bool) async throws {
            let pool = try pool(1, threads: 2)
            let (first, second) = (Gate(), Gate())
            try pool.async(qos: .utility, key: 1) { first.pass() }
            await first.waitForArrivals()
            try pool.async(qos: .utility) { second.pass() }
            await second.waitForArrivals()
            try pool.async(qos: .utility, key: 1) {}
            let call = try pool.start(qos: .utility) { 1 }
            #expect(pool.statistics[.utility].waitingForRoom == 1)
            if isCancelled { call.cancel() }
            second.open()
            if isCancelled {
                await #expect(throws: PoolError.self) { try await call.value }
                await waitWhile(pool.statistics[.utility].running > 1)
                // The cancelled call keeps no other from the room.
                try await pool.run(qos: .utility, whenFull: .throw) {}
            } else {
                #expect(try await call.value == 1)
            }
            first.open()
            try await pool.shutdown()
        }

        @Test(
            "a call that waits continues when a call of sync frees its queue, though another queue is busy",
            arguments: [false, true])
        func queueFreedBySync(isMade: Bool) async throws {
            let pool = try pool(1, threads: 2)
            let queues = try (0..<2).map {
                isMade ? try pool.makeQueue(label: "\($0)", qos: .utility) : pool.queue(for: .utility)
            }
            let gates = [Gate(), Gate()]
            let holders = (0..<2).map { index in
                let holder = Thread { [queue = queues[index], gate = gates[index]] in
                    try? queue.sync { gate.pass() }
                }
                holder.start()
                return holder
            }
            for gate in gates { await gate.waitForArrivals() }
            // Positions that are no jobs, which the queue passes when it becomes idle.
            try queues[1].async {}.cancel()
            // Takes the place, and no thread.
            try queues[0].async {}
            let job = try queues[1].start {}
            #expect(pool.statistics[.utility].waitingForRoom == 1)
            gates[1].open()
            try await job.value
            #expect(holders.count == 2)
            gates[0].open()
            try await pool.shutdown()
        }

        @Test("a call that finds its queue busy while that becomes idle does not wait for good")
        func queueFreedMeanwhile() {
            let capacity = JobCapacity(1)
            capacity.addThreads(1)
            #expect(capacity.take())
            capacity.beginWithoutPlace()
            let (asked, resumed) = (Counter(), Counter())
            let entry = capacity.enter(waitingAtMost: nil) { step in
                guard case .asks = step else { return resumed.increment() > 0 }
                guard asked.increment() == 1 else { return true }
                capacity.end()
                return false
            }
            guard case .room = entry else {
                Issue.record("the answer is \(entry)")
                return
            }
        }

        @Test("a job that another one runs within itself, as it ends, leaves the room as it was")
        func withinEnd() async throws {
            let pool = try pool(4, threads: 1, queues: 1)
            for queue in [pool.queue(for: .utility), try pool.makeQueue(label: "q", qos: .utility)] {
                for _ in 0..<5 {
                    let (gate, ended) = (Gate(), DispatchSemaphore(value: 0))
                    try pool.start(
                        qos: .utility,
                        onEnd: { _ in
                            try? queue.sync {}
                            ended.signal()
                        }, { gate.pass() })
                    await gate.waitForArrivals()
                    // Run by the thread that waits, in the call of `sync`.
                    let inner = try queue.start {}
                    gate.open()
                    try await inner.value
                    await waitWhile(ended.wait(timeout: .now()) != .success)
                }
            }
            let gate = Gate()
            try pool.async(qos: .utility) { gate.pass() }
            await gate.waitForArrivals()
            for _ in 0..<4 { try pool.async(qos: .utility) {} }
            #expect(isFull { try pool.async(qos: .utility) {} })
            gate.open()
            try await pool.shutdown()
        }

        @Test("calls that wait continue when a thread becomes free, each once")
        func suspended() async throws {
            let pool = try pool(1, threads: 2)
            let gate = Gate()
            for _ in 0..<2 { try pool.async(qos: .utility) { gate.pass() } }
            await gate.waitForArrivals(2)
            try pool.async(qos: .utility) {}
            let order = Recorder<Int>()
            var tasks: [PoolTask<Void>] = []
            for number in 0..<50 { tasks.append(try pool.start(qos: .utility) { order.append(number) }) }
            #expect(pool.statistics[.utility].waitingForRoom == 50)
            gate.open()
            for task in tasks { try await task.value }
            #expect(order.elements.sorted() == Array(0..<50))
            try await pool.shutdown()
        }

        @Test("jobs whose time has not come take no place, and are punctual though the tier is full")
        func delayed() async throws {
            let pool = try pool(2, threads: 1, queues: 1)
            let far =
                try [pool.async(qos: .utility, after: .seconds(3_600)) {}]
                + (0..<4).map { _ in try pool.queue(for: .utility).async(after: .seconds(3_600)) {} }
            #expect(pool.statistics[.utility].delayed == 5)
            let gate = Gate()
            try pool.async(qos: .utility) { gate.pass() }
            await gate.waitForArrivals()
            for _ in 0..<2 { try pool.async(qos: .utility) {} }
            #expect(isFull { try pool.async(qos: .utility) {} })
            let order = Recorder<Int>()
            try pool.async(qos: .utility, after: .milliseconds(1)) { order.append(1) }
            try pool.queue(for: .utility).async(after: .milliseconds(1)) { order.append(2) }
            // Cancelled before its time it returns no place that it has not taken.
            for job in far { #expect(job.cancel()) }
            #expect(isFull { try pool.async(qos: .utility) {} })
            gate.open()
            await waitWhile(order.elements.count < 2)
            await waitWhile(isBusy(pool))
            // All places are there again, and no more.
            let again = Gate()
            try pool.async(qos: .utility) { again.pass() }
            await again.waitForArrivals()
            for _ in 0..<2 { try pool.async(qos: .utility) {} }
            #expect(isFull { try pool.async(qos: .utility) {} })
            again.open()
            try await pool.shutdown()
        }

        @Test("a delayed job that is due holds a place, which cancelling it returns")
        func dueJob() async throws {
            let pool = try pool(1, threads: 1, queues: 1)
            let gate = Gate()
            try pool.async(qos: .utility) { gate.pass() }
            await gate.waitForArrivals()
            let queue = pool.queue(for: .utility)
            let job = try queue.async(after: .nanoseconds(1)) {}
            await waitWhile(!isFull({ try queue.async {}.cancel() }))
            #expect(job.cancel())
            try queue.async {}
            #expect(isFull { try queue.async {} })
            gate.open()
            try await pool.shutdown()
        }

        @Test("delayed jobs that are cancelled as they become due leave all places", arguments: 0..<4)
        func cancelledWhenDue(seed: UInt64) async throws {
            let pool = try pool(4, threads: 2)
            var random = SeededGenerator(seed: seed)
            for _ in 0..<500 {
                let delay = Duration.microseconds(Int.random(in: 1...200, using: &random))
                let job =
                    try Bool.random(using: &random)
                    ? pool.async(qos: .utility, after: delay) {}
                    : pool.queue(for: .utility).async(after: delay) {}
                let wait = Int.random(in: 0...60, using: &random)
                for _ in 0..<wait { await Task.yield() }
                job.cancel()
            }
            await waitWhile(isBusy(pool))
            let gate = Gate()
            for _ in 0..<2 { try pool.async(qos: .utility) { gate.pass() } }
            await gate.waitForArrivals(2)
            for _ in 0..<4 { try pool.async(qos: .utility) {} }
            #expect(isFull { try pool.async(qos: .utility) {} })
            gate.open()
            try await pool.shutdown()
        }
    }
#endif
