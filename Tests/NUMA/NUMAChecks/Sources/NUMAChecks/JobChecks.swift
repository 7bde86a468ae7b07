import Dispatch
import QueuePools
import Synchronization

/// That jobs run, whatever node they come from, for any kind of pool.
func jobChecks<Queue: SerialQueue>(_ kind: PoolKind<Queue>, on machine: Machine) -> [Check] {
    [
        // Comes first: threads that Dispatch has made for a confined caller are as confined as it was.
        Check("\(kind.name): a job runs on a CPU that the process may use, and can go to no other") {
            findings in
            let pool = try kind.pool()
            for cpu in machine.cpus {
                for queue in try pool.queues(onCPU: cpu) {
                    let facts = try queue.threadFacts()
                    let forbidden = facts.affinity.union([facts.cpu]).subtracting(machine.cpus)
                    findings.expect(
                        forbidden.isEmpty, "a job's thread may run on CPUs \(forbidden.sorted())")
                }
            }
        },

        Check("\(kind.name): what was submitted on any CPU, to any tier, has run after a shutdown") {
            findings in
            let pool = try kind.pool()
            let (perTier, finished) = (20, Counter())
            _ = try Crowd.run(on: machine.cpus) {
                for qos in QoSTier.allCases {
                    for _ in 0..<perTier { try pool.async(qos: qos) { finished.increment() } }
                }
            }
            pool.shutdownBlocking()
            let submitted = machine.cpus.count * perTier * QoSTier.allCases.count
            findings.expect("the number of jobs that ran", finished.value, is: submitted)
        },
    ]
}

extension SerialQueue {
    /// What the thread that runs this queue's jobs says of itself, from within a job.
    func threadFacts() throws -> ThreadFacts {
        let (facts, done) = (Outcome<ThreadFacts>(), DispatchSemaphore(value: 0))
        enqueue {
            facts.set { try ThreadFacts.current() }
            done.signal()
        }
        done.wait()
        return try facts.get()
    }
}

/// A number that many threads count up.
final class Counter: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .sequentiallyConsistent) }
    func increment() { count.add(1, ordering: .sequentiallyConsistent) }
}
