import Testing
import QueuePoolsTopology

@Suite("A topology made by hand")
struct CPUTopologyTests {
    typealias Node = CPUTopology.Node

    @Test("keeps eight nodes with their CPUs, memory and distances")
    func eightNodes() {
        let nodes = (0..<8).map { id in
            Node(
                id: id, cpus: Array(id * 16..<(id + 1) * 16), memoryBytes: 32 << 30,
                distances: Dictionary(uniqueKeysWithValues: (0..<8).map { ($0, $0 == id ? 10 : 21) }))
        }
        let topology = CPUTopology(nodes: nodes, activeProcessorCount: 128)
        #expect(topology.nodes == nodes)
        #expect(topology.activeProcessorCount == 128)
        #expect(topology.nodes[5].distances[5] == 10)
        #expect(topology.nodes[5].distances[6] == 21)
        #expect(topology.node(ofCPU: 0) == 0)
        #expect(topology.node(ofCPU: 95) == 5)
        #expect(topology.node(ofCPU: 127) == 7)
    }

    @Test("is described by its counts")
    func description() {
        let nodes = [Node(id: 0, cpus: [0, 1, 2]), Node(id: 1, cpus: [3])]
        #expect("\(CPUTopology(nodes: nodes, activeProcessorCount: 2))" == "CPUs 4, active 2, nodes 2")
    }

    @Test("keeps a node that has memory only")
    func memoryOnlyNode() {
        let nodes = [
            Node(id: 0, cpus: [0, 1], memoryBytes: 1 << 30), Node(id: 1, cpus: [], memoryBytes: 8 << 30),
        ]
        let topology = CPUTopology(nodes: nodes, activeProcessorCount: 2)
        #expect(topology.nodes.map(\.id) == [0, 1])
        #expect(topology.nodes[1].cpus.isEmpty)
        #expect(topology.nodes[1].memoryBytes == 8 << 30)
    }

    @Test("sorts nodes whose numbers have gaps")
    func holesInNumbering() {
        let nodes = [Node(id: 8, cpus: [2, 3]), Node(id: 0, cpus: [0]), Node(id: 252, cpus: [])]
        let topology = CPUTopology(nodes: nodes, activeProcessorCount: 3)
        #expect(topology.nodes.map(\.id) == [0, 8, 252])
        #expect(topology.node(ofCPU: 3) == 8)
    }

    @Test("with one core has one node with one CPU")
    func oneCore() {
        let topology = CPUTopology.singleNode(cpuCount: 1)
        #expect(topology.activeProcessorCount == 1)
        #expect(topology.nodes == [Node(id: 0, cpus: [0], distances: [0: 10])])
    }

    @Test("with 512 cores lists all of them")
    func manyCores() {
        let topology = CPUTopology.singleNode(cpuCount: 512)
        #expect(topology.activeProcessorCount == 512)
        #expect(topology.nodes[0].cpus == Array(0..<512))
        #expect(topology.node(ofCPU: 511) == 0)
    }

    @Test("without any node gets one with as many CPUs as are active")
    func empty() {
        let topology = CPUTopology(nodes: [], activeProcessorCount: 3)
        #expect(topology == .singleNode(cpuCount: 3))
        #expect(topology.nodes.map(\.cpus) == [[0, 1, 2]])
    }

    @Test("moves an impossible processor count into the range", arguments: [0, -1, Int.min])
    func countIsAtLeastOne(count: Int) {
        #expect(
            CPUTopology(nodes: [Node(id: 0, cpus: [])], activeProcessorCount: count).activeProcessorCount == 1
        )
        #expect(CPUTopology.singleNode(cpuCount: count) == .singleNode(cpuCount: 1))
    }

    @Test("does not take the memory that a huge processor count would need")
    func countIsBounded() {
        let topology = CPUTopology.singleNode(cpuCount: .max)
        #expect(topology.activeProcessorCount == 65_536)
        #expect(topology.nodes[0].cpus.count == 65_536)
    }

    @Test("keeps a processor count that differs from the number of CPUs listed", arguments: [1, 9])
    func countIsIndependentOfCPUs(count: Int) {
        let topology = CPUTopology(nodes: [Node(id: 0, cpus: [0, 1, 2, 3])], activeProcessorCount: count)
        #expect(topology.activeProcessorCount == count)
        #expect(topology.nodes[0].cpus.count == 4)
    }

    @Test("sorts a node's CPUs and drops repeated and negative ones")
    func cpusAreSortedAndUnique() {
        #expect(Node(id: 0, cpus: [7, -1, 3, 7, Int.min, 0]).cpus == [0, 3, 7])
    }

    @Test("keeps the first of two nodes with one number")
    func repeatedNodes() {
        let nodes = [Node(id: 1, cpus: [4]), Node(id: 1, cpus: [5])]
        #expect(CPUTopology(nodes: nodes, activeProcessorCount: 2).nodes == [nodes[0]])
    }

    @Test("leaves a CPU that two nodes claim with the lower one")
    func cpuInTwoNodes() {
        let nodes = [Node(id: 1, cpus: [1, 2]), Node(id: 0, cpus: [0, 1])]
        let topology = CPUTopology(nodes: nodes, activeProcessorCount: 3)
        #expect(topology.nodes.map(\.cpus) == [[0, 1], [2]])
        #expect(topology.node(ofCPU: 1) == 0)
    }

    @Test("knows no node for a CPU that it does not list", arguments: [-1, 2, Int.max])
    func unlistedCPU(cpu: Int) {
        #expect(CPUTopology.singleNode(cpuCount: 2).node(ofCPU: cpu) == nil)
    }
}
