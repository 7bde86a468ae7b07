import Dispatch
import QueuePools
import Synchronization

/// That jobs run, whatever node they come from, for any kind of pool.
func jobChecks<Queue: SerialQueue>(_ kind: PoolKind<Queue>, on machine: Machine) -> [Check] {
    [
        Check("\(kind.name): what was submitted on any CPU, to any tier, has run when the pool is shut down")
        {
            findings in
            let pool = try kind.pool()
            let (perTier, finished) = (20, Counter())
            _ = try Crowd.run(on: machine.cpus) {
                for qos in QoSTier.allCases {
                    for _ in 0..<perTier { try pool.async(qos: qos) { finished.increment() } }
                }
            }
            pool.shutdown()
            let submitted = machine.cpus.count * perTier * QoSTier.allCases.count
            findings.expect("the number of jobs that ran", finished.value, is: submitted)
        },

        Check("\(kind.name): a job runs on a CPU that the process may use") { findings in
            let pool = try kind.pool()
            for cpu in machine.cpus {
                for queue in try pool.queues(onCPU: cpu) {
                    let facts = try queue.threadFacts()
                    findings.expect(
                        machine.cpus.contains(facts.cpu), "a job ran on CPU \(facts.cpu), which is forbidden")
                }
            }
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
