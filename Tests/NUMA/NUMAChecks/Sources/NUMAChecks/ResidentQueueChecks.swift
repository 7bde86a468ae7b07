import QueuePools

/// That a queue whose thread is its own lives on its node: for kinds of pool that promise it.
///
/// - Parameter mailbox: an address within the memory that a queue's jobs are handed over in.
func residentQueueChecks<Queue: SerialQueue>(
    _ kind: PoolKind<Queue>, on machine: Machine, mailbox: @escaping (Queue) throws -> UnsafeRawPointer
) -> [Check] {
    [
        Check("\(kind.name): a queue's thread may use all usable CPUs of its node and no others") {
            findings in
            let pool = try kind.pool(queuesPerTier: .exactly(machine.cpus.count))
            for node in machine.runnableNodes {
                // Its first user is confined to one CPU, which a thread would inherit.
                let user = node.cpus.min()!
                for qos in QoSTier.allCases {
                    for queue in try pool.queues(for: qos, onCPU: user) {
                        let facts = try CurrentThread.on(cpu: user) { try queue.threadFacts() }
                        findings.expect("the affinity on node \(node.id)", facts.affinity, is: node.cpus)
                        findings.expect("the node that a job runs on", facts.node, is: node.id)
                    }
                }
            }
        },

        Check("\(kind.name): a queue's thread stays on its node whichever CPU uses it first") { findings in
            for user in machine.cpus {
                let pool = try kind.pool(queuesPerTier: .exactly(machine.cpus.count))
                for node in machine.runnableNodes {
                    for queue in try pool.queues(onCPU: node.cpus.min()!) {
                        let facts = try CurrentThread.on(cpu: user) { try queue.threadFacts() }
                        findings.expect("used from CPU \(user), its affinity", facts.affinity, is: node.cpus)
                    }
                }
            }
        },

        Check("\(kind.name): with fewer queues than nodes, a queue's thread keeps to one node all the same") {
            findings in
            for count in 1...machine.runnableNodes.count {
                let pool = try kind.pool(queuesPerTier: .exactly(count))
                for cpu in machine.cpus {
                    for queue in try pool.queues(onCPU: cpu) {
                        let affinity = try queue.threadFacts().affinity
                        findings.expect(
                            machine.runnableNodes.contains { $0.cpus == affinity },
                            "of \(count), one may run on CPUs \(affinity.sorted()), which are no node's")
                    }
                }
            }
        },

        Check("\(kind.name): with shared placement, a queue's thread may use all CPUs that the process may") {
            findings in
            let pool = try kind.pool(placement: .shared)
            for queue in try pool.queues(onCPU: machine.cpus[0]) {
                findings.expect("its affinity", try queue.threadFacts().affinity, is: Set(machine.cpus))
            }
        },

        Check("\(kind.name): a queue's mailbox lies on its node, or the nearest whose memory may be used") {
            findings in
            for user in machine.cpus {
                let pool = try kind.pool(queuesPerTier: .exactly(machine.cpus.count))
                for node in machine.runnableNodes {
                    let expected = machine.nearest(to: node.id, among: machine.memoryNodes)
                    for queue in try pool.queues(onCPU: node.cpus.min()!) {
                        _ = try CurrentThread.on(cpu: user) { try queue.threadFacts() }
                        let found = try Memory.node(of: try mailbox(queue))
                        findings.expect(
                            found.map(expected.contains) ?? false,
                            "used from CPU \(user), it lies on \(describe(found)), not \(expected.sorted())")
                    }
                }
            }
        },
    ]
}
