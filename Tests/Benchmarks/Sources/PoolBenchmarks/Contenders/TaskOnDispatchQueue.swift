import Dispatch
import QueuePools

/// Tasks that prefer an executor over a DispatchQueue, the few lines that one writes oneself. The queue is
/// concurrent: over a serial one, all tasks together would have one worker.
struct TaskOnDispatchQueue: Contender {
    private final class Executor: TaskExecutor {
        private let queue: DispatchQueue

        init(_ tier: QoSTier) {
            queue = DispatchQueue(label: "executor \(tier)", qos: tier.dispatchQoS, attributes: .concurrent)
        }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    private let executors = QoSTier.allCases.map { Executor($0) }

    func submit(_ jobs: EmptyJobs) {
        for number in jobs.numbers {
            Task.detached(executorPreference: executors[jobs.tier(of: number).rawValue]) {
                [tally = jobs.tally] in
                tally.count(number)
            }
        }
    }

    func submit(to tier: QoSTier, _ body: @escaping @Sendable () -> Void) {
        Task.detached(executorPreference: executors[tier.rawValue]) { body() }
    }

    func shutDown() {}
}
