import Dispatch
import TestSupport
import Testing

@testable import QueuePools

@Suite("Capacity", .timeLimit(.minutes(15)))
struct CapacityTests {
    private func makePool(_ capacity: Int, queues: Int = 1) throws -> DefaultQueuePool {
        try DefaultQueuePool(
            QueuePoolOptions(
                label: "p", queuesPerTier: .exactly(queues),
                capacity: [.utility: capacity, .userInitiated: capacity]))
    }

    /// Holds all threads of the utility tier until the gate opens.
    private func block(_ pool: DefaultQueuePool) throws -> Gate {
        let gate = Gate()
        for _ in 0..<pool.queueCount(of: .utility) {
            try pool.async(qos: .utility) { gate.pass() }
            gate.waitForArrivals()
        }
        return gate
    }

    /// Waits until this many calls of `run` wait.
    private func waitForSuspended(_ count: Int, in pool: DefaultQueuePool) async {
        await waitWhile(pool.statistics[.utility].waitingForRoom != count)
    }

    /// Whether as many jobs fit as the capacity says, and no more.
    private func hasExactRoom(_ capacity: Int, _ pool: DefaultQueuePool) async throws -> Bool {
        await waitWhile(pool.statistics[.utility].delayed + pool.statistics[.utility].waiting > 0)
        let gate = try block(pool)
        defer { gate.open() }
        for _ in 0..<capacity { try pool.async(qos: .utility) {} }
        return isFull { try pool.async(qos: .utility) {} }
    }

    @Test("after a shutdown run is refused at once, also while the tier is full")
    func fullAfterShutdown() async throws {
        let pool = try makePool(1)
        let gate = try block(pool)
        defer { gate.open() }
        try pool.async(qos: .utility) {}
        #expect(await pool.hasShutDown(timeLimit: .zero) == false)
        let error = await #expect(throws: PoolError.self) { try await pool.run(qos: .utility) {} }
        #expect(error?.code == .shutDown)
    }

