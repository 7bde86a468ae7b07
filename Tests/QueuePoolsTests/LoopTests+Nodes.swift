import Dispatch
import Foundation
import QueuePoolsLocks
import QueuePoolsTopology
import TestSupport
import Testing

@testable import QueuePools

/// Which node the test's threads run on, of two with four queues a tier each.
final class TwoNodes: Sendable {
    private let nodes = Lock<[pthread_t: Int]>([:])

    /// Calls a closure as if the calling thread ran on a node. Other threads run on node 0.
    func on<Result>(_ node: Int, _ body: () throws -> Result) rethrows -> Result {
        nodes.withLock { $0[pthread_self()] = node }
        defer { nodes.withLock { $0[pthread_self()] = nil } }
        return try body()
    }

    func pool(_ kind: PoolKind, capacity: TierCapacities = .unlimited) throws -> any LoopingPool {
        let topology = CPUTopology(
            nodes: [
                CPUTopology.Node(id: 0, cpus: [0, 1], distances: [:]),
                CPUTopology.Node(id: 1, cpus: [2, 3], distances: [:]),
            ], activeProcessorCount: 4)
        let options = QueuePoolOptions(
            label: "n", queuesPerTier: .exactly(8), topology: topology, capacity: capacity)
        let currentCPU: @Sendable () -> Int? = { [self] in
            2 * (nodes.withLock { $0[pthread_self()] } ?? 0)
        }
        switch kind {
        case .dispatch:
            return try DispatchQueuePool(options, currentCPU: currentCPU) {
                tier, layout, number, accounting in
                let part = layout.partitions[number]
                let labels = part.queues.map { tier.queueLabel(in: "n", $0) }
                return CountedPartition(
                    labels.map { DispatchQueue(label: $0) }, labels: labels, accounting: accounting)
            }
        #if os(Linux)
            case .worker:
                return try WorkerQueuePool(options, currentCPU: currentCPU) {
                    tier, layout, number, accounting in
                    let part = layout.partitions[number]
                    let settings = ThreadSettings(
                        label: "n.\(tier.name).on\(part.node!)", limit: part.queues.count, keepsLast: true,
                        tier: tier)
                    return WorkerPartition(
                        WorkerGroup(
                            settings: settings, labels: part.queues.map { tier.queueLabel(in: "n", $0) },
                            accounting: accounting))
                }
        #endif
        }
    }
}

extension LoopTests {
    @Test(
        "a loop has one helper less than the tier has queues, on its caller's node and on the others",
        arguments: PoolKind.allCases, [0, 1])
    func allNodes(kind: PoolKind, node: Int) throws {
        let nodes = TwoNodes()
        let pool = try nodes.pool(kind)
        let meeting = Meeting(of: 8)
        nodes.on(node) { pool.forEach(0..<8, qos: .default, chunk: 1) { _ in meeting.join() } }
        #expect(pool.statistics[.default].submitted == 7)
    }

    @Test("a loop of few calls stays on its caller's node")
    func callersNode() throws {
        #if os(Linux)
            let nodes = TwoNodes()
            let pool = try nodes.pool(.worker)
            let (meeting, labels) = (Meeting(of: 4), Recorder<String>())
            nodes.on(1) {
                pool.forEach(0..<4, qos: .default, chunk: 1) { _ in
                    meeting.join()
                    if let label = PoolJob.currentQueueLabel { labels.append(label) }
                }
            }
            #expect(labels.elements == Array(repeating: "n.default.on1", count: 3))
        #endif
    }

    #if os(Linux)
        @Test("a loop gets the threads of its node back from a loop of another node")
        func ownNodeFirst() throws {
            let nodes = TwoNodes()
            let pool = try nodes.pool(.worker)
            let (isOver, hasEnded) = (Counter(), DispatchSemaphore(value: 0))
            // Not on Dispatch, whose threads other tests may have.
            Thread.detachNewThread {
                // Endless, of short calls.
                #expect(throws: Stop.self) {
                    try pool.forEach(0..<Int.max, qos: .default, chunk: 1) { _ in
                        sched_yield()
                        if isOver.value > 0 { throw Stop() }
                    }
                }
                hasEnded.signal()
            }
            while pool.statistics[.default].running < 7 { sched_yield() }
            let meeting = Meeting(of: 4)
            nodes.on(1) { pool.forEach(0..<4, qos: .default, chunk: 1) { _ in meeting.join() } }
            // And the other loop has them again.
            while pool.statistics[.default].running < 7 { sched_yield() }
            isOver.increment()
            hasEnded.wait()
            pool.shutdownBlocking()
        }
    #endif

    @Test("guests leave when the partition's own helpers need their threads, and no more than needed")
    func guests() {
        let helpers = LoopHelpers(threadCount: 4)
        var guests = [LoopHelpers.Taken]()
        while let guest = helpers.taken(isGuest: true) { guests.append(guest) }
        #expect(guests.count == 4)
        #expect(guests.allSatisfy { !$0.place.giveBackIfNeeded() })
        let own = [helpers.taken(isGuest: false), helpers.taken(isGuest: false)]
        #expect(own.allSatisfy { $0 != nil })
        #expect(guests.filter { $0.place.giveBackIfNeeded() }.count == 3)
        #expect(helpers.taken(isGuest: true) == nil)
        #expect(own.allSatisfy { $0?.place.giveBackIfNeeded() == false })
    }

    @Test("a helper that its queue drops gives its place back")
    func dropped() throws {
        let queue = HandQueue(runsAtOnce: false)
        let options = QueuePoolOptions(label: "d", queuesPerTier: .exactly(2))
        let pool = try QueuePool(options) { _, _, _ in queue }
        for round in 1...10 {
            pool.forEach(0..<10, qos: .default, chunk: 1) { number in
                if number == 0 { queue.dropAll() } else { take(.microseconds(10)) }
            }
            // One was dropped, and the next one cancelled.
            #expect(pool.statistics[.default].submitted == 2 * round)
            #expect(pool.statistics[.default].cancelled == 2 * round)
        }
    }
}

extension LoopHelpers {
    /// A place that an array can hold.
    final class Taken {
        let place: HelperPlace
        init(_ place: consuming HelperPlace) { self.place = place }
    }

    func taken(isGuest: Bool = false) -> Taken? {
        guard let place = takePlace(isGuest: isGuest) else { return nil }
        return Taken(place)
    }
}
