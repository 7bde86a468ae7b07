#if os(Linux)
    import CQueuePoolsThreads
    import CThreadChecks
    import Dispatch
    import Glibc
    import TestSupport
    import Testing

    @testable import QueuePools

    @Suite("Configuration of worker threads", .timeLimit(.minutes(15)))
    struct ThreadOptionsTests {
        private static let minimumStack = max(64 << 10, cqp_minimum_stack_bytes())

        @Test("impossible values are refused with the reason, by pools and by queues")
        func impossible() {
            let minimum = Self.minimumStack
            let stack = "a stack has \(minimum) to 1073741824 bytes; "
            let cases: [(ThreadOptions, String)] = [
                (
                    .init(idleLimit: .nanoseconds(-1)),
                    "a thread waits for work for zero seconds or more; -1 ns was asked for"
                ),
                (.init(stackSize: 0), stack + "0 were asked for"),
                (.init(stackSize: .min), stack + "\(Int.min) were asked for"),
                (.init(stackSize: minimum - 1), stack + "\(minimum - 1) were asked for"),
                (.init(stackSize: (1 << 30) + 1), stack + "1073741825 were asked for"),
                (.init(stackSize: .max), stack + "\(Int.max) were asked for"),
            ]
            for (threads, description) in cases {
                let errors = [
                    #expect(throws: PoolError.self) { try ThreadBoundQueue(label: "q", threads: threads) },
                    #expect(throws: PoolError.self) {
                        try WorkerQueuePool(label: "p", workers: WorkerOptions(threads: threads))
                    },
                ]
                for error in errors {
                    #expect(error?.code == .invalidThreads)
                    #expect(error?.description == description)
                }
            }
        }

        @Test(
            "threads have the stack that was asked for, from the smallest on",
            arguments: [0, 1 << 20, 1 << 30])
        func stack(size: Int) throws {
            let size = max(size, Self.minimumStack)
            let threads = ThreadOptions(stackSize: size)
            let pool = try WorkerQueuePool(
                label: "p", queuesPerTier: .exactly(2), workers: WorkerOptions(threads: threads))
            let queue = try ThreadBoundQueue(label: "q", threads: threads)
            let queues: [any ThreadQueue] = [pool.queue(for: .utility), queue]
            for queue in queues {
                let found = try queue.runOnThread { cthread_stack_bytes() }
                // The sanitizers make small ones larger.
                #expect((size..<size + 1 << 20).contains(found), "\(found)")
            }
        }

        @Test(
            "hooks run on each thread, outside of its queues, before its first job and after its last",
            arguments: [false, true])
        func hooks(isStandalone: Bool) throws {
            let events = Recorder<String>()
            let isEnded = DispatchSemaphore(value: 0)
            let threads = ThreadOptions(
                onStart: {
                    events.append("started \($0) \(WorkerThread.current == nil) \(pthread_self())")
                },
                onEnd: {
                    events.append("ended \($0) \(WorkerThread.current == nil) \(pthread_self())")
                    isEnded.signal()
                })
            var label = "p.utility"
            do {
                let job = { @Sendable in events.append("job \(pthread_self())") }
                if isStandalone {
                    label = "q"
                    _ = try ThreadBoundQueue(label: "q", threads: threads).async(job)
                } else {
                    let pool = try WorkerQueuePool(
                        label: "p", queuesPerTier: .exactly(1), workers: WorkerOptions(threads: threads))
                    try pool.async(qos: .utility, job)
                    pool.shutdownBlocking()
                }
            }
            isEnded.wait()
            let thread = events.elements[0].split(separator: " ").last ?? ""
            #expect(
                events.elements
                    == ["started \(label) true \(thread)", "job \(thread)", "ended \(label) true \(thread)"])
        }

        @Test("a hook may submit jobs, and what it does before the first job is there for it")
        func submittingHook() throws {
            let order = Recorder<Int>()
            let submitted = DispatchSemaphore(value: 0)
            let other = try ThreadBoundQueue(label: "other")
            let queue = try ThreadBoundQueue(
                label: "q",
                threads: ThreadOptions(onStart: { _ in
                    order.append(1)
                    other.enqueue { submitted.signal() }
                }))
            try queue.async { order.append(2) }
            try queue.sync {}
            submitted.wait()
            #expect(order.elements == [1, 2])
        }

        @Test("without an idle lifetime all threads but one of a tier end when they have nothing to do")
        func noIdleLifetime() throws {
            let started = Counter()
            let ended = DispatchSemaphore(value: 0)
            let threads = ThreadOptions(
                idleLimit: .zero, onStart: { _ in started.increment() },
                onEnd: { _ in ended.signal() })
            let pool = try WorkerQueuePool(
                label: "p", queuesPerTier: .exactly(4), workers: WorkerOptions(threads: threads))
            let gate = Gate()
            for _ in 0..<4 { try pool.async(qos: .utility) { gate.pass() } }
            gate.waitForArrivals(4)
            #expect(started.value >= 4)
            gate.open()
            for _ in 0..<3 { ended.wait() }
            while pool.statistics[.utility].threads != 1 {}
            #expect(try pool.queue(for: .utility).runOnThread { 7 } == 7)
        }

        @Test("an idle lifetime beyond all times ends no thread")
        func endless() throws {
            let started = Counter()
            let threads = ThreadOptions(
                idleLimit: .seconds(Int64.max), onStart: { _ in started.increment() })
            let pool = try WorkerQueuePool(
                label: "p", queuesPerTier: .exactly(2), workers: WorkerOptions(threads: threads))
            for _ in 0..<100 {
                let gate = Gate()
                for _ in 0..<2 { try pool.async(qos: .utility) { gate.pass() } }
                gate.waitForArrivals(2)
                gate.open()
            }
            #expect(started.value == 2)
        }
    }
#endif
