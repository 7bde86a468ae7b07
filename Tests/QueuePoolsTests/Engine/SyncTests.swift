#if os(Linux)
    import Dispatch
    import Glibc
    import TestSupport
    import Testing

    @testable import QueuePools

    @Suite("Waiting for a worker queue by sync", .timeLimit(.minutes(5)))
    struct SyncTests {
        let queue: WorkerQueue

        init() throws {
            queue = try WorkerQueue(label: "worker")
        }

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

        @Test("sync from a job of the same queue traps instead of waiting for itself")
        func syncOnItself() async {
            await #expect(processExitsWith: .failure) {
                let queue = try WorkerQueue(label: "worker")
                try queue.sync { try queue.sync {} }
            }
        }

        @Test("sync within sync on another queue runs on both, and not on a third")
        func syncAcross() throws {
            let other = try WorkerQueue(label: "other")
            let third = try WorkerQueue(label: "third")
            #expect(
                try queue.sync { try other.sync { other.isCurrent && queue.isCurrent && !third.isCurrent } })
            #expect(try queue.sync { !other.isCurrent })
        }

        @Test("sync through another queue on itself traps instead of waiting for itself")
        func syncOnItselfAcross() async {
            await #expect(processExitsWith: .failure) {
                let (queue, other) = (try WorkerQueue(label: "worker"), try WorkerQueue(label: "other"))
                try queue.sync { try other.sync { try queue.sync {} } }
            }
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

        @Test("the main actor stays the main actor within sync")
        @MainActor func syncOnMainActor() throws {
            queue.enqueue {}
            var value = 0
            try queue.sync {
                MainActor.assertIsolated()
                value = 1
            }
            #expect(value == 1)
        }

        @Test(
            "a queue with `runsSyncOnThread` runs sync there, in order, and throws what the closure throws"
        )
        func syncOnThread() async throws {
            struct Refusal: Error {}
            let bound = try WorkerQueue(label: "bound", runsSyncOnThread: true)
            let thread = try bound.runOnThread { pthread_self() }
            let isOnThread: @Sendable () -> Bool = { pthread_equal(thread, pthread_self()) != 0 }
            let gate = Gate()
            bound.enqueue { gate.pass() }
            await gate.waitForArrivals()
            let order = Recorder<Int>()
            bound.enqueue { order.append(0) }
            bound.enqueue { gate.open() }
            gate.open()
            // Of workers as well, which run other queues that they wait for.
            let calls = (1...3).map { index in
                Task.detached {
                    try bound.sync { isOnThread() && bound.isCurrent }
                        && queue.runOnThread {
                            try bound.sync {
                                order.append(index); return isOnThread()
                            }
                        }
                }
            }
            for call in calls { #expect(try await call.value) }
            #expect(order.elements.first == 0)
            #expect(order.elements.count == 4)
            #expect(throws: Refusal.self) { try bound.sync { throw Refusal() } }
            #expect(try bound.sync { isOnThread() })
            await #expect(processExitsWith: .failure) {
                let bound = try WorkerQueue(label: "bound", runsSyncOnThread: true)
                try bound.sync { try bound.sync {} }
            }
        }

        @Test("queues of several threads that would wait for each other in a cycle trap", arguments: [2, 3])
        func cycle(count: Int) async {
            await #expect(processExitsWith: .failure) { [count] in
                let queues = try (0..<count).map { try WorkerQueue(label: "worker.\($0)") }
                let all = DispatchSemaphore(value: 0)
                let gate = Gate()
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
        }

        @Test("syncs and jobs of several threads run one at a time, each once", arguments: [1, 3])
        func syncStorm(queues count: Int) async throws {
            let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(count))
            /// Protected by its queue.
            final class Tally: @unchecked Sendable { var value = 0 }
            let tallies = (0..<count).map { _ in Tally() }
            let queues = (0..<count).map { _ in pool.queue(for: .default) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for thread in 0..<4 {
                    group.addTask {
                        for turn in 0..<5_000 {
                            let index = (thread + turn) % count
                            switch turn % 3 {
                            case 0: try queues[index].sync { tallies[index].value += 1 }
                            case 1: try queues[index].async { tallies[index].value += 1 }
                            default:
                                try queues[index].async {
                                    tallies[index].value += 1
                                    let next = (index + 1) % count
                                    if next > index { try! queues[next].sync { tallies[next].value += 1 } }
                                }
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            // Jobs call `sync` on later queues, which shutting down might close first.
            for queue in queues { try await queue.run {} }
            await pool.shutdown()
            let nested = (0..<4).flatMap { thread in
                (0..<5_000).filter { $0 % 3 == 2 && (thread + $0) % count < count - 1 }
            }.count
            #expect(tallies.map(\.value).reduce(0, +) == 20_000 + nested)
        }

        // MARK: Later
    }
#endif
