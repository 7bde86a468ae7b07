#if os(Linux)
    import Foundation
    import Testing

    @testable import QueuePoolsTopology

    @Suite("What was read from the system")
    struct SystemTopologyTests {
        typealias Node = CPUTopology.Node

        private let twoNodes = [
            Node(id: 0, cpus: [0, 1, 2, 3], memoryBytes: 1 << 30, distances: [0: 10, 2: 20]),
            Node(id: 2, cpus: [4, 5, 6, 7], memoryBytes: 2 << 30, distances: [0: 20, 2: 10]),
        ]

        private func topology(
            nodes: [Node], affinity: [Int], limits: ControlGroupLimits = ControlGroupLimits()
        ) -> CPUTopology {
            CPUTopology(machineNodes: nodes, affinity: affinity, limits: limits, memoryBytes: 7)
        }

        @Test("without NUMA is one node with all usable CPUs and all memory")
        func withoutNUMA() {
            let topology = topology(nodes: [], affinity: [1, 4, 9])
            #expect(topology.nodes == [Node(id: 0, cpus: [1, 4, 9], memoryBytes: 7, distances: [0: 10])])
            #expect(topology.activeProcessorCount == 3)
        }

        @Test("shows on each node only the CPUs in the affinity mask and in the cpuset")
        func onlyUsableCPUs() {
            let limits = ControlGroupLimits(cpus: [0, 1, 2, 4])
            let topology = topology(nodes: twoNodes, affinity: [1, 2, 3, 4, 5], limits: limits)
            #expect(topology.nodes.map(\.cpus) == [[1, 2], [4]])
            #expect(topology.nodes.map(\.memoryBytes) == [1 << 30, 2 << 30])
            #expect(topology.nodes[1].distances == [0: 20, 2: 10])
            #expect(topology.activeProcessorCount == 3)
        }

        @Test("keeps nodes without usable CPUs, since their memory is there")
        func nodesWithoutCPUs() {
            let memory = Node(id: 5, cpus: [], memoryBytes: 64 << 30)
            let topology = topology(nodes: twoNodes + [memory], affinity: [6])
            #expect(topology.nodes.map(\.cpus) == [[], [6], []])
            #expect(topology.activeProcessorCount == 1)
        }

        @Test("is one node where no node claims a usable CPU")
        func contradictoryNodes() {
            let topology = topology(nodes: twoNodes, affinity: [100, 101])
            #expect(topology.nodes.map(\.cpus) == [[100, 101]])
        }

        @Test("lets a quota cut the count and leave the CPUs")
        func quota() {
            let topology = topology(
                nodes: twoNodes, affinity: Array(0..<8), limits: ControlGroupLimits(processors: 3))
            #expect(topology.activeProcessorCount == 3)
            #expect(topology.nodes.flatMap(\.cpus).count == 8)
        }

        @Test("does not let a quota raise the count")
        func generousQuota() {
            let limits = ControlGroupLimits(processors: 64)
            #expect(topology(nodes: [], affinity: [0, 1], limits: limits).activeProcessorCount == 2)
        }

        @Test(
            "ignores a cpuset that shares no CPU with the affinity mask",
            arguments: [[], [8, 9]] as [Set<Int>])
        func disjointCPUSet(cpus: Set<Int>) {
            let topology = topology(nodes: [], affinity: [0, 1], limits: ControlGroupLimits(cpus: cpus))
            #expect(topology.activeProcessorCount == 2)
            #expect(topology.nodes[0].cpus == [0, 1])
        }
    }

    @Suite("The affinity mask")
    struct AffinityMaskTests {
        @Test("grows until it holds the mask of a kernel with thousands of CPUs")
        func growingMask() {
            var sizes: [Int] = []
            let cpus = AffinityMask.read { bytes, mask in
                sizes.append(bytes * 8)
                guard bytes * 8 >= 4096 else { return EINVAL }
                mask?[0] = 0b101
                mask?[4095 / UInt.bitWidth] = 1 << UInt(UInt.bitWidth - 1)
                return 0
            }
            #expect(cpus == [0, 2, 4095])
            #expect(sizes == [1024, 2048, 4096])
        }

        @Test("that cannot be read is taken to hold the online CPUs", arguments: [EINVAL, EPERM, ENOSYS, 0])
        func unreadableMask(error: CInt) {
            let online = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
            #expect(AffinityMask.read { _, _ in error } == Array(0..<online))
        }
    }
#endif
