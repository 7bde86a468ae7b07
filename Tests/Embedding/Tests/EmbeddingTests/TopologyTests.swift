import QueuePools
import Testing
import QueuePoolsTopology

@Suite("The machine, as a stranger sees it")
struct TopologyTests {
    @Test("the machine has a core for us, and its nodes hold the cores that we may use")
    func machine() {
        let machine = CPUTopology.current()
        #expect(machine.activeProcessorCount >= 1)
        #expect(machine.nodes.contains { !$0.cpus.isEmpty })
    }

    @Test("a pool can be laid out for a machine described by hand")
    func madeByHand() throws {
        let nodes = [
            CPUTopology.Node(id: 0, cpus: [0, 1], distances: [0: 10, 1: 20]),
            CPUTopology.Node(id: 1, cpus: [2, 3], distances: [0: 20, 1: 10]),
        ]
        let machine = CPUTopology(nodes: nodes, activeProcessorCount: 4)
        let pool = try DispatchQueuePool(QueuePoolOptions(label: "server", topology: machine))
        #expect(pool.queueCount(of: .utility) == 4)
    }
}
