#if os(Linux)
    import Dispatch
    import Foundation
    import Glibc
    import TestSupport
    import Testing

    @testable import QueuePools

    /// Who makes threads is a matter of the whole process, so each test runs in one of its own.
    @Suite("Those who make workers' threads", .timeLimit(.minutes(5)))
    struct ThreadMakerTests {
        @Test("two of them, asked for the same worker's thread at the same time, make one")
        func twoMakers() async {
            await #expect(processExitsWith: .success) { try runTwoMakers() }
        }
    }

    private func runTwoMakers() throws {
        // first maker                    | second maker
        // -------------------------------|------------------------------
        // finds no thread                |
        //                                | finds no thread
        // makes it                       | makes it
        let attempts = Counter()
        let gate = Gate()
        let pools = Recorder<WorkerQueuePool>()
        let ran = DispatchSemaphore(value: 0)
        Thread {
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)  // its maker does not serve others
            do {
                let pool = try WorkerQueuePool(
                    QueuePoolConfiguration(label: "p", queuesPerTier: .exactly(1)),
                    makeCrew: {
                        Crew { worker in
                            if attempts.increment() == 1 { gate.pass() }
                            return worker.startThread()
                        }
                    })
                pools.append(pool)
                try pool.async(qos: .default) { ran.signal() }
            } catch { fatalError("\(error)") }
        }.start()
        gate.waitForArrivals()
        let pool = pools.elements[0]
        guard let maker = ThreadMaker.current() else { fatalError("no second maker") }
        let requests = maker.mailbox.takenPositions
        Thread {
            do { try pool.async(qos: .default) { ran.signal() } } catch { fatalError("\(error)") }
        }.start()
        while maker.mailbox.takenPositions == requests {}
        // Time for the second maker to make the thread, if it did so.
        for _ in 0..<10_000 where attempts.value < 2 { sched_yield() }
        gate.open()
        for _ in 0..<2 { precondition(ran.wait(timeout: .now() + 60) == .success) }
        precondition(attempts.value == 1, "\(attempts.value) threads for one worker")
        precondition(pool.statistics[.default].threads == 1)
        pool.shutdown()
    }
#endif
