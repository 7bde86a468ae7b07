import Dispatch
import ManualPools
import TestSupport
import Testing

@testable import QueuePools

@Suite("A job asks whether it was cancelled", .timeLimit(.minutes(15)))
struct JobScopeTests {
    @Test(
        "outside of jobs, in jobs that nobody cancels, and in tasks the answer is no, and there is no scope")
    func outside() async throws {
        #expect(!JobScope.isCancelled && JobScope.current == nil)
        try JobScope.checkCancellation()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return JobScope.isCancelled
        }
        #expect(await !task.value)
        let pool = try DefaultQueuePool(label: "p", queuesPerTier: .exactly(1))
        // A task's step runs on the pool's thread, and is no job, though the pool cancels its jobs.
        let step = Task(executorPreference: pool.taskExecutor(for: .utility)) {
            (JobScope.isCancelled, JobScope.current == nil)
        }
        #expect(await step.value == (false, true))
        #expect(try await pool.run(qos: .utility) { !JobScope.isCancelled && JobScope.current != nil })
        let answers = Recorder<Bool>()
        try pool.async(qos: .utility) { answers.append(JobScope.isCancelled) }
        try await pool.shutdown()
        #expect(answers.elements == [false])
    }

    @Test("a scope that is handed to other code answers there, on any thread", arguments: PoolKind.allCases)
    func handedOver(kind: PoolKind) async throws {
        let pool = try kind.pool("p", .exactly(1))
        let (begun, gate, scope) = (Gate(), Gate(), Recorder<JobScope>())
        let task = try pool.start(qos: .utility) {
            if let current = JobScope.current { scope.append(current) }
            begun.pass()
            gate.pass()
        }
        begun.open()
        await begun.waitForArrivals()
        let current = try #require(scope.elements.first)
        #expect(!current.isCancelled)
        try current.checkCancellation()
        task.cancel()
        #expect(current.isCancelled)
        #expect(throws: CancellationError.self) { try current.checkCancellation() }
        gate.open()
        try await task.value
    }

    #if os(Linux)
        @Test(
            "a job that a waiting job runs within itself is asked for itself, and the other one afterwards",
            arguments: [false, true])
        func nested(isMade: Bool) async throws {
            let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(1))
            let queue =
                isMade ? try pool.makeQueue(label: "made", qos: .utility) : pool.queue(for: .utility)
            let answers = Recorder<Bool>()
            let (begun, gate) = (Gate(), Gate())
            let outer = try pool.start(qos: .utility) {
                begun.pass()
                gate.pass()
                answers.append(JobScope.isCancelled)
                // The only thread of the tier: it runs the queue's jobs itself.
                try queue.sync { answers.append(JobScope.isCancelled) }
                answers.append(JobScope.isCancelled)
            }
            begun.open()
            await begun.waitForArrivals()
            try queue.async { answers.append(JobScope.isCancelled) }
            let inner = try queue.start { answers.append(JobScope.isCancelled) }
            outer.cancel()
            gate.open()
            try await outer.value
            try await inner.value
            #expect(answers.elements == [true, false, false, true, true])
            try await pool.shutdown()
        }

        @Test(
            "a job that a waiting step helps with submits to its own tier",
            arguments: [false, true])
        func tierOfHelpedJobs(isMade: Bool) async throws {
            let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(1))
            let queue =
                isMade ? try pool.makeQueue(label: "made", qos: .utility) : pool.queue(for: .utility)
            let tiers = Recorder<QoSTier?>()
            let (begun, gate) = (Gate(), Gate())
            let task = Task(executorPreference: pool.taskExecutor(for: .utility)) {
                begun.pass()
                gate.pass()
                try queue.sync {}
            }
            begun.open()
            await begun.waitForArrivals()
            let started = Recorder<PoolTask<Void>>()
            try queue.async { started.append(try! pool.start { tiers.append(.current) }) }
            gate.open()
            try await task.value
            for job in started.elements { try await job.value }
            #expect(tiers.elements == [.utility])
            try await pool.shutdown()
        }
    #endif

    @Test("a job that a job of a manual pool runs within itself is asked for itself")
    func nestedByHand() throws {
        let pool = try ManualPool()
        let answers = Recorder<Bool>()
        let outer = Recorder<PoolTask<Void>>()
        outer.append(
            try pool.start(qos: .utility) {
                outer.elements[0].cancel()
                answers.append(JobScope.isCancelled)
                pool.runAll()
                answers.append(JobScope.isCancelled)
            })
        try pool.start(qos: .utility) { answers.append(JobScope.isCancelled) }
        try pool.async(qos: .utility) { answers.append(JobScope.isCancelled) }
        pool.runAll()
        // The third job is behind the first on its queue.
        #expect(answers.elements == [true, false, true, false])
    }

    @Test("a shutdown that cancels running jobs tells those of every form", arguments: PoolKind.allCases)
    func shutdown(kind: PoolKind) async throws {
        let pool = try kind.pool("p", .exactly(2))
        let (begun, told) = (Gate(), Counter())
        let wait = { @Sendable in
            begun.pass()
            while !JobScope.isCancelled {}
            #expect(JobScope.current?.isCancelled == true)
            told.increment()
        }
        begun.open()
        try pool.async(qos: .utility, wait)
        let task = try pool.start(qos: .utility, wait)
        await begun.waitForArrivals(2)
        try await pool.shutdown(runningJobs: .cancel)
        try await task.value
        #expect(told.value == 2)
        let step = Task(executorPreference: pool.anyTaskExecutor(for: .utility)) { JobScope.isCancelled }
        #expect(await !step.value)
    }

    @Test("each call of a loop is asked for the job that called it, also on helpers")
    func loop() async throws {
        let pool = try DefaultQueuePool(label: "p", queuesPerTier: .exactly(3))
        let answers = Recorder<Bool>()
        let (begun, gate) = (Gate(), Gate())
        let job = try pool.start(qos: .utility) {
            begun.pass()
            gate.pass()
            // So that one of the calls is a helper's.
            let meeting = LoopTests.Meeting(of: 2)
            pool.forEach(0..<2, qos: .utility, chunk: 1) { _ in
                meeting.join()
                answers.append(JobScope.isCancelled)
            }
        }
        begun.open()
        await begun.waitForArrivals()
        job.cancel()
        gate.open()
        try await job.value
        #expect(answers.elements == [true, true])
        try await pool.shutdown()
    }

    @Test("each call of a loop is asked for the task that called it, also on helpers and later")
    func loopOfTask() async throws {
        let pool = try DefaultQueuePool(label: "p", queuesPerTier: .exactly(3))
        for isCancelled in [false, true] {
            let (answers, scopes) = (Recorder<Bool>(), Recorder<JobScope?>())
            let task = Task {
                if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
                let meeting = LoopTests.Meeting(of: 2)
                pool.forEach(0..<2, qos: .utility, chunk: 1) { _ in
                    meeting.join()
                    answers.append(JobScope.isCancelled)
                    scopes.append(JobScope.current)
                }
                #expect(!JobScope.isCancelled && JobScope.current == nil, "a task is no job")
            }
            await task.value
            #expect(answers.elements == [isCancelled, isCancelled])
            #expect(scopes.elements.map { $0?.isCancelled } == [isCancelled, isCancelled])
        }
        try await pool.shutdown()
    }

    #if os(Linux)
        enum Caller: CaseIterable { case unordered, ordered, awaited }
        enum QueueOfCall: CaseIterable { case ofTier, made, bound }

        @Test(
            "the closure of a sync is asked for the job that calls it, also on another pool's queue",
            arguments: Caller.allCases, QueueOfCall.allCases)
        func callOfJob(caller: Caller, kind: QueueOfCall) async throws {
            let (pool, other) = (
                try WorkerQueuePool(label: "p", queuesPerTier: .exactly(1)),
                try WorkerQueuePool(label: "other", queuesPerTier: .exactly(1))
            )
            let sync: @Sendable (() -> Void) throws -> Void
            switch kind {
            case .ofTier: sync = { [queue = other.queue(for: .utility)] in try queue.sync($0) }
            case .made:
                sync = { [queue = try other.makeQueue(label: "made", qos: .utility)] in try queue.sync($0) }
            case .bound: sync = { [queue = try ThreadBoundQueue(label: "bound")] in try queue.sync($0) }
            }
            let (begun, told) = (Gate(), Counter())
            let body = { @Sendable in
                try! sync {
                    begun.pass()
                    while !JobScope.isCancelled {}
                    #expect(JobScope.current?.isCancelled == true)
                    told.increment()
                }
            }
            switch caller {
            case .unordered: try pool.async(qos: .utility, body)
            case .ordered: try pool.async(qos: .utility, key: 1, body)
            case .awaited: try pool.start(qos: .utility, body)
            }
            begun.open()
            await begun.waitForArrivals()
            try await pool.shutdown(runningJobs: .cancel)
            #expect(told.value == 1)
            try await other.shutdown()
        }

        @Test("a thread-bound queue's thread is asked for the caller's job during the call, and only then")
        func callOnBoundThread() async throws {
            let (pool, queue) = (try WorkerQueuePool(label: "p"), try ThreadBoundQueue(label: "bound"))
            let answers = Recorder<Bool>()
            let (begun, gate) = (Gate(), Gate())
            let job = try pool.start(qos: .utility) {
                begun.pass()
                gate.pass()
                try queue.sync { answers.append(JobScope.isCancelled) }
                try queue.async { answers.append(JobScope.isCancelled) }
            }
            begun.open()
            await begun.waitForArrivals()
            job.cancel()
            gate.open()
            try await job.value
            try await queue.run {}
            #expect(answers.elements == [true, false])
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try queue.sync { JobScope.isCancelled || JobScope.current != nil }
            }
            #expect(try await !task.value, "a task is no job")
            try await pool.shutdown()
        }
    #endif

    @Test("a loop on another pool is asked for its caller's pool", arguments: [true, false])
    func loopElsewhere(isCallersCancelling: Bool) async throws {
        let (pool, other) = (
            try DefaultQueuePool(label: "p", queuesPerTier: .exactly(1)),
            try DefaultQueuePool(label: "other", queuesPerTier: .exactly(3))
        )
        let answers = Recorder<Bool?>()
        let (begun, gate) = (Gate(), Gate())
        try pool.async(qos: .utility) {
            let meeting = LoopTests.Meeting(of: 2)
            other.forEach(0..<2, qos: .utility, chunk: 1) { _ in
                meeting.join()
                begun.pass()
                gate.pass()
                answers.append(JobScope.isCancelled)
                answers.append(JobScope.current?.isCancelled)
            }
        }
        begun.open()
        await begun.waitForArrivals(2)
        let cancelled = isCallersCancelling ? pool : other
        async let end: Void = cancelled.shutdown(runningJobs: .cancel)
        await waitWhile((try? cancelled.async(qos: .background) {}) != nil)
        gate.open()
        try await end
        try await (isCallersCancelling ? other : pool).shutdown()
        #expect(answers.elements == Array(repeating: isCallersCancelling, count: 4))
    }

    #if os(Linux)
        @Test("a shutdown tells the job of a queue of the program's, which runs it in a task")
        func jobInTask() async throws {
            let queue = HandQueue(runsAtOnce: false)
            let pool = try QueuePool<HandQueue>(
                QueuePoolOptions(label: "p", queuesPerTier: .exactly(1))
            ) { _, _, _ in queue }
            let threads = try DefaultQueuePool(label: "threads")
            let answers = Recorder<Bool?>()
            let (begun, gate) = (Gate(), Gate())
            try pool.async(qos: .utility) {
                begun.pass()
                gate.pass()
                answers.append(JobScope.isCancelled)
                answers.append(JobScope.current?.isCancelled)
            }
            let task = Task(executorPreference: threads.taskExecutor(for: .utility)) { queue.runAll() }
            begun.open()
            await begun.waitForArrivals()
            async let end: Void = pool.shutdown(runningJobs: .cancel)
            await waitWhile((try? pool.async(qos: .background) {}) != nil)
            gate.open()
            await task.value
            queue.runAll()
            try await end
            #expect(answers.elements == [true, true])
            try await threads.shutdown()
        }
    #endif
}
