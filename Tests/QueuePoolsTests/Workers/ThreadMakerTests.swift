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

        @Test("a queue that nobody could make a thread for has one tried for again when it is next used")
        func noMaker() async {
            await #expect(processExitsWith: .success) {
                try runNoMaker { queue, _, ran in queue.enqueue { ran.signal() } }
            }
        }

        @Test(
            "a queue that nobody could make a thread for gets one with another of its tier, and to be closed")
        func noMakerForColleague() async {
            await #expect(processExitsWith: .success) {
                try runNoMaker { _, crew, ran in
                    let colleague = WorkerQueue(
                        worker: Worker(label: "refused too", settings: WorkerSettings(), crew: crew))
                    colleague.enqueue { ran.signal() }
                }
            }
            await #expect(processExitsWith: .success) {
                try runNoMaker { queue, _, ran in queue.worker.close { ran.signal() } }
            }
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
        pool.shutdownBlocking()
    }

    /// Puts a job on a queue while there is no thread to be had, not even the maker's, and does something else later.
    /// Both must signal.
    private func runNoMaker(_ body: (WorkerQueue, Crew, _ ran: DispatchSemaphore) -> Void) throws {
        dropPrivileges()
        let processes = __rlimit_resource_t(__RLIMIT_NPROC.rawValue)
        var limit = rlimit()
        getrlimit(processes, &limit)
        let before = limit
        limit.rlim_cur = 0
        precondition(setrlimit(processes, &limit) == 0)
        let refusals = Counter()
        let crew = Crew(firstRetry: 1_000_000) { refusals.increment() == 1 ? EAGAIN : $0.startThread() }
        let ran = DispatchSemaphore(value: 0)
        do {
            let queue = WorkerQueue(worker: Worker(label: "refused", settings: WorkerSettings(), crew: crew))
            queue.enqueue { ran.signal() }
            precondition(ThreadMaker.current() == nil && refusals.value == 0, "there was a thread to be had")
            limit = before
            precondition(setrlimit(processes, &limit) == 0)
            body(queue, crew, ran)
            for _ in 0..<2 { precondition(ran.wait(timeout: .now() + 60) == .success) }
        }
        // Of a worker that is there still, a leak checker would take the memory for its weak references for lost.
        while threadCount(named: "refused") > 0 {}
    }
#endif
