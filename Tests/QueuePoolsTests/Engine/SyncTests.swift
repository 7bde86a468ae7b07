#if os(Linux)
    import Dispatch
    import Glibc
    import QueuePoolsLocks
    import TestSupport
    import Testing

    @testable import QueuePools

    @Suite("Waiting for a worker queue by sync", .timeLimit(.minutes(15)))
    struct SyncTests {
        let queue: WorkerQueue

        init() throws {
            queue = try WorkerQueue(withThread: "worker")
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

        private static let itself = """
            sync on the queue "worker" was called by one of its own jobs and would wait for itself
            """

        @Test("sync from a job of the same queue traps instead of waiting for itself")
        func syncOnItself() async {
            let process = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let queue = try WorkerQueue(withThread: "worker")
                try queue.sync { try queue.sync {} }
            }
            #expect(process?.message.contains(Self.itself) == true)
        }

        @Test("sync within sync on another queue runs on both, and not on a third")
        func syncAcross() throws {
            let other = try WorkerQueue(withThread: "other")
            let third = try WorkerQueue(withThread: "third")
            #expect(
                try queue.sync { try other.sync { other.isCurrent && queue.isCurrent && !third.isCurrent } })
            #expect(try queue.sync { !other.isCurrent })
        }

        @Test("sync through another queue on itself traps instead of waiting for itself")
        func syncOnItselfAcross() async {
            let process = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let (queue, other) = (
                    try WorkerQueue(withThread: "worker"), try WorkerQueue(withThread: "other")
                )
                try queue.sync { try other.sync { try queue.sync {} } }
            }
            #expect(process?.message.contains(Self.itself) == true)
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
            "a thread-bound queue runs sync on its thread, in order, and throws what the closure throws"
        )
        func syncOnThread() async throws {
            struct Refusal: Error {}
            let bound = try ThreadBoundQueue(label: "bound")
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
            let process = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let bound = try ThreadBoundQueue(label: "bound")
                try bound.sync { try bound.sync {} }
            }
            #expect(
                process?.message.contains("sync on the queue \"bound\" was called by one of its own") == true)
        }

        private actor Library {
            private let queue: ThreadBoundQueue

            init(_ queue: ThreadBoundQueue) { self.queue = queue }

            nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

            func thread() -> pthread_t { pthread_self() }
        }

        @Test("jobs, calls and steps of a queue that is bound to a thread run there, also after it was idle")
        func boundQueue() async throws {
            let bound = try ThreadBoundQueue(
                label: "bound", threads: ThreadOptions(idleLimit: .zero))
            let library = Library(bound)
            let threads = Recorder<pthread_t>()
            for _ in 0..<20 {
                try threads.append(bound.sync { pthread_self() })
                try await threads.append(bound.run { pthread_self() })
                await threads.append(library.thread())
                await Task(executorPreference: bound) { threads.append(pthread_self()) }.value
                try bound.async { threads.append(pthread_self()) }
                try bound.sync {}
            }
            #expect(threads.elements.count == 100)
            #expect(Set(threads.elements).count == 1)
        }

        #if compiler(>=6.3)  // exit tests of Swift 6.2 capture nothing
            @Test(
                "queues of several threads that would wait for each other in a cycle trap", arguments: [2, 3])
            func cycle(count: Int) async {
                let process = await #expect(
                    processExitsWith: .failure, observing: [\.standardErrorContent]
                ) { [count] in
                    let queues = try (0..<count).map { try WorkerQueue(withThread: "worker.\($0)") }
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
                #expect(
                    process?.message.contains(/sync on the queue "worker.[0-2]" would never return/) == true)
            }
        #endif

        /// Has each queue wait for the next one, without threads that wait.
        private static func chain(_ queues: [WorkerQueue]) {
            for (queue, next) in zip(queues, queues.dropFirst()) {
                queue.core.awaitedByHolder.withLock { $0 = next.core }
            }
        }

        @Test("so do queues of thousands of threads")
        func longCycle() async {
            let process = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let queues = try (0..<5_000).map { try WorkerQueue(withThread: "worker.\($0)") }
                Self.chain(queues + [queues[0]])
                let gate = Gate()
                queues[1].enqueue { gate.pass() }
                await gate.waitForArrivals()
                try queues[0].sync { try queues[1].sync {} }
            }
            #expect(process?.message.contains("sync on the queue \"worker.1\" would never return") == true)
        }

        @Test("a call that waits for other threads that wait in a cycle ends when its queue is free")
        func cycleOfOthers() async throws {
            for (tail, cycle) in [(1, 1), (1, 2), (1, 3), (2, 1), (3, 7), (100, 60), (1, 5_000)] {
                let queues = try (0..<tail + cycle).map { try WorkerQueue(withThread: "worker.\($0)") }
                Self.chain(queues + [queues[tail]])
                let (gate, ended) = (Gate(), DispatchSemaphore(value: 0))
                queues[0].enqueue { gate.pass() }
                await gate.waitForArrivals()
                queue.enqueue {
                    try! queues[0].sync {}
                    ended.signal()
                }
                await waitWhile(queue.core.awaitedByHolder.withLock({ $0 }) == nil)
                gate.open()
                #expect(ended.wait(timeout: .now() + 600) == .success)
                for queue in queues { queue.core.awaitedByHolder.withLock { $0 = nil } }
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
            try await pool.shutdown()
            let nested = (0..<4).flatMap { thread in
                (0..<5_000).filter { $0 % 3 == 2 && (thread + $0) % count < count - 1 }
            }.count
            #expect(tallies.map(\.value).reduce(0, +) == 20_000 + nested)
        }

        // MARK: Jobs of other queues, which a thread that waits runs

        /// Queues with a single thread, which runs what it waits for.
        private static func poolOfOneThread(queues count: Int) throws -> WorkerQueuePool {
            let options = QueuePoolOptions(label: "p", queuesPerTier: .exactly(count))
            return try WorkerQueuePool(options) {
                var settings = $0
                settings.limit = 1
                return settings
            }
        }

        private static func queuesOfOneThread(_ count: Int) throws -> [WorkerQueue] {
            let pool = try poolOfOneThread(queues: count)
            return (0..<count).map { _ in pool.queue(for: .default) }
        }

        private actor Resident {
            private let queue: WorkerQueue
            nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

            init(on queue: WorkerQueue) { self.queue = queue }

            func run(_ body: @Sendable (isolated Resident) throws -> Void) rethrows { try body(self) }
        }

        /// What a task has, and jobs that are not the task's do not have.
        private struct TaskState: Equatable {
            @TaskLocal static var local = 0

            var local = Self.local
            var isCancelled = Task.isCancelled
        }

        private static let ofNoTask = TaskState(local: 0, isCancelled: false)
        private static let ofTask = TaskState(local: 7, isCancelled: true)

        /// Runs a closure in a cancelled task with a task-local value, on an actor.
        private static func inTask(
            on actor: Resident, _ body: @escaping @Sendable (isolated Resident) throws -> Void
        ) async throws {
            try await TaskState.$local.withValue(7) {
                let task = Task {
                    withUnsafeCurrentTask { $0?.cancel() }
                    try await actor.run(body)
                }
                try await task.value
            }
        }

        @Test("a job that a waiting task's thread runs has neither its cancellation nor its values")
        func helpedByTask() async throws {
            let queues = try Self.queuesOfOneThread(3)
            let (states, actor) = (Recorder<TaskState>(), Resident(on: queues[0]))
            try await Self.inTask(on: actor) { actor in
                #expect(TaskState() == Self.ofTask)
                queues[1].enqueue {
                    states.append(TaskState())
                    queues[2].enqueue { states.append(TaskState()) }
                    // It waits, too, with a value of its own.
                    TaskState.$local.withValue(9) {
                        try! queues[2].sync { states.append(TaskState()) }
                    }
                    states.append(TaskState())
                }
                _ = try queues[1].async(after: .zero) { states.append(TaskState()) }
                try queues[1].sync { states.append(TaskState()) }
                actor.preconditionIsolated()
                #expect(TaskState() == Self.ofTask)
            }
            let inner = TaskState(local: 9, isCancelled: false)
            let none = Self.ofNoTask
            #expect(states.elements == [none, none, none, inner, none, Self.ofTask])
        }

        @Test("a job that a waiting actor's thread runs is not isolated to the actor")
        func helpedByActor() async throws {
            let process = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let queues = try Self.queuesOfOneThread(2)
                let actor = Resident(on: queues[0])
                try await actor.run { actor in
                    queues[1].enqueue { actor.assumeIsolated { _ -> Void in exit(0) } }
                    try queues[1].sync {}
                }
            }
            #expect(process?.message.contains("Incorrect actor executor assumption") == true)
        }

        @Test("a step of another actor that a waiting actor's thread runs is that actor's and its task's")
        func helpedStep() async throws {
            let queues = try Self.queuesOfOneThread(2)
            let states = Recorder<TaskState>()
            let (actor, other) = (Resident(on: queues[0]), Resident(on: queues[1]))
            try await Self.inTask(on: actor) { _ in
                TaskState.$local.withValue(8) {
                    _ = Task(executorPreference: queues[1]) {
                        states.append(TaskState())
                        await other.run { other in
                            other.preconditionIsolated()
                            states.append(TaskState())
                        }
                    }
                }
                // Steps that a call runs may send others, which the next call runs.
                for _ in 0..<5 { try queues[1].sync { states.append(TaskState()) } }
                #expect(states.elements.count == 7)
            }
            let own = TaskState(local: 8, isCancelled: false)
            #expect(states.elements.count { $0 == own } == 2)
            #expect(states.elements.count { $0 == Self.ofTask } == 5)
        }

        @Test(
            "a job that a waiting job's thread runs has none of its values, and is in no task",
            arguments: [false, true])
        func helpedByJob(isMade: Bool) throws {
            let pool = try Self.poolOfOneThread(queues: 2)
            let queue = pool.queue(for: .default)
            let helped =
                isMade
                ? try pool.makeQueue(label: "helped", qos: .default) : pool.queue(for: .default)
            let (states, isInTask) = (Recorder<TaskState>(), Recorder<Bool>())
            try queue.runOnThread {
                TaskState.$local.withValue(9) {
                    helped.enqueue {
                        states.append(TaskState())
                        isInTask.append(withCallersTask { $0 != nil })
                    }
                    try! helped.sync { states.append(TaskState()) }
                }
            }
            #expect(states.elements == [Self.ofNoTask, TaskState(local: 9, isCancelled: false)])
            #expect(isInTask.elements == [false])
        }
    }
#endif
