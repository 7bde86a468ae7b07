import Dispatch
import QueuePools

/// Which node a queue is made for: what kinds of queue that live on their node rely on.
func nodeQueueChecks(on machine: Machine) -> [Check] {
    let kind = PoolKind<NodeQueue>.nodeQueues
    let runnable = machine.runnableNodes.map(\.id)
    return [
        Check("a queue is made for a node that has CPUs which the process may use") { findings in
            for count in 1...machine.cpus.count + 1 {
                let pool = try kind.pool(queuesPerTier: .exactly(count))
                for queue in try pool.allQueues(on: machine) {
                    findings.expect(
                        queue.node.map(runnable.contains) ?? false,
                        "of \(count), one was made for node \(describe(queue.node)), not one of \(runnable)")
                }
            }
        },

        Check("with a queue for each CPU, a caller is handed the queues that were made for its node") {
            findings in
            let pool = try kind.pool(queuesPerTier: .exactly(machine.cpus.count))
            for cpu in machine.cpus {
                let node = try CurrentThread.on(cpu: cpu) { try CurrentThread.node() }
                for queue in try pool.queues(onCPU: cpu) {
                    findings.expect("the node of a queue selected on CPU \(cpu)", queue.node, is: node)
                }
            }
        },

        Check("with fewer queues than nodes, a node without one is served by the nearest that has") {
            findings in
            for count in 1...runnable.count {
                let pool = try kind.pool(queuesPerTier: .exactly(count))
                let owners = Set(try pool.allQueues(on: machine).compactMap(\.node))
                findings.expect("the number of nodes with a queue", owners.count, is: count)
                for node in machine.runnableNodes {
                    let expected = machine.nearest(to: node.id, among: owners)
                    for queue in try pool.queues(onCPU: node.cpus.min()!) {
                        findings.expect(
                            queue.node.map(expected.contains) ?? false,
                            "node \(node.id) is served by \(describe(queue.node)), not \(expected.sorted())")
                    }
                }
            }
        },

        Check("a job that is submitted to the pool is put on a queue of its submitter's node") { findings in
            for node in machine.runnableNodes {
                let nodes = try nodesOfJobs(submittedOn: node, of: machine) { pool in
                    for _ in 1...5 { try pool.async(qos: .default) {} }
                    pool.shutdownBlocking()
                }
                findings.expect("the jobs' node", nodes, is: [node.id: 5])
            }
        },

        Check("a task that is started on a node takes its first step on a queue of that node") { findings in
            for node in machine.runnableNodes {
                let nodes = try nodesOfJobs(submittedOn: node, of: machine) { pool in
                    let done = DispatchSemaphore(value: 0)
                    Task(executorPreference: pool.taskExecutor(for: .default)) { _ = done.signal() }
                    done.wait()
                }
                findings.expect("the step's node", nodes, is: [node.id: 1])
            }
        },

        Check("an actor's executor that is asked for on a node is a queue of that node") { findings in
            let pool = try kind.pool(queuesPerTier: .exactly(machine.cpus.count))
            for node in machine.runnableNodes {
                for cpu in node.cpus {
                    let executor = try CurrentThread.on(cpu: cpu) { pool.serialExecutor(for: .default) }
                    findings.expect("its node", executor.queue.node, is: node.id)
                }
            }
        },
    ]
}

/// How many jobs the queues of each node got, in a new pool with a queue for each CPU, from what `body` did
/// on that node.
private func nodesOfJobs(
    submittedOn node: Machine.Node, of machine: Machine, _ body: (QueuePool<NodeQueue>) throws -> Void
) throws -> [Int?: Int] {
    let pool = try PoolKind<NodeQueue>.nodeQueues.pool(queuesPerTier: .exactly(machine.cpus.count))
    try CurrentThread.on(cpu: node.cpus.min()!) { try body(pool) }
    let used = try pool.allQueues(on: machine).filter { $0.jobCount > 0 }
    return Dictionary(used.map { ($0.node, $0.jobCount) }, uniquingKeysWith: +)
}
