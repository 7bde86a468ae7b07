import Glibc
@testable import QueuePools

let arguments = CommandLine.arguments.dropFirst()
if arguments.contains("--help") {
    printLine(Machine.usage)
    exit(0)
}

do {
    let machine = try Machine(arguments: arguments)
    let dispatchQueues = PoolKind(name: "DispatchQueuePool") { try DispatchQueuePool($0) }
    let workerQueues = PoolKind(name: "WorkerQueuePool") { try WorkerQueuePool($0) }
    let checks =
        memoryChecks(machine) + topologyChecks(machine)
        + selectionChecks(dispatchQueues, on: machine) + jobChecks(dispatchQueues, on: machine)
        + nodeQueueChecks(on: machine)
        + selectionChecks(workerQueues, on: machine) + jobChecks(workerQueues, on: machine)
        + residentQueueChecks(workerQueues, on: machine) { queue in
            // Where the job's turn is kept.
            UnsafeRawPointer(try queue.async {}.place.address!)
        }
    exit(checks.run() ? 0 : 1)
} catch {
    printLine("NUMAChecks: \(error)\n\(Machine.usage)")
    exit(2)
}
