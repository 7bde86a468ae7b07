#if os(Linux)
    import Dispatch
    import Foundation
    import Glibc
    import QueuePoolsLocks
    import Synchronization
    import TestSupport
    import Testing

    @testable import QueuePools

    /// A system that refuses threads as the test says.
    final class ThreadSupply: Sendable {
        private let refusals = Counter()
        private let refuses: @Sendable (_ refusedBefore: Int, _ index: Int) -> Bool

        init(refuses: @escaping @Sendable (_ refusedBefore: Int, _ index: Int) -> Bool) {
            self.refuses = refuses
        }

        /// One thread for each tier, and no more.
        static var one: ThreadSupply { ThreadSupply { _, index in index > 0 } }

        /// How often a thread was refused.
        var refused: Int { refusals.value }

        func pool(
            _ queues: Int, label: String = "p", threads: ThreadOptions = ThreadOptions()
        ) throws -> WorkerQueuePool {
            try WorkerQueuePool(
                QueuePoolOptions(label: label, queuesPerTier: .exactly(queues)),
                workers: WorkerOptions(threads: threads),
                adjust: { settings in
                    var settings = settings
                    settings.firstRetry = 1_000_000
                    settings.start = { self.start($0) }
                    return settings
                })
        }

        private func start(_ thread: WorkerThread) -> Int32 {
            guard refuses(refusals.value, thread.index) else { return thread.start() }
            refusals.increment()
            return EAGAIN
        }
    }

    @Suite("When the system has no thread to give", .timeLimit(.minutes(15)))
    struct RefusedThreadTests {
        @Test("refused three times, a tier gets its second thread while jobs wait, and keys stay in order")
        func threeTimes() throws {
            let supply = ThreadSupply { refused, index in refused < 3 && index == 1 }
            let pool = try supply.pool(2)
            let order = Recorder<Int>()
            let queue = pool.queue(for: .default)
            var jobs = 0
            while pool.statistics[.default].threads < 2 {
                let job = jobs
                try queue.async { order.append(job) }
                try pool.async(qos: .default) {}
                jobs += 1
            }
            try queue.sync {}
            #expect(order.elements == Array(0..<jobs))
            let tier = pool.statistics[.default]
            #expect(tier.threadFailures == 3)
            #expect(supply.refused == 3)
        }

        @Test("refused forever, queues and unordered jobs share the tier's only thread, each queue in order")
        func forEver() async throws {
            let supply = ThreadSupply.one
            let pool = try supply.pool(4)
            let queues = (0..<4).map { _ in pool.queue(for: .default) }
            let order = Recorder<(queue: Int, job: Int)>()
            for job in 0..<2_000 {
                for (index, queue) in queues.enumerated() {
                    try queue.async {
                        if !queue.isCurrent { Issue.record("another queue is current") }
                        order.append((index, job))
                    }
                }
                try pool.async(qos: .default) { order.append((-1, job)) }
            }
            for (index, queue) in queues.enumerated() {
                try queue.sync {}
                #expect(order.elements.filter { $0.queue == index }.map(\.job) == Array(0..<2_000))
            }
            #expect(pool.statistics[.default].threads == 1)
            try await pool.shutdown()
            let tier = pool.statistics[.default]
            #expect(tier.threads == 0)
            #expect(tier.threadFailures >= 1)
            #expect(tier.finished == 10_000 + 4)
        }

        @Test("a thread that sleeps runs what waits, though one before it has ended and cannot be made again")
        func sleeper() throws {
            let supply = ThreadSupply { _, index in index == 1 }
            let pool = try supply.pool(3)
            let (gate, ran) = (Gate(), DispatchSemaphore(value: 0))
            try pool.async(qos: .default) { gate.pass() }
            gate.waitForArrivals()
            // The first asks for the second thread, and in its place for the third.
            for _ in 0..<2 { try pool.async(qos: .default) { ran.signal() } }
            for _ in 0..<2 { ran.wait() }
            let group = try #require(pool.withPartition(of: .default) { ($0 as? WorkerPartition)?.group })
            for _ in 0..<20 {
                // The third sleeps, and there is none in the place of the second.
                while group.parking.freeSlots != 0b110 { sched_yield() }
                try pool.async(qos: .default) { ran.signal() }
                #expect(ran.wait(timeout: .now() + 600) == .success)
            }
            gate.open()
            pool.shutdownBlocking()
        }

        /// A slot whose threads fall asleep and end all the time, as it seems to others.
        private final class RestlessSlot: Sendable {
            let queue: WorkerQueue
            private let isOver = Atomic<Bool>(false)
            private let events = DispatchSemaphore(value: 0)

            init() throws {
                queue = try WorkerQueue(withThread: "q")
                DispatchQueue.global().async { [self] in
                    events.signal()
                    while !isOver.load(ordering: .relaxed) {
                        _ = change(.empty, to: .asleep)
                        _ = change(.asleep, to: .empty)
                    }
                    events.signal()
                }
                events.wait()
            }

            func change(_ before: ThreadSlot.State, to after: ThreadSlot.State) -> Bool {
                queue.group.threadSlots[0].state.compareExchange(
                    expected: before, desired: after, ordering: .sequentiallyConsistent
                ).exchanged
            }

            func end() {
                isOver.store(true, ordering: .relaxed)
                events.wait()
                _ = change(.asleep, to: .empty)
                queue.group.parking.vacate(0)
            }
        }

        @Test("a slot whose thread ends just when it is woken in place of a refused one is not lost")
        func endsWhenWoken() throws {
            let slot = try RestlessSlot()
            let group = slot.queue.group
            var (ends, losses) = (0, 0)
            for _ in 0..<2_000_000 where ends + losses < 10 {
                group.parking.vacate(0)
                if group.parking.wakeSleeper() != nil {
                    ends += 1
                } else if group.parking.freeSlots == 0, !slot.change(.awake, to: .empty) {
                    losses += 1
                }
            }
            #expect(losses == 0)
            slot.end()
        }

        @Test(
            "a tier that is refused a thread beside a busy one begins the job on a third, and asks again"
        )
        func besideBusy() throws {
            let (began, refusal) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let relief = Counter()
            let supply = ThreadSupply { _, index in
                guard index == 1, relief.value == 0 else { return false }
                refusal.signal()
                return true
            }
            let pool = try supply.pool(3)
            let gate = Gate()
            let threads = Recorder<Int?>()
            func submit() throws {
                try pool.async(qos: .default) {
                    threads.append(WorkerThread.current?.index)
                    began.signal()
                    gate.pass()
                }
            }
            try submit()
            #expect(began.wait(timeout: .now() + 600) == .success)
            try submit()
            #expect(refusal.wait(timeout: .now() + 600) == .success)
            // The job before still waits for the second thread, so this one asks for the third.
            try submit()
            #expect(began.wait(timeout: .now() + 600) == .success)
            #expect(threads.elements == [0, 2])
            for _ in 0..<3 { #expect(refusal.wait(timeout: .now() + 600) == .success, "not tried again") }
            relief.increment()
            #expect(began.wait(timeout: .now() + 600) == .success)
            #expect(threads.elements == [0, 2, 1])
            gate.open()
            pool.shutdownBlocking()
            let tier = pool.statistics[.default]
            #expect(tier.finished == 3)
            #expect(tier.threadFailures == supply.refused)
        }

        @Test("a tier keeps one thread when it has nothing to do, whichever of its threads that is")
        func keepsLast() throws {
            let ended = Counter()
            // The tier's first thread is its second.
            let supply = ThreadSupply { _, index in index == 0 }
            let pool = try supply.pool(
                2,
                threads: ThreadOptions(
                    idleLimit: .zero, onEnd: { _ in ended.increment() }))
            let ran = DispatchSemaphore(value: 0)
            for _ in 0..<2 {
                pool.queue(for: .default).enqueue { ran.signal() }
                while supply.refused == 0 { sched_yield() }
            }
            for _ in 0..<2 { #expect(ran.wait(timeout: .now() + 600) == .success) }
            let group = try #require(pool.withPartition(of: .default) { ($0 as? WorkerPartition)?.group })
            for _ in 0..<1_000 {
                while group.parking.freeSlots & 0b10 == 0 { sched_yield() }
                try pool.async(qos: .default) { ran.signal() }
                #expect(ran.wait(timeout: .now() + 600) == .success)
            }
            #expect(ended.value == 0)
            #expect(pool.statistics[.default].threads == 1)
        }

        @Test("a job can wait for every queue of its tier, though the tier has one thread")
        func syncWithOneThread() async throws {
            let pool = try ThreadSupply.one.pool(3)
            let queues = (0..<3).map { _ in pool.queue(for: .default) }
            let order = Recorder<Int>()
            let ended = DispatchSemaphore(value: 0)
            let gate = Gate()
            try queues[0].async {
                gate.pass()
                for queue in queues[1...] { _ = try? queue.sync { order.append(-1) } }
                ended.signal()
            }
            await gate.waitForArrivals()
            for index in 0..<100 { for queue in queues[1...] { try queue.async { order.append(index) } } }
            gate.open()
            #expect(ended.wait(timeout: .now() + 600) == .success)
            #expect(order.elements == Array(0..<100) + [-1] + Array(0..<100) + [-1])
        }

        @Test(
            "jobs of one-thread tiers can wait for each other's queues while those have waiting jobs"
        )
        func syncAcrossTiers() throws {
            let pool = try ThreadSupply.one.pool(2)
            // utility job X ── sync ──▶ queue of default, where job Y ── sync ──▶ another queue of utility,
            // where Z waits
            let (x, z) = (pool.queue(for: .utility), pool.queue(for: .utility))
            let y = pool.queue(for: .default)
            let (gateX, gateY) = (Gate(), Gate())
            let ended = DispatchSemaphore(value: 0)
            try x.async {
                gateX.pass()
                _ = try? y.sync {}
                ended.signal()
            }
            try y.async {
                gateY.pass()
                _ = try? z.sync {}
            }
            gateX.waitForArrivals()
            gateY.waitForArrivals()
            try z.async {}
            gateX.open()
            gateY.open()
            #expect(ended.wait(timeout: .now() + 600) == .success)
        }

        @Test(
            "a tier's threads that wait for a queue run what that queue's holder waits for",
            arguments: [1, 2])
        func chain(threads: Int) async throws {
            let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(threads))
            let outer = try WorkerQueue(withThread: "outer")
            let middle = try WorkerQueue(withThread: "middle")
            let inner = pool.queue(for: .default)
            let (held, jobs) = (Gate(), Gate())
            let ended = Gate()
            Thread.detachNewThread {
                try! outer.sync {
                    try middle.sync {
                        held.open()
                        jobs.waitForArrivals(threads)
                        jobs.open()
                        try inner.sync {}
                    }
                }
                ended.open()
            }
            held.pass()
            // All threads of the tier wait for the queue that the holder has, and the holder for one of
            // theirs.
            for _ in 0..<threads {
                try pool.async(qos: .default) {
                    jobs.pass()
                    try! outer.sync {}
                }
            }
            inner.enqueue {}
            ended.pass()
            try await pool.shutdown()
        }

        @Test("a pool dropped with one thread loses no job, and its thread ends")
        func dropped() async {
            await #expect(processExitsWith: .success) {
                let ran = Counter()
                let gate = Gate()
                var pool: WorkerQueuePool? = try ThreadSupply.one.pool(3)
                try pool?.async(qos: .default) { gate.pass() }
                for _ in 0..<3_000 {
                    try pool?.async(qos: .default) { ran.increment() }
                    try pool?.queue(for: .default).async { ran.increment() }
                }
                await gate.waitForArrivals()
                precondition(threadCount(named: "p.default.") == 1)
                pool = nil
                gate.open()
                while threadCount(named: "p.default.") > 0 {}
                precondition(ran.value == 6_000)
            }
        }

        @Test("threads that come and go at random lose and reorder nothing", arguments: 0..<8)
        func atRandom(seed: UInt64) throws {
            let generator = Lock(SeededGenerator(seed: seed))
            for _ in 0..<20 {
                let pool = try WorkerQueuePool(
                    QueuePoolOptions(label: "p", queuesPerTier: .exactly(4)),
                    adjust: { settings in
                        var settings = settings
                        settings.firstRetry = 50_000
                        settings.threads.idleLimit = .microseconds(50)
                        settings.start = { thread in
                            let isRefused = generator.withLock { $0.next() % 3 != 0 }
                            return isRefused && thread.index > 0 ? EAGAIN : thread.start()
                        }
                        return settings
                    })
                let order = Recorder<(queue: Int, job: Int)>()
                let queues = (0..<4).map { _ in pool.queue(for: .default) }
                for job in 0..<300 {
                    for (index, queue) in queues.enumerated() {
                        try queue.async { order.append((index, job)) }
                    }
                    try pool.async(qos: .default) { order.append((-1, job)) }
                }
                for (index, queue) in queues.enumerated() {
                    try queue.sync {}
                    #expect(order.elements.filter { $0.queue == index }.map(\.job) == Array(0..<300))
                }
                pool.shutdownBlocking()
                #expect(order.elements.filter { $0.queue == -1 }.map(\.job).sorted() == Array(0..<300))
            }
        }
    }
#endif
