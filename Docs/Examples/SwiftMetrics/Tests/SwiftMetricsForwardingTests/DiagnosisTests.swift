#if os(Linux)
    import Dispatch
    import QueuePools
    import SwiftMetricsForwarding
    import Synchronization
    import Testing

    /// Situations of a real pool, told apart by what Prometheus reads.
    @Suite("Incidents are told apart from /metrics alone", .timeLimit(.minutes(5)))
    struct DiagnosisTests {
        private static let limit = Duration.milliseconds(250)

        private let pool: DefaultQueuePool
        private let door = Door()

        init() throws {
            var workers = WorkerOptions(observation: JobObservation())
            // As a kernel that never gives the background's threads the processor.
            workers.threads.onStart = { [door] label in if label.contains("background") { door.pass() } }
            pool = try DefaultQueuePool(
                label: "tiles", queuesPerTier: .exactly(2), capacity: .each(20), workers: workers)
        }

        private func scrape() -> String {
            var text = PrometheusText()
            text.add(pool.statistics, ofPool: pool.label)
            return text.text
        }

        private func diagnosis(of tier: QoSTier, after former: String) -> Diagnosis? {
            Diagnosis(
                of: tier.name, below: QoSTier.allCases.filter { $0 > tier }.map(\.name), in: scrape(),
                after: former, limit: Self.limit / .seconds(1))
        }

        /// The diagnosis while jobs that each wait at the door run for a short time only. On a machine that
        /// stops for longer than the limit they look like long ones, and the next ones are looked at.
        private func diagnosis(
            of tier: QoSTier, running count: Int, fill: () throws -> Void
        ) throws -> Diagnosis? {
            let before = scrape()
            var result: Diagnosis?
            for _ in 0..<100 {
                try fill()
                door.waitForArrivals(count)
                result = diagnosis(of: tier, after: before)
                guard result == .longJob else { break }
                door.admit(count)
            }
            door.open()
            return result
        }

        private func end() async throws {
            door.open()
            try await pool.shutdown()
        }

        /// Submits jobs to the tier utility until so many wait, or it is full.
        private func fill(upTo count: Int = .max, _ submit: () throws -> Void) throws {
            do {
                while pool.statistics[.utility].waiting < count { try submit() }
            } catch let error as PoolError where error.code == .full {}
        }

        @Test("a pool that has work and room is healthy")
        func healthy() async throws {
            let result = try diagnosis(of: .utility, running: 2) {
                for _ in 0..<5 { try pool.async(qos: .utility) { [door] in door.pass() } }
            }
            #expect(result == nil)
            try await end()
            #expect(diagnosis(of: .utility, after: scrape()) == nil)
        }

        @Test("a pool with many jobs whose time has not come is healthy")
        func delayed() async throws {
            for _ in 0..<25 {
                try pool.async(qos: .utility, key: "hot", after: .seconds(3_600)) {}
            }
            let before = scrape()
            #expect(before.contains("queue_pool_jobs_delayed{pool=\"tiles\",tier=\"utility\"} 25\n"))
            #expect(diagnosis(of: .utility, after: before) == nil)
            try await end()
        }

        @Test(
            "a hot key: most jobs wait in one queue, whether or not the class is full",
            arguments: [12, 1_000])
        func hotKey(count: Int) async throws {
            let result = try diagnosis(of: .utility, running: 1) {
                try fill(upTo: count) {
                    try pool.async(qos: .utility, key: "hot") { [door] in door.pass() }
                }
            }
            #expect(result == .hotKey)
            try await end()
        }

        @Test("a hot key's queue is named")
        func hotQueue() async throws {
            try pool.async(qos: .utility, key: "hot") { [door] in door.pass() }
            door.waitForArrivals(1)
            for _ in 0..<12 { try pool.async(qos: .utility, key: "hot") {} }
            let queue = pool.queue(for: .utility, key: "hot").label
            #expect(
                scrape().contains(
                    """
                    queue_pool_fullest_queue_jobs_waiting{pool="tiles",tier="utility",queue="\(queue)"} 12

                    """))
            try await end()
        }

        @Test("a long job: it has run for longer than jobs should, whatever waits behind it")
        func longJob() async throws {
            let before = scrape()
            for _ in 0..<12 { try pool.async(qos: .utility, key: "one") { [door] in door.pass() } }
            door.waitForArrivals(1)
            while pool.statistics[.utility].longestRun ?? .zero <= Self.limit { await Task.yield() }
            #expect(diagnosis(of: .utility, after: before) == .longJob)
            #expect(diagnosis(of: .default, after: before) == nil)
            try await end()
        }

        @Test("a full class: as many jobs as may wait do, in no queue in particular")
        func fullClass() async throws {
            let result = try diagnosis(of: .utility, running: 2) {
                try fill { try pool.async(qos: .utility) { [door] in door.pass() } }
            }
            #expect(result == .fullClass)
            try await end()
        }

        @Test("a starved tier: jobs have waited for long, and none runs")
        func starvedTier() async throws {
            let before = scrape()
            for _ in 0..<12 { try pool.async(qos: .background, key: "one") {} }
            while pool.statistics[.background].longestWait ?? .zero <= Self.limit { await Task.yield() }
            #expect(diagnosis(of: .background, after: before) == .starvedTier)
            #expect(diagnosis(of: .utility, after: before) == nil)
            try await end()
        }

        @Test("a starved tier: jobs have waited for long, and a tier above has no free thread")
        func outrunTier() async throws {
            // Not of the tier whose threads never begin.
            let isDone = Atomic(false)
            for _ in 0..<2 {
                try pool.async(qos: .userInteractive) { while !isDone.load(ordering: .relaxed) {} }
            }
            while pool.statistics[.userInteractive].running < 2 { await Task.yield() }
            let before = scrape()
            // More work than the limit, were the machine free.
            for _ in 0..<12 {
                try pool.async(qos: .utility, key: "one") {
                    let start = ContinuousClock.now
                    while .now - start < Self.limit / 4 {}
                }
            }
            while pool.statistics[.utility].longestWait ?? .zero <= Self.limit { await Task.yield() }
            #expect(diagnosis(of: .utility, after: before) == .starvedTier)
            isDone.store(true, ordering: .relaxed)
            try await end()
        }
    }

    /// A door that admits some jobs, or all from some time on. *Thread-safe.*
    private final class Door: Sendable {
        private let admitted = DispatchSemaphore(value: 0)
        private let arrived = DispatchSemaphore(value: 0)
        private let isOpen = Atomic(false)

        func pass() {
            arrived.signal()
            guard !isOpen.load(ordering: .acquiring) else { return }
            admitted.wait()
            if isOpen.load(ordering: .acquiring) { admitted.signal() }
        }

        func admit(_ count: Int) { for _ in 0..<count { admitted.signal() } }

        func open() {
            isOpen.store(true, ordering: .releasing)
            admitted.signal()
        }

        func waitForArrivals(_ count: Int) { for _ in 0..<count { arrived.wait() } }
    }
#endif
