import QueuePoolsTopology

/// What `CPUTopology` says about the machine.
func topologyChecks(_ machine: Machine) -> [Check] {
    let topology = CPUTopology.current()
    return [
        Check("the topology has every node of the machine, those without CPUs and without memory too") {
            findings in
            findings.expect("the list", topology.nodes.map(\.id), is: machine.nodes.map(\.id))
        },

        Check("a node lists its CPUs that the process may use, and no others") { findings in
            for node in machine.nodes {
                let found = topology.nodes.first { $0.id == node.id }?.cpus
                findings.expect("node \(node.id)", found, is: node.cpus.sorted())
            }
        },

        Check("as many processors are active as the process can really use") { findings in
            findings.expect("their number", topology.activeProcessorCount, is: machine.processors)
        },

        Check("a node tells the size of its memory, less what the kernel keeps from the start") { findings in
            for node in machine.nodes {
                let found = topology.nodes.first { $0.id == node.id }.map { Int($0.memoryBytes >> 20) }
                let expected = node.memoryMiB / 2...node.memoryMiB
                findings.expect(
                    found.map(expected.contains) ?? false,
                    "node \(node.id) has \(describe(found)) MiB, not \(expected)")
            }
        },

        Check("a node tells the distances to all nodes") { findings in
            for node in machine.nodes {
                let expected = Dictionary(uniqueKeysWithValues: zip(machine.nodes.map(\.id), node.distances))
                let found = topology.nodes.first { $0.id == node.id }?.distances
                findings.expect("node \(node.id)", found, is: expected)
            }
        },

        Check("the kernel runs each CPU on the node that the topology lists it under") { findings in
            for cpu in machine.cpus {
                let node = try CurrentThread.on(cpu: cpu) { try CurrentThread.node() }
                findings.expect("CPU \(cpu)", topology.node(ofCPU: cpu), is: node)
            }
        },

        Check("a thread's current CPU is the one that it is confined to") { findings in
            for cpu in machine.cpus {
                let found = try CurrentThread.on(cpu: cpu) { CPUTopology.currentCPU() }
                findings.expect("on CPU \(cpu) it", found, is: cpu)
            }
        },

        Check("read on a thread that is confined to one CPU, the topology has that CPU alone") { findings in
            for node in machine.runnableNodes {
                for cpu in node.cpus {
                    let confined = try CurrentThread.on(cpu: cpu) { CPUTopology.current() }
                    let used = confined.nodes.filter { !$0.cpus.isEmpty }
                    findings.expect("the nodes with CPUs", used.map(\.id), is: [node.id])
                    findings.expect("their CPUs", used.flatMap(\.cpus), is: [cpu])
                    findings.expect("the count", confined.activeProcessorCount, is: 1)
                }
            }
        },

        Check("reading the topology leaves the thread where it may run") { findings in
            let before = try CurrentThread.affinity()
            _ = CPUTopology.current()
            findings.expect("its affinity", try CurrentThread.affinity(), is: before)
            findings.expect("its affinity", before, is: Set(machine.cpus))
        },
    ]
}
