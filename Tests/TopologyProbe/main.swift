// Prints what QueuePoolsTopology sees from inside a process of its own: `TopologyProbe [--pin CPU]`.

import QueuePoolsTopology

#if os(Linux)
    import CQueuePoolsThreads

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// Confines this process, which has one thread, to one CPU; needs no outside tool such as taskset.
    func pin(to cpu: Int) -> Bool {
        var mask = [UInt](repeating: 0, count: 1024 / UInt.bitWidth)
        guard (0..<1024).contains(cpu) else { return false }
        mask[cpu / UInt.bitWidth] = 1 << UInt(cpu % UInt.bitWidth)
        return cqp_thread_set_affinity(mask.count * MemoryLayout<UInt>.size, mask) == 0
    }

    let arguments = CommandLine.arguments.dropFirst()
    if arguments.first == "--pin" {
        guard arguments.count == 2, let cpu = arguments.last.flatMap({ Int($0) }), pin(to: cpu) else {
            print("cannot pin to \(arguments.last ?? "")")
            exit(1)
        }
    }
#endif

let topology = CPUTopology.current()
print("activeProcessorCount \(topology.activeProcessorCount)")
print("currentCPU \(CPUTopology.currentCPU().map(String.init) ?? "unknown")")
for node in topology.nodes {
    let distances = node.distances.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }
    print("node \(node.id) cpus \(node.cpus) memoryBytes \(node.memoryBytes) distances \(distances)")
}
