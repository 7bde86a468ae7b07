import BenchmarkHarness
import QueuePools

/// Something that runs jobs off the calling thread, with a number of workers for each tier.
///
/// The loop that is timed lives in the contender's own file, written the way its users would write it. It is
/// entered once a run, so no call through this protocol is ever part of a job's cost.
protocol Contender: Sendable {
    /// Submits an empty job for each number: `jobs.tally.count(number)`.
    func submit(_ jobs: EmptyJobs)

    /// Submits one job.
    func submit(to tier: QoSTier, _ body: @escaping @Sendable () -> Void)

    /// Ends the contender's own threads. All of its jobs have run.
    func shutDown()
}

/// A contender that can keep the jobs of one object in order.
protocol KeyedContender: Contender {
    /// Submits an empty job for each number, those with equal `jobs.key(of: number)` to the same queue.
    func submitByKey(_ jobs: EmptyJobs)
}

/// A contender to be: what a benchmark needs to know before it makes one.
struct ContenderKind: Sendable {
    let name: String
    let threads: ThreadSource
    /// Makes one with this many workers a tier.
    let make: @Sendable (_ workers: Int) throws -> any Contender

    init(
        _ name: String, threads: ThreadSource,
        make: @escaping @Sendable (_ workers: Int) throws -> any Contender
    ) {
        self.name = name
        self.threads = threads
        self.make = make
    }
}
