import Dispatch
import Foundation
import QueuePools
import Synchronization

/// What a job costs at least that one thread allocates and another runs and frees: one producer, one
/// consumer, and a ring between them with a slot for each job.
///
/// It is no queue that a program could use. The consumer is told how many jobs will come and spins until they
/// have, so the producer looks at nothing that the consumer writes. There is one tier, no second producer, no
/// cancelling.
final class BareRing<Element: Sendable>: Sendable {
    /// More than a batch has.
    private static var size: Int { 1 << 17 }

    // A slot belongs to the producer, and once it is published to the consumer.
    private struct State: @unchecked Sendable {
        let slots = UnsafeMutablePointer<Element>.allocate(capacity: BareRing.size)
    }

    private let state = State()
    /// Releases the slots before it.
    private let published = Atomic<Int>(0)
    private let expected = Atomic<Int>(0)
    private let batch = DispatchSemaphore(value: 0)

    init(run: @escaping @Sendable (consuming Element) -> Void) {
        let thread = Thread { [self] in
            var next = 0
            while true {
                batch.wait()
                let end = expected.load(ordering: .relaxed)
                guard end >= 0 else { break }
                while next < end {
                    guard published.load(ordering: .acquiring) > next else {
                        sched_yield()
                        continue
                    }
                    run((state.slots + next % Self.size).move())
                    next += 1
                }
            }
            state.slots.deallocate()
        }
        thread.start()
    }

    /// Tells the consumer that so many jobs will come. The producer's.
    func beginBatch(of count: Int) {
        precondition(count <= Self.size)
        expected.store(published.load(ordering: .relaxed) + count, ordering: .relaxed)
        batch.signal()
    }

    @inline(__always)
    func send(_ element: consuming Element) {
        let position = published.load(ordering: .relaxed)
        (state.slots + position % Self.size).initialize(to: element)
        published.store(position + 1, ordering: .releasing)
    }

    func end() {
        expected.store(-1, ordering: .relaxed)
        batch.signal()
    }
}

/// Empty jobs through a ``BareRing``.
struct JobsThroughRing: Contender {
    /// Around the closure, which by itself would be wrapped in another one by generic code.
    private struct Job: Sendable { let body: @Sendable () -> Void }

    private let ring = BareRing<Job> { $0.body() }

    func submit(_ jobs: EmptyJobs) {
        ring.beginBatch(of: jobs.numbers.count)
        for number in jobs.numbers { ring.send(Job { [tally = jobs.tally] in tally.count(number) }) }
    }

    func submit(to _: QoSTier, _ body: @escaping @Sendable () -> Void) {
        ring.beginBatch(of: 1)
        ring.send(Job(body: body))
    }

    func shutDown() { ring.end() }
}

/// Empty tasks whose executor is a ``BareRing``.
struct TasksThroughRing: Contender {
    private final class Executor: TaskExecutor {
        private struct Step: Sendable {
            let job: UnownedJob
            let executor: UnownedTaskExecutor
        }

        private let ring = BareRing<Step> { $0.job.runSynchronously(on: $0.executor) }

        func beginBatch(of count: Int) { ring.beginBatch(of: count) }

        func enqueue(_ job: consuming ExecutorJob) {
            ring.send(Step(job: UnownedJob(job), executor: asUnownedTaskExecutor()))
        }

        func end() { ring.end() }
    }

    private let executor = Executor()

    func submit(_ jobs: EmptyJobs) {
        executor.beginBatch(of: jobs.numbers.count)
        for number in jobs.numbers {
            Task.detached(executorPreference: executor) { [tally = jobs.tally] in tally.count(number) }
        }
    }

    func submit(to _: QoSTier, _ body: @escaping @Sendable () -> Void) {
        executor.beginBatch(of: 1)
        Task.detached(executorPreference: executor) { body() }
    }

    func shutDown() { executor.end() }
}
