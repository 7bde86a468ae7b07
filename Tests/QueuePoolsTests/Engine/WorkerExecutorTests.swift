#if os(Linux)
    import Dispatch
    import TestSupport
    import Testing

    @testable import QueuePools

    @Suite("Worker queues as executors", .timeLimit(.minutes(15)))
    struct WorkerExecutorTests {
        actor Counter {
            let queue: WorkerQueue
            private(set) var value = 0

            init(queue: WorkerQueue) { self.queue = queue }

            nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

            func increment() -> Bool {
                value += 1
                return queue.isCurrent
            }
            nonisolated func incrementAssumingIsolation() { assumeIsolated { $0.value += 1 } }
        }

        @Test("an actor runs on its queue, and the queue's jobs count as isolated to it")
        func actorOnQueue() async throws {
            let counter = Counter(queue: try WorkerQueue(label: "actor"))
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<500 { group.addTask { #expect(await counter.increment()) } }
                for _ in 0..<500 {
                    group.addTask {
                        await withCheckedContinuation { done in
                            counter.queue.enqueue {
                                counter.incrementAssumingIsolation()
                                done.resume()
                            }
                        }
                    }
                }
            }
            #expect(await counter.value == 1_000)
        }

        @Test("assuming an actor's isolation elsewhere traps")
        func elsewhere() async throws {
            let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let counter = Counter(queue: try WorkerQueue(label: "actor"))
                counter.incrementAssumingIsolation()
            }
            #expect(result.message.contains("Incorrect actor executor assumption"))
        }

        @Test("a task that prefers the queue runs there, before and after it was suspended")
        func task() async throws {
            let queue = try WorkerQueue(label: "task")
            let places = await Task(executorPreference: queue) {
                let before = queue.isCurrent
                await Task.yield()
                return [before, queue.isCurrent]
            }.value
            #expect(places == [true, true])
        }

        @Test("a task whose last step drops the last reference to the queue ends well")
        func lastReference() async throws {
            for _ in 0..<100 {
                let task = Task(executorPreference: try WorkerQueue(label: "short")) { await Task.yield() }
                await task.value
            }
        }
    }
#endif
