import Dispatch
import QueuePools
import QueuePoolsSentinels
import Synchronization
import Testing

@Suite("A pool of one's own", .timeLimit(.minutes(15)))
struct PoolTests {
    let pool: DispatchQueuePool

    init() throws {
        pool = try DispatchQueuePool(label: "embedding", queuesPerTier: .exactly(3))
    }

    @Test("jobs of one key run one after the other, in the order they came")
    func stickyKeys() async throws {
        let pages = Mutex<[Int]>([])
        for page in 1...100 {
            try pool.async(qos: .utility, key: "report.pdf") { pages.withLock { $0.append(page) } }
        }
        try await pool.shutdown()
        #expect(pages.withLock { $0 } == Array(1...100))
    }

    @Test("a job that has not begun can be cancelled, and its closure is released immediately")
    func cancelledJob() async throws {
        final class Photo: Sendable {}
        let door = DispatchSemaphore(value: 0)
        try pool.async(qos: .background, key: "photo") { door.wait() }

        var photo: Photo? = Photo()
        weak let witness = photo
        let job = try pool.async(qos: .background, key: "photo") { [photo] in
            withExtendedLifetime(photo) { _ = Issue.record("a cancelled job ran") }
        }
        photo = nil
        #expect(job.cancel())
        #expect(witness == nil)

        door.signal()
        try await pool.shutdown()
        #expect(pool.statistics[.background].finished == 1)
        #expect(pool.statistics[.background].cancelled == 1)
    }

    @Test("a server answers by the code of a refusal, whichever codes later versions add")
    func refusals() async throws {
        func status(_ error: PoolError) -> Int {
            switch error.code {
            case .full, .shutDown: 503
            case .expired: 504
            default: 500
            }
        }
        try await pool.shutdown()
        let error = await #expect(throws: PoolError.self) { try await pool.run(qos: .utility) {} }
        #expect(error.map(status) == 503)
        #expect(error.map { "\($0.code)" } == "shutDown")
    }

    @Test("a tier's queues are selected in turn, with labels that say whose they are")
    func roundRobin() {
        let labels = (0..<6).map { _ in pool.queue(for: .userInteractive).label }
        let names = (0..<3).map { "embedding.userInteractive.\($0)" }
        #expect(labels == names + names)
    }

    @Test("a task prefers the pool's threads to those of the Swift runtime")
    func taskExecutor() async {
        let sum = Task(executorPreference: pool.taskExecutor(for: .userInitiated)) {
            (1...1_000).reduce(0, +)
        }
        #expect(await sum.value == 500_500)
        #expect(pool.statistics[.userInitiated].submitted > 0)
    }

    @Test("an actor lives on a queue of the pool, together with jobs put on that queue by hand")
    func actorOnAQueue() async {
        actor Inbox {
            private let executor: PoolSerialExecutor<DispatchQueue>
            nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
            nonisolated var queue: DispatchQueue { executor.queue }
            private(set) var messages: [String] = []

            init(on pool: DispatchQueuePool) { executor = pool.serialExecutor(for: .utility) }

            func receive(_ message: String) {
                dispatchPrecondition(condition: .onQueue(executor.queue))
                messages.append(message)
            }
        }
        let inbox = Inbox(on: pool)
        await inbox.receive("by await")
        inbox.queue.sync { inbox.assumeIsolated { $0.receive("by sync") } }
        #expect(await inbox.messages == ["by await", "by sync"])
    }

    @Test("a pool that was shut down has run what it accepted, and says that it takes no more")
    func shutdown() async throws {
        let finished = Atomic(0)
        for _ in 0..<50 {
            try pool.async(qos: .default) { finished.add(1, ordering: .relaxed) }
        }
        try await pool.shutdown()
        #expect(finished.load(ordering: .relaxed) == 50)

        let error = #expect(throws: PoolError.self) { try pool.async(qos: .default) {} }
        #expect(error?.code == .shutDown)
    }

    @Test("an impossible pool is refused with a reason", arguments: [0, -1, 1_000_000])
    func impossiblePool(queues: Int) {
        let error = #expect(throws: PoolError.self) {
            try DispatchQueuePool(label: "impossible", queuesPerTier: .exactly(queues))
        }
        #expect(error?.code == .invalidQueueCount)
        #expect("\(error!)".contains("\(queues)"))
    }

    @Test("work of one's own notices through a sentinel that it is no longer wanted")
    func sentinel() async throws {
        let search = Sentinel()
        let outcome = await withCheckedContinuation { (found: CheckedContinuation<String, Never>) in
            let ticket = search.ticket()
            do {
                try pool.async(qos: .userInitiated) {
                    while !ticket.isCancelled {}  // looking through an endless list
                    found.resume(returning: "given up")
                }
            } catch {
                found.resume(returning: "\(error)")
            }
            search.increase()  // the user has typed another letter
        }
        #expect(outcome == "given up")
        #expect(search.value == 1)
        try search.ticket().checkCancellation()  // the next search is wanted
    }
}
