#if os(Linux)
    import Foundation
    import Testing

    @testable import QueuePoolsTopology

    @Suite("The memory of a node")
    struct NodeMemoryTests {
        @Test("that is not available is taken from the nearest node that has some")
        func impossibleNodes() throws {
            let real = try #require(CPUTopology.current().nodes.first { $0.memoryBytes > 0 })
            let topology = CPUTopology(
                nodes: [
                    real,
                    .init(id: 900, cpus: [7_000], distances: [900: 10, real.id: 20]),
                    .init(id: .max, cpus: [7_001]),
                ], activeProcessorCount: 3)
            let homes = NodeMemory.homes(in: topology)
            // Nothing at all, where the package is built without libnuma or a sandbox forbids to ask.
            #expect(homes.isEmpty || homes == [real.id: real.id, 900: real.id, .max: real.id])
        }

        @Test(
            "is full of zeros and can be written, whether there is such a node or not", arguments: [0, 900])
        func memory(of node: Int) {
            let memory = NodeMemory.allocate(byteCount: 5000, on: node)
            defer { NodeMemory.free(memory, byteCount: 5000) }
            let bytes = UnsafeMutableRawBufferPointer(start: memory, count: 5000)
            #expect(bytes.allSatisfy { $0 == 0 })
            for index in bytes.indices { bytes[index] = 1 }
            #expect(bytes.allSatisfy { $0 == 1 })
        }

        @Test("loses the contents of whole pages only, when it is discarded")
        func discard() {
            let page = Int(getpagesize())
            let memory = NodeMemory.allocate(byteCount: 3 * page, on: nil)
            defer { NodeMemory.free(memory, byteCount: 3 * page) }
            let bytes = UnsafeMutableRawBufferPointer(start: memory, count: 3 * page)
            for index in bytes.indices { bytes[index] = 1 }
            NodeMemory.discard(memory, byteCount: page / 2)
            #expect(bytes.allSatisfy { $0 == 1 })
            NodeMemory.discard(memory + page / 2, byteCount: 2 * page)
            #expect(bytes.enumerated().allSatisfy { ($0 / page == 1) == ($1 == 0) })
        }
    }
#endif
