#if os(Linux)
    import TestSupport
    import Testing

    @testable import QueuePools

    /// Steps that threads of a tier send to their own tier, and keep to themselves.
    @Suite("Steps of tasks and actors on a tier", .timeLimit(.minutes(15)))
    struct StepTests {
        @Test(
            "a step is not kept waiting by the step that sent it, though that never ends",
            arguments: [false, true])
        func longSender(isActor: Bool) async throws {
            let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(2))
            let gate = Gate()
            let stage = Stage(pool.serialExecutor(for: .default))
            await Task(executorPreference: pool.taskExecutor(for: .default)) {
                Task(executorPreference: pool.taskExecutor(for: .default)) {
                    if isActor { await stage.perform { _ in } }
                    gate.open()
                }
                // Blocks the thread until the other task has run.
                waitFor(gate)
            }.value
        }

        @Test(
            "steps that send steps forever keep no job of the tier waiting, with one thread or more",
            arguments: [1, 2])
        func endlessSteps(threads: Int) async throws {
            let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(threads))
            let executor = pool.taskExecutor(for: .default)
            let stages = (0..<threads).map { _ in Stage(pool.serialExecutor(for: .default)) }
            let turns = stages.map { stage in
                Task(executorPreference: executor) {
                    while !Task.isCancelled { await stage.perform { _ in } }
                }
            }
            for turn in 0..<200 {
                let gate = Gate()
                switch turn % 3 {
                case 0: try pool.async(qos: .default) { gate.open() }
                case 1: try pool.async(qos: .default, key: turn) { gate.open() }
                default: pool.queue(for: .default).enqueue { gate.open() }
                }
                gate.pass()
            }
            for turn in turns { turn.cancel() }
            for turn in turns { await turn.value }
        }

        @Test(
            "of steps that senders keep at random, each runs once and actors stay exclusive",
            arguments: 0..<4)
        func storm(seed: Int) async throws {
            let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(1 + seed % 3))
            let stages = (0..<4).map { _ in Stage(pool.serialExecutor(for: .default)) }
            await withTaskGroup(of: Void.self) { group in
                for task in 0..<4 {
                    group.addTask(executorPreference: pool.taskExecutor(for: .default)) {
                        for turn in 0..<1_000 {
                            let stage = stages[(task * 7 + turn * (seed + 1)) % 4]
                            await stage.perform { $0 += 1 }
                            if turn % 5 == seed { await Task.yield() }
                        }
                    }
                }
            }
            var total = 0
            for stage in stages { total += await stage.perform { $0 } }
            #expect(total == 4_000)
        }

        private func waitFor(_ gate: Gate) { gate.pass() }

        private actor Stage {
            private let executor: PoolSerialExecutor<WorkerQueue>
            private var value = 0

            nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

            init(_ executor: PoolSerialExecutor<WorkerQueue>) { self.executor = executor }

            @discardableResult
            func perform<Result: Sendable>(_ body: @Sendable (inout Int) -> Result) -> Result { body(&value) }
        }
    }
#endif
