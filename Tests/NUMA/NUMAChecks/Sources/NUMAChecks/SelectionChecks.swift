import QueuePools

/// Whose callers are handed which queues, for any kind of pool: told by the queues alone.
func selectionChecks<Queue: SerialQueue>(_ kind: PoolKind<Queue>, on machine: Machine) -> [Check] {
    [
        Check("\(kind.name): callers on all CPUs of a node are handed the same queues") { findings in
            let pool = try kind.pool()
            for node in machine.runnableNodes {
                let handedOut = try node.cpus.map { try pool.queues(onCPU: $0).identities }
                for queues in handedOut.dropFirst() {
                    findings.expect(queues == handedOut[0], "the CPUs of node \(node.id) differ")
                }
                findings.expect(!handedOut[0].isEmpty, "node \(node.id) has no queues")
            }
        },

        Check("\(kind.name): while there is a queue for each CPU, no two nodes share one") { findings in
            let pool = try kind.pool(queuesPerTier: .exactly(machine.cpus.count))
            var owners: [ObjectIdentifier: Int] = [:]
            for node in machine.runnableNodes {
                for queue in try pool.queues(onCPU: node.cpus.min()!) {
                    let owner = owners.updateValue(node.id, forKey: ObjectIdentifier(queue))
                    findings.expect(owner == nil, "nodes \(describe(owner)) and \(node.id) share a queue")
                }
            }
            findings.expect("the number of queues selected", owners.count, is: machine.cpus.count)
        },

        Check("\(kind.name): the nodes have queues in proportion to their CPUs") { findings in
            let counts = [machine.cpus.count, machine.cpus.count * 2, machine.cpus.count * 2 + 3]
            for count in counts where count <= QueuePoolOptions.queuesPerTierLimit {
                let pool = try kind.pool(queuesPerTier: .exactly(count))
                var total = 0
                for node in machine.runnableNodes {
                    let share = try pool.queues(onCPU: node.cpus.min()!).count
                    let product = count * node.cpus.count
                    let fair = product / machine.cpus.count...(product - 1) / machine.cpus.count + 1
                    findings.expect(
                        fair.contains(share), "of \(count), node \(node.id) has \(share), not \(fair)")
                    total += share
                }
                findings.expect("the sum of the nodes' queues", total, is: count)
            }
        },

        Check("\(kind.name): by default a tier has a queue for each active processor, each in use") {
            findings in
            let pool = try kind.pool()
            findings.expect("their number", pool.queueCount(of: .utility), is: machine.processors)
            for qos in QoSTier.allCases {
                let queues = try machine.cpus.flatMap { try pool.queues(for: qos, onCPU: $0) }
                findings.expect("those in use in \(qos)", queues.identities.count, is: machine.processors)
            }
        },

        Check("\(kind.name): a caller that moves is handed the queues of the node that it moved to") {
            findings in
            let pool = try kind.pool(queuesPerTier: .exactly(machine.cpus.count))
            let queues = try machine.runnableNodes.map { try pool.queues(onCPU: $0.cpus.min()!).identities }
            for _ in 1...3 {
                for (node, expected) in zip(machine.runnableNodes, queues) {
                    let found = try pool.queues(calls: 1, onCPU: node.cpus.max()!).identities
                    findings.expect(found.isSubset(of: expected), "on node \(node.id) it got another's")
                }
            }
        },

        Check("\(kind.name): threads on all CPUs at once are dealt each queue of their node equally often") {
            findings in
            let pool = try kind.pool()
            let calls = 100 * pool.queueCount(of: .utility)
            let hands = try Crowd.run(on: machine.cpus) {
                (0..<calls).map { _ in pool.queue(for: .userInitiated) }.counts
            }
            // Nodes without a queue of their own are served with another's: sums are over all CPUs served.
            var sums: [Set<ObjectIdentifier>: [ObjectIdentifier: Int]] = [:]
            for hand in hands { sums[Set(hand.keys), default: [:]].merge(hand, uniquingKeysWith: +) }
            for sum in sums.values {
                let (least, most) = (sum.values.min()!, sum.values.max()!)
                findings.expect(most - least <= 1, "one came \(least) times, another \(most)")
            }
            let sets = sums.keys.map { $0 }
            findings.expect("the queues", sets.map(\.count).reduce(0, +), is: pool.queueCount(of: .utility))
        },

        Check("\(kind.name): a key has the same queue for callers on all CPUs") { findings in
            let pool = try kind.pool()
            for key in 0..<50 {
                let queues = try machine.cpus.map { cpu in
                    try CurrentThread.on(cpu: cpu) { pool.queue(for: .utility, key: key) }
                }
                findings.expect("the number of queues of a key", queues.identities.count, is: 1)
            }
        },

        Check("\(kind.name): placement that is shared hands all queues to callers on every CPU") { findings in
            let pool = try kind.pool(placement: .shared)
            for cpu in machine.cpus {
                let count = try pool.queues(onCPU: cpu).count
                findings.expect("the number on CPU \(cpu)", count, is: machine.processors)
            }
        },
    ]
}
