#if os(Linux)
    import Dispatch
    import Glibc
    import TestSupport
    import Testing

    @testable import QueuePools

    extension MadeQueueTests {
        @Test("sync returns what its closure returns, throws what it throws, behind what waits")
        func sync() throws {
            struct Failure: Error {}
            let order = Recorder<Int>()
            for index in 0..<100 { queue.enqueue { order.append(index) } }
            #expect(try queue.sync { order.elements.count } == 100)
            #expect(throws: Failure.self) { try queue.sync { throw Failure() } }
            var local = 0
            try queue.sync { local = 7 }
            #expect(local == 7)
            #expect(try queue.sync { queue.isCurrent })
            #expect(!queue.isCurrent)
        }

        @Test("sync runs on the calling thread, with its task-local values, idle or not")
        func syncOnCaller() async throws {
            enum Local { @TaskLocal static var value = 0 }
            for isBusy in [false, true] {
                let gate = Gate()
                if isBusy {
                    queue.enqueue { gate.pass() }
                    await gate.waitForArrivals()
                    queue.enqueue { gate.open() }
                    gate.open()
                }
                let seen = try Local.$value.withValue(7) {
                    let caller = pthread_self()
                    return try queue.sync { pthread_equal(caller, pthread_self()) != 0 ? Local.value : -1 }
                }
                #expect(seen == 7)
            }
        }

        @Test("jobs that come while a caller of sync has the queue run when it has returned")
        func duringSync() throws {
            let order = Recorder<Int>()
            try queue.sync {
                for index in 0..<10 { queue.enqueue { order.append(index) } }
                order.append(-1)
            }
            try queue.sync {}
            #expect(order.elements == [-1] + Array(0..<10))
        }

        #if compiler(>=6.3)  // exit tests of Swift 6.2 capture nothing
            @Test("sync on itself traps, across queues of both kinds", arguments: [true, false])
            func syncOnItself(isMade: Bool) async {
                let process = await #expect(
                    processExitsWith: .failure, observing: [\.standardErrorContent]
                ) { [isMade] in
                    let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(1))
                    let queue = try pool.makeQueue(label: "made", qos: .utility)
                    let other = isMade ? try WorkerQueue(label: "other") : pool.queue(for: .utility)
                    try queue.sync { try other.sync { try queue.sync {} } }
                }
                #expect(process?.message.contains("sync on the queue \"made\" was called by one of") == true)
            }

            @Test("queues of both kinds that would wait for each other in a cycle trap", arguments: [2, 3])
            func cycle(count: Int) async {
                let process = await #expect(
                    processExitsWith: .failure, observing: [\.standardErrorContent]
                ) { [count] in
                    let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(3))
                    let made = try (0..<2).map { try pool.makeQueue(label: "made.\($0)", qos: .utility) }
                    let queues = Array((made + [pool.queue(for: .utility)]).suffix(count))
                    let (gate, all) = (Gate(), DispatchSemaphore(value: 0))
                    for index in 0..<count {
                        try queues[index].async {
                            gate.pass()
                            try! queues[(index + 1) % count].sync {}
                        }
                    }
                    await gate.waitForArrivals(count)
                    gate.open()
                    all.wait()
                }
                #expect(process?.message.contains(/sync on the queue .* would never return/) == true)
            }
        #endif

        @Test("the only thread of a tier runs the queues that it waits for, of both kinds, in a chain")
        func helping() throws {
            let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(1))
            let made = try (0..<3).map { try pool.makeQueue(label: "made.\($0)", qos: .utility) }
            let tiers = pool.queue(for: .utility)
            let (order, ended) = (Recorder<String>(), DispatchSemaphore(value: 0))
            try pool.async(qos: .utility) {
                made[0].enqueue {
                    order.append("a")
                    tiers.enqueue {
                        order.append("b")
                        made[1].enqueue { order.append("c") }
                        try! made[1].sync { order.append("d") }
                        try! made[2].sync { order.append("e") }
                    }
                    try! tiers.sync { order.append("f") }
                }
                _ = try! made[0].async(after: .zero) { order.append("due") }
                try! made[0].sync { order.append("g") }
                ended.signal()
            }
            #expect(ended.wait(timeout: .now() + 600) == .success)
            #expect(order.elements == ["due", "a", "b", "c", "d", "e", "f", "g"])
            pool.shutdownBlocking()
        }

        @Test("a call that waits for a queue that becomes ready later is woken, and runs it")
        func helpingLater() throws {
            let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(1))
            let queue = try pool.makeQueue(label: "made", qos: .utility)
            let (held, ended) = (Gate(), DispatchSemaphore(value: 0))
            DispatchQueue.global().async {
                try! queue.sync {
                    queue.enqueue {}
                    held.pass()
                }
            }
            held.waitForArrivals()
            try pool.async(qos: .utility) {
                try! queue.sync {}
                ended.signal()
            }
            // The tier's thread waits; the holder ends while jobs wait, which the thread alone can run.
            while queue.core.group.waiters.contain(queue.core) == false { sched_yield() }
            held.open()
            #expect(ended.wait(timeout: .now() + 600) == .success)
            pool.shutdownBlocking()
        }

        @Test("activations of queues that others have run do not gather in the tier")
        func staleActivations() throws {
            let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(1))
            let queue = try pool.makeQueue(label: "made", qos: .utility)
            let ended = DispatchSemaphore(value: 0)
            let ran = Counter()
            try pool.async(qos: .utility) {
                for _ in 0..<1_000 {
                    queue.enqueue { ran.increment() }
                    try! queue.sync {}
                }
                ended.signal()
            }
            ended.wait()
            #expect(ran.value == 1_000)
            let lanes = queue.group.lanes
            let positions = lanes.reduce(0) { $0 + $1.takeUnretainedValue().mailbox.takenPositions }
            #expect(positions <= 3)
            pool.shutdownBlocking()
        }

        @Test("a job that a waiting task's thread runs has neither its cancellation nor its values")
        func helpedByTask() async throws {
            enum Local { @TaskLocal static var value = 0 }
            let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(1))
            let queue = try pool.makeQueue(label: "made", qos: .utility)
            let seen = Recorder<Int>()
            await Local.$value.withValue(7) {
                await Task(executorPreference: pool.taskExecutor(for: .utility)) {
                    queue.enqueue { seen.append(Local.value) }
                    try! queue.sync { seen.append(Local.value) }
                }.value
            }
            #expect(seen.elements == [0, 7])
        }

        @Test("syncs and jobs of several threads on queues of both kinds run one at a time, each once")
        func syncStorm() async throws {
            /// Protected by its queue.
            final class Tally: @unchecked Sendable { var value = 0 }
            let queues = try (0..<4).map {
                $0 % 2 == 0
                    ? try pool.makeQueue(label: "made.\($0)", qos: .utility) : pool.queue(for: .utility)
            }
            let tallies = queues.map { _ in Tally() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for thread in 0..<4 {
                    group.addTask {
                        for turn in 0..<5_000 {
                            let index = (thread + turn) % 4
                            switch turn % 3 {
                            case 0: try queues[index].sync { tallies[index].value += 1 }
                            case 1: try queues[index].async { tallies[index].value += 1 }
                            default:
                                try queues[index].async {
                                    tallies[index].value += 1
                                    let next = (index + 1) % 4
                                    if next > index { try! queues[next].sync { tallies[next].value += 1 } }
                                }
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            for queue in queues { try await queue.run {} }
            let nested = (0..<4).flatMap { thread in
                (0..<5_000).filter { $0 % 3 == 2 && (thread + $0) % 4 < 3 }
            }.count
            var sum = 0
            for (queue, tally) in zip(queues, tallies) { sum += try queue.sync { tally.value } }
            #expect(sum == 20_000 + nested)
            try await pool.shutdown()
        }
    }
#endif
