#if os(Linux)
    import Dispatch
    import Foundation
    import Synchronization
    import TestSupport
    import Testing

    @testable import QueuePools

    /// Parts that are right by themselves, met together.
    @Suite("Combinations of jobs", .timeLimit(.minutes(15)))
    struct CombinationTests {
        /// The holder finds no due job; then one comes, whose place in the mailbox it passes; then it has
        /// nothing to do.
        @Test("a job that comes due when its queue is about to rest is run")
        func dueAtRest() throws {
            let queue = try WorkerQueue(withThread: "q")
            try queue.sync {}
            // This thread holds the queue, as one of its own would.
            guard let receiver = queue.mailboxQueue.mailbox.send(.skipped, (0, 0)) else {
                Issue.record("the queue has a holder")
                return
            }
            let held = HeldQueue(queue.mailboxQueue, receiver: receiver)
            let ran = DispatchSemaphore(value: 0)
            let job = DelayedJob(of: queue.core, at: 0, by: Supervisor.required()) { ran.signal() }
            queue.mailboxQueue.jobs.counters.delayed.wrappingAdd(1, ordering: .relaxed)
            held.expectNoMessage()
            #expect(queue.core.accept(job, isClosing: false))
            held.expectNoMessage()
            if let held = held.becomeIdle() { held.makeReady() } else { Issue.record("a job is due") }
            #expect(ran.wait(timeout: .now() + 600) == .success)
        }

        @Test("the first jobs of a tier that come at once are all accepted, refusable ones and others")
        func firstAtOnce() throws {
            final class Round: Sendable {
                let arrived = Atomic<Int>(0)

                func begin() {
                    arrived.wrappingAdd(1, ordering: .relaxed)
                    while arrived.load(ordering: .relaxed) < 2 {}
                }
            }
            for _ in 0..<500 {
                let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(2))
                let queue = pool.queue(for: .default)
                let (round, ran) = (Round(), DispatchSemaphore(value: 0))
                Thread {
                    round.begin()
                    queue.enqueue { ran.signal() }
                }.start()
                round.begin()
                try pool.async(qos: .default) { ran.signal() }
                for _ in 0..<2 { #expect(ran.wait(timeout: .now() + 600) == .success) }
                pool.shutdownBlocking()
            }
        }

        @Test("a shutdown that cancels what waits cancels due jobs of queues, too")
        func cancelledWhenDue() async throws {
            let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(1))
            let queue = pool.queue(for: .default)
            let (gate, ran) = (Gate(), Counter())
            try queue.async { gate.pass() }
            await gate.waitForArrivals()
            try queue.async(after: .zero) { ran.increment() }
            try queue.async(after: .milliseconds(1)) { ran.increment() }
            await waitWhile(!queue.mailboxQueue.hasDueJobs)
            let isOver = Task { await pool.hasShutDown(waitingJobs: .cancel) }
            await waitWhile(!queue.mailboxQueue.jobs.cancelsWaiting.load(ordering: .relaxed))
            gate.open()
            #expect(await isOver.value)
            #expect(ran.value == 0)
            #expect(pool.statistics[.default].cancelled == 2)
        }

        @Test("observed pools, too, refuse jobs while the system has no thread for a tier")
        func observedWithoutThread() throws {
            let observation = JobObservation(longJobLimit: .milliseconds(1))
            let pool = try WorkerQueuePool(
                QueuePoolOptions(label: "p", queuesPerTier: .exactly(1)),
                workers: WorkerOptions(observation: observation),
                adjust: { settings in
                    var settings = settings
                    settings.start = { _ in EAGAIN }
                    return settings
                })
            let error = #expect(throws: PoolError.self) { try pool.async(qos: .default) {} }
            #expect(error?.code == .noThread)
        }

        @Test("an observer is asked once for the track of each label")
        func tracks() throws {
            final class Tracks: JobSignposts {
                let labels = Recorder<String>()
                func track(labelled label: String) -> Int {
                    labels.append(label)
                    return 0
                }
                func begin(on _: Int, waited _: Duration?) {}
                func label(_: String) {}
                func end(on _: Int) {}
            }
            let tracks = Tracks()
            let pool = try WorkerQueuePool(
                label: "p", queuesPerTier: .exactly(2),
                workers: WorkerOptions(observation: JobObservation(signposts: tracks)))
            try pool.async(qos: .default) {}
            pool.shutdownBlocking()
            #expect(tracks.labels.elements.sorted() == ["p.default", "p.default.0", "p.default.1"])
        }
    }

    extension HeldQueue {
        fileprivate func expectNoMessage() {
            if let message = take() {
                message.drop()
                Issue.record("a message has come")
            }
        }
    }
#endif
