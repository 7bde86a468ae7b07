import Dispatch
import QueuePoolsLocks
import TestSupport
import Testing
import QueuePoolsTopology

@testable import QueuePools

@Suite("Handing out queues", .timeLimit(.minutes(15)))
struct SelectionTests {
    /// A queue that only knows its name: the pool's logic needs no more.
    final class NamedQueue: SerialQueue {
        let label: String
        let tier: QoSTier
        let node: Int?

        init(label: String, tier: QoSTier, node: Int?) {
            self.label = label
            self.tier = tier
            self.node = node
        }

        func enqueue(_ job: @escaping @Sendable () -> Void) { job() }
        var isCurrent: Bool { false }
    }

    private func pool(
        _ options: QueuePoolOptions, cpu: @escaping @Sendable () -> Int? = { nil }
    ) throws
        -> QueuePool<NamedQueue>
    {
        try QueuePool(options, currentCPU: cpu) { tier, layout, number, accounting in
            let part = layout.partitions[number]
            let queues = part.queues.map { index in
                NamedQueue(
                    label: tier.queueLabel(in: options.label, index), tier: tier, node: part.node)
            }
            return CountedPartition(queues, labels: queues.map(\.label), accounting: accounting)
        }
    }

    @Test("queues are labelled with pool, tier and index", arguments: QoSTier.allCases)
    func labels(tier: QoSTier) throws {
        let pool = try DispatchQueuePool(label: "feed", queuesPerTier: .exactly(3))
        let labels = (0..<3).map { _ in pool.queue(for: tier).label }
        #expect(labels == ["feed.\(tier.name).0", "feed.\(tier.name).1", "feed.\(tier.name).2"])
        // Linux's Dispatch turns userInteractive into userInitiated, for queues made by hand as well.
        #expect(pool.queue(for: tier).qos == DispatchQueue(label: "by hand", qos: tier.dispatchQoS).qos)
    }

    @Test("selections go round the tier's queues, each tier on its own")
    func roundRobin() throws {
        let pool = try pool(.init(label: "p", queuesPerTier: .exactly(3)))
        let first = (0..<3).map { _ in ObjectIdentifier(pool.queue(for: .utility)) }
        #expect(Set(first).count == 3)
        _ = pool.queue(for: .default)
        let second = (0..<3).map { _ in ObjectIdentifier(pool.queue(for: .utility)) }
        #expect(first == second)
    }

    @Test(
        "over k·n selections from any number of threads each of n queues is selected k times",
        arguments: [1, 3, 4, 7])
    func exact(count: Int) async throws {
        let pool = try pool(.init(label: "p", queuesPerTier: .exactly(count)))
        let handed = await withTaskGroup(of: [String].self) { group in
            for _ in 0..<8 {
                group.addTask { (0..<(500 * count)).map { _ in pool.queue(for: .default).label } }
            }
            return await group.reduce(into: [String: Int]()) { counts, labels in
                for label in labels { counts[label, default: 0] += 1 }
            }
        }
        #expect(handed.count == count)
        #expect(handed.values.allSatisfy { $0 == 8 * 500 })
    }

    @Test("a tier's queues are made when it is first used, once, whichever caller is first")
    func lazy() async throws {
        let made = Recorder<String>()
        let pool = try QueuePool(.init(label: "p", queuesPerTier: .exactly(2))) { label, tier, node in
            made.append(label)
            return NamedQueue(label: label, tier: tier, node: node)
        }
        #expect(made.elements.isEmpty)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<16 { group.addTask { _ = pool.queue(for: .background) } }
        }
        #expect(made.elements == ["p.background.0", "p.background.1"])
    }

    @Test("equal keys get the same queue and all queues are used")
    func sticky() throws {
        let pool = try pool(.init(label: "p", queuesPerTier: .exactly(4)))
        var used: Set<ObjectIdentifier> = []
        for key in 0..<256 {
            let queue = pool.queue(for: .default, key: key)
            #expect(queue === pool.queue(for: .default, key: key))
            used.insert(ObjectIdentifier(queue))
        }
        #expect(used.count == 4)
    }

    @Test("callers are handed the queues of their own node, in turn")
    func callersNode() throws {
        let topology = CPUTopology(
            nodes: [.init(id: 0, cpus: [0, 1]), .init(id: 4, cpus: [2, 3])], activeProcessorCount: 4)
        let cpu = Lock<Int?>(0)
        let pool = try pool(.init(label: "p", topology: topology)) { cpu.withLock { $0 } }
        #expect((0..<4).map { _ in pool.queue(for: .default).label.last } == ["0", "1", "0", "1"])
        cpu.withLock { $0 = 3 }
        #expect((0..<4).map { _ in pool.queue(for: .default).node } == [4, 4, 4, 4])
        #expect((0..<2).map { _ in pool.queue(for: .default).label.last } == ["2", "3"])
        cpu.withLock { $0 = 99 }
        #expect(pool.queue(for: .default).node == 0, "a CPU that the topology does not know")
        cpu.withLock { $0 = nil }
        #expect(pool.queue(for: .default).node == 0, "a system that does not tell")
    }

    @Test("by default a tier has one queue per active core, cut to the limit")
    func defaultCount() throws {
        #expect(
            try DispatchQueuePool(label: "p").queueCount(of: .utility)
                == min(CPUTopology.current().activeProcessorCount, 64))
        let large = try pool(.init(label: "p", topology: .singleNode(cpuCount: 512)))
        #expect(large.queueCount(of: .utility) == 64)
    }

    @Test("impossible queue counts are refused with the reason", arguments: [0, -1, .min, 65, .max])
    func impossibleCounts(count: Int) {
        let error = #expect(throws: PoolError.self) {
            try DispatchQueuePool(label: "p", queuesPerTier: .exactly(count))
        }
        #expect(error?.code == .invalidQueueCount)
        #expect(error?.description == "a tier has 1 to 64 queues; \(count) were asked for")
    }

    @Test("impossible labels are refused", arguments: ["", "a\0b"])
    func impossibleLabels(label: String) {
        let error = #expect(throws: PoolError.self) { try DispatchQueuePool(label: label) }
        #expect(error?.code == .invalidLabel)
    }

    @Test("Dispatch's classes map to the tiers of the same name, unspecified to default")
    func classes() {
        for tier in QoSTier.allCases { #expect(QoSTier(tier.dispatchQoS.qosClass) == tier) }
        #expect(QoSTier(.unspecified) == .default)
    }

    @Test("the process's pool is the same at each use")
    func sharedPool() {
        let pool = DispatchQueuePool.shared
        let queues = (0..<pool.queueCount(of: .utility)).map { index in
            (index % 2 == 0 ? pool : .shared).queue(for: .background)
        }
        #expect(Set(queues.map(\.label)).count == pool.queueCount(of: .utility))
    }
}
