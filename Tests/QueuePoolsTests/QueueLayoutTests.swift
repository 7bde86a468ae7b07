import Testing
import QueuePoolsTopology

@testable import QueuePools

@Suite("Queue layout")
struct QueueLayoutTests {
    private func node(_ id: Int, cpus: [Int], distances: [Int: Int] = [:]) -> CPUTopology.Node {
        CPUTopology.Node(id: id, cpus: cpus, distances: distances)
    }

    @Test("one node has one partition and no table to look callers up in")
    func oneNode() {
        let layout = QueueLayout(queueCount: 4, topology: .singleNode(cpuCount: 4), placement: .byNode)
        #expect(layout.partitions == [.init(node: 0, queues: 0..<4)])
        #expect(layout.partitionOfCPU.isEmpty)
    }

    @Test("queues are divided in proportion to the nodes' cores")
    func proportional() {
        let topology = CPUTopology(
            nodes: [node(0, cpus: [0, 1, 2, 3, 4, 5]), node(1, cpus: [6, 7])], activeProcessorCount: 8)
        let layout = QueueLayout(queueCount: 8, topology: topology, placement: .byNode)
        #expect(layout.partitions == [.init(node: 0, queues: 0..<6), .init(node: 1, queues: 6..<8)])
        #expect(layout.partitionOfCPU == [0, 0, 0, 0, 0, 0, 1, 1])
    }

    @Test(
        "every queue belongs to one partition and none is empty, for any count on eight nodes with gaps"
    )
    func complete() {
        let nodes = (0..<8).map { node($0 * 3, cpus: [$0 * 2, $0 * 2 + 1]) }
        let topology = CPUTopology(nodes: nodes, activeProcessorCount: 16)
        for count in 1...64 {
            let layout = QueueLayout(queueCount: count, topology: topology, placement: .byNode)
            #expect(layout.partitions.flatMap { Array($0.queues) } == Array(0..<count))
            #expect(layout.partitions.allSatisfy { !$0.queues.isEmpty })
            #expect(layout.partitionOfCPU.allSatisfy { layout.partitions.indices.contains($0) })
        }
    }

    @Test("a node without a queue is served by the nearest node that has one")
    func nearest() {
        let topology = CPUTopology(
            nodes: [
                node(0, cpus: [0, 1], distances: [0: 10, 1: 30, 2: 20]),
                node(1, cpus: [2, 3], distances: [0: 30, 1: 10, 2: 15]),
                node(2, cpus: [4], distances: [0: 30, 1: 15, 2: 10]),
            ], activeProcessorCount: 5)
        let layout = QueueLayout(queueCount: 2, topology: topology, placement: .byNode)
        #expect(layout.partitions.map(\.node) == [0, 1])
        #expect(layout.partitionOfCPU == [0, 0, 1, 1, 1])
    }

    @Test("memory-only nodes get no queues")
    func memoryOnly() {
        let topology = CPUTopology(
            nodes: [node(0, cpus: [0, 1]), node(1, cpus: []), node(2, cpus: [2, 3])], activeProcessorCount: 4)
        let layout = QueueLayout(queueCount: 4, topology: topology, placement: .byNode)
        #expect(layout.partitions.map(\.node) == [0, 2])
    }

    @Test("absurd CPU numbers take no absurd memory")
    func absurdNumbers() {
        let topology = CPUTopology(
            nodes: [node(0, cpus: [0, .max]), node(1, cpus: [1, 1 << 40])], activeProcessorCount: 4)
        let layout = QueueLayout(queueCount: 4, topology: topology, placement: .byNode)
        #expect(layout.partitionOfCPU.count == 1 << 16)
        #expect(layout.partitionOfCPU[1] == 1)
    }

    @Test("shared placement ignores the nodes")
    func shared() {
        let topology = CPUTopology(
            nodes: [node(0, cpus: [0, 1]), node(1, cpus: [2, 3])], activeProcessorCount: 4)
        let layout = QueueLayout(queueCount: 4, topology: topology, placement: .shared)
        #expect(layout.partitions == [.init(node: nil, queues: 0..<4)])
    }
}