    @Test("beyond it a tier refuses jobs, until one begins or is cancelled", arguments: PoolKind.allCases)
    func refusal(_ kind: PoolKind) async throws {
        let pool = try kind.pool("tiles", .exactly(1), capacity: [.utility: 3])
        let (gate, ran) = (Gate(), Counter())
        try pool.async(qos: .utility) { gate.pass() }
        await gate.waitForArrivals()
        let first = try pool.async(qos: .utility) { ran.increment() }
        try pool.async(qos: .utility, key: 1) { ran.increment() }
        try pool.async(qos: .utility) { ran.increment() }
        for key in [nil, 1] {
            let error = #expect(throws: PoolError.self) {
                if let key {
                    try pool.async(qos: .utility, key: key) { ran.increment() }
                } else {
                    try pool.async(qos: .utility) { ran.increment() }
                }
            }
            #expect(error?.code == .full)
            #expect(
                error?.description == "the pool \"tiles\" is full: as many jobs wait as its capacity allows")
        }
        // Another tier, which has none.
        try pool.async(qos: .background) { ran.increment() }
        #expect(first.cancel())
        #expect(!first.cancel())
        try pool.async(qos: .utility) { ran.increment() }
        #expect(isFull { try pool.async(qos: .utility) {} })
        gate.open()
        try await pool.shutdown()
        #expect(ran.value == 4)
        #expect(throws: PoolError.self) { try pool.async(qos: .utility) {} }
    }

    @Test("capacities are read and changed tier by tier, and a tier without one is unlimited")
    func tiers() {
        var capacities: TierCapacities = [.utility: 3]
        #expect(capacities[.utility] == 3)
        #expect(capacities[.default] == nil)
        capacities[.utility] = nil
        #expect(capacities == .unlimited)
        for tier in QoSTier.allCases { capacities[tier] = 2 }
        #expect(capacities == .each(2))
    }

    @Test(
        "capacities of zero, below, and beyond the limit are refused",
        arguments: [0, -1, .min, .max, 1 << 30 + 1])
    func impossible(_ count: Int) {
        let error = #expect(throws: PoolError.self) { try makePool(count) }
        #expect(error?.code == .invalidCapacity)
        #expect(error?.description.contains("\(count)") == true)
    }

    /// Submits more delayed jobs than may wait, in each form.
    private func checkDelayed<Queue>(_ pool: QueuePool<Queue>) async throws {
        let hour = Duration.seconds(3_600)
        for _ in 0..<3 {
            try pool.async(qos: .utility, after: hour) {}
            try pool.async(qos: .utility, key: 1, at: .now + hour) {}
            try (pool as any JobSubmitting).async(qos: .utility, after: hour) {}
            try pool.start(qos: .utility, whenFull: .throw, after: hour) {}
        }
        let gate = try await pool.blockUtility()
        for _ in 0..<2 { try pool.async(qos: .utility) {} }
        #expect(isFull { try pool.async(qos: .utility) {} })
        // Not refused, and not waiting.
        try pool.async(qos: .utility, after: hour) {}
        try await pool.startWhenAccepted(qos: .utility, whenFull: .throw, after: hour) {}
        gate.open()
        await waitWhile(pool.statistics[.utility].finished < 3)
        try await pool.shutdown()
        let statistics = pool.statistics[.utility]
        #expect(statistics.finished == 3 && statistics.cancelled == 14 && statistics.refused == 1)
    }

    @Test("jobs whose time has not come take no place, on any kind of queue")
    func delayed() async throws {
        let options = QueuePoolOptions(
            label: "p", queuesPerTier: .exactly(1), capacity: [.utility: 2])
        try await checkDelayed(DispatchQueuePool(options))
        #if os(Linux)
            try await checkDelayed(WorkerQueuePool(options))
        #endif
    }

    #if os(Linux)
        @Test("what callers put on queues that they were handed counts, also if it is delayed")
        func queues() async throws {
            let pool = try makePool(2)
            let gate = try block(pool)
            let queue = pool.queue(for: .utility)
            let delayed = try queue.async(after: .seconds(3_600)) {}
            let first = try queue.async {}
            try queue.async {}
            let refused = [
                { _ = try queue.async {} }, { _ = try queue.async(after: .zero) {} },
                { _ = try pool.async(qos: .utility) {} },
            ]
            for submit in refused { #expect(isFull(submit)) }
            // This cannot be refused.
            queue.enqueue {}
            #expect(delayed.cancel() && first.cancel())
            try queue.async(after: .zero) {}
            #expect(isFull { try queue.async {} })
            gate.open()
            #expect(try await hasExactRoom(2, pool))
            try await pool.shutdown()
        }
    #endif

    @Test(
        "without room, run waits, and continues in order, before jobs that come later",
        arguments: [false, true])
    func suspended(isKeyed: Bool) async throws {
        let pool = try makePool(1)
        let gate = try block(pool)
        try pool.async(qos: .utility) {}
        let order = Recorder<Int>()
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<20 {
            tasks.append(
                Task {
                    try await pool.run(qos: .utility, key: isKeyed ? number : nil) {
                        order.append(number)
                    }
                })
            await waitForSuspended(number + 1, in: pool)
        }
        #expect(isFull { try pool.async(qos: .utility) {} })
        #expect(order.elements.isEmpty)
        gate.open()
        for task in tasks { try await task.value }
        #expect(order.elements == Array(0..<20))
        #expect(try await hasExactRoom(1, pool))
    }

    @Test(
        "cancelled while it waits for room, run throws, its closure is gone, and the next one gets the room")
    func cancelledWhileSuspended() async throws {
        let pool = try makePool(1)
        let gate = try block(pool)
        let job = try pool.async(qos: .utility) {}
        let events = Recorder<String>()
        let first = Task {
            do {
                let probe = LifetimeProbe { events.append("released") }
                try await pool.run(qos: .utility) { [probe] in probe.touch() }
            } catch is CancellationError {
                events.append("cancelled")
            }
        }
        await waitForSuspended(1, in: pool)
        let second = Task { try await pool.run(qos: .utility) { 7 } }
        await waitForSuspended(2, in: pool)
        first.cancel()
        try await first.value
        #expect(events.elements == ["released", "cancelled"])
        #expect(job.cancel())
        await waitForSuspended(0, in: pool)
        gate.open()
        #expect(try await second.value == 7)
        #expect(try await hasExactRoom(1, pool))
    }

    @Test("a shutdown refuses calls of run that wait for room, at once and however many")
    func shutdownWhileSuspended() async throws {
        let pool = try makePool(1)
        let gate = try block(pool)
        try pool.async(qos: .utility) {}
        let count = 10_000
        let tasks = (0..<count).map { _ in Task { try await pool.run(qos: .utility) { 1 } } }
        await waitForSuspended(count, in: pool)
        async let isOver = pool.hasShutDown()
        var refused = 0
        for task in tasks {
            // Not by `#expect`, whose time grows with the square of the errors.
            guard case .failure(let error) = await task.result else { continue }
            if (error as? PoolError)?.code == .shutDown { refused += 1 }
        }
        #expect(refused == count)
        gate.open()
        #expect(await isOver)
        #expect(pool.statistics[.utility].finished == 2)
    }

    #if os(Linux)
        @Test(
            "when the task's priority rises, a call that waits moves to the higher tier, even if that is full"
        )
        func escalation() async throws {
            let pool = try makePool(1)
            let gate = try block(pool)
            try pool.async(qos: .utility) {}
            let (upper, upperRan) = (Gate(), Counter())
            try pool.async(qos: .userInitiated) { upper.pass() }
            await upper.waitForArrivals()
            try pool.async(qos: .userInitiated) { upperRan.increment() }
            let task = Task(priority: .utility) { try await pool.run { 7 } }
            await waitForSuspended(1, in: pool)
            task.escalatePriority(to: .high)
            await waitWhile(pool.statistics[.userInitiated].movedIn < 1)
            #expect(isFull { try pool.async(qos: .userInitiated) {} })
            upper.open()
            // The utility tier still stands.
            #expect(try await task.value == 7)
            gate.open()
            #expect(try await hasExactRoom(1, pool))
            #expect(upperRan.value == 1)
        }
    #endif

    @Test("with jobs of all forms from many tasks no place is lost, and none used twice", arguments: 0..<4)
    func storm(seed: UInt64) async throws {
        let capacity = 3
        let pool = try makePool(capacity, queues: 2)
        let (accepted, cancelled, ran) = (Counter(), Counter(), Counter())
        var random = SeededGenerator(seed: seed)
        let plans = (0..<16).map { _ in (0..<200).map { _ in UInt64.random(in: 0..<8, using: &random) } }
        await withTaskGroup(of: Void.self) { group in
            for plan in plans {
                group.addTask {
                    for kind in plan {
                        switch kind {
                        case 0...2:
                            guard let job = try? pool.async(qos: .utility, { ran.increment() }) else {
                                continue
                            }
                            accepted.increment()
                            if kind == 0, job.cancel() { cancelled.increment() }
                        case 3:
                            guard let job = try? pool.async(qos: .utility, key: kind, { ran.increment() })
                            else { continue }
                            accepted.increment()
                            if job.cancel() { cancelled.increment() }
                        case 4:
                            let task = Task { try await pool.run(qos: .utility) { ran.increment() } }
                            task.cancel()
                            accepted.increment()
                            if case .failure = await task.result { cancelled.increment() }
                        case 5:
                            _ = try? await pool.run(qos: .utility, key: kind) { ran.increment() }
                            accepted.increment()
                        default:
                            _ = try? await pool.run(qos: .utility) { ran.increment() }
                            accepted.increment()
                        }
                    }
                }
            }
        }
        #expect(try await hasExactRoom(capacity, pool))
        try await pool.shutdown()
        #expect(ran.value + cancelled.value == accepted.value)
    }

    @Test("a refusal is a pattern, which matches its own kind of error and no other")
    func patterns() async throws {
        struct Refusal: Error {}
        func pattern(_ body: () throws -> Void) -> String {
            do { try body() } catch PoolError.full {
                return "full"
            } catch let error as PoolError where error.code == .shutDown {
                return "shut down"
            } catch {
                return "another"
            }
            return "none"
        }
        let pool = try makePool(1)
        let gate = try block(pool)
        #expect(pattern { try pool.async(qos: .utility) {} } == "none")
        #expect(pattern { try pool.async(qos: .utility) {} } == "full")
        #expect(pattern { throw Refusal() } == "another")
        func isFullByCode() -> Bool {
            do throws(PoolError) { try pool.async(qos: .utility) {} } catch  where error.code == .full {
                return true
            } catch {
                #expect(error.code == .shutDown)
            }
            return false
        }
        #expect(isFullByCode())
        gate.open()
        try await pool.shutdown()
        #expect(pattern { try pool.async(qos: .utility) {} } == "shut down")
        #expect(!isFullByCode())
    }
}
