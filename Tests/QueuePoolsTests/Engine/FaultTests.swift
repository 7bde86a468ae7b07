#if os(Linux)
    import CQueuePoolsThreads
    import CThreadChecks
    import Dispatch
    import Foundation
    import Glibc
    import Synchronization
    import TestSupport
    import Testing

    @testable import QueuePools

    /// What a program may do to the pool's threads. Each test runs in a process of its own.
    @Suite("Faults that a pool of workers survives", .timeLimit(.minutes(15)))
    struct FaultTests {
        @Test("1,000 blocked jobs in a tier of four use four threads, and the other tiers start within 10 ms")
        func blockedTier() async {
            await #expect(processExitsWith: .success) {
                try runBlockedTier()
            }
        }

        @Test(
            "a background job that is the first to use the upper tier does not lower its priority"
        )
        func noInheritedNice() async {
            await #expect(processExitsWith: .success) {
                try runNoInheritedNice()
            }
        }

        @Test("each tier's threads have the scheduling of the options, without privileges")
        func tiers() async {
            await #expect(processExitsWith: .success) {
                try runTiers()
            }
        }

        @Test("without file descriptors for five seconds, pools continue, and new ones can be made")
        func noDescriptors() async {
            await #expect(processExitsWith: .success) {
                try runNoDescriptors()
            }
        }

        @Test("signals at 1 kHz interrupt no wait and lose no job")
        func signals() async {
            await #expect(processExitsWith: .success) {
                try runSignals()
            }
        }

        @Test("a program's signal handlers run on its first thread, and faults and profilers reach workers")
        func signalHandlers() async {
            await #expect(processExitsWith: .success) {
                try runSignalHandlers()
            }
        }

        @Test("a process that a job starts has no signals blocked")
        func startedProcess() throws {
            let blocked = try ThreadBoundQueue(label: "q").runOnThread {
                // Not by Foundation's `Process`, which is never released if nothing waits for it.
                let output = try #require(popen("exec grep SigBlk /proc/self/status", "r"))
                defer { pclose(output) }
                var bytes = [UInt8](repeating: 0, count: 256)
                return String(decoding: bytes[..<fread(&bytes, 1, bytes.count, output)], as: UTF8.self)
            }
            #expect(blocked.split(separator: "\t").last == "0000000000000000\n")
        }
    }

    private func runBlockedTier() throws {
        let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(4))
        for tier in QoSTier.allCases { try pool.queue(for: tier).runOnThread {} }
        let gate = Gate()
        for _ in 0..<1_000 { try pool.async(qos: .utility) { gate.pass() } }
        gate.waitForArrivals(4)
        let threads = threadCount(named: "p.utility.")
        check(threads == 4, "\(threads) threads for the tier's four queues")
        for tier in QoSTier.allCases where tier != .utility {
            // The machine may be busy with other tests, so the first of many tries that is quick enough
            // counts.
            let startsInTime = try (0..<2_000).contains { _ in
                let start = DispatchTime.now().uptimeNanoseconds
                let begun = Atomic<UInt64>(0)
                try pool.queue(for: tier).runOnThread {
                    begun.store(DispatchTime.now().uptimeNanoseconds, ordering: .relaxed)
                }
                return begun.load(ordering: .relaxed) - start < 10_000_000
            }
            check(startsInTime, "\(tier) does not start within 10 ms")
        }
        check(pool.statistics[.utility].threads == 4)
        gate.open()
        pool.shutdownBlocking()
        check(pool.statistics[.utility].finished == 1_001)
    }

    private func runNoInheritedNice() throws {
        dropPrivileges()
        let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(1))
        let nice = Atomic<Int32>(.max)
        let read = DispatchSemaphore(value: 0)
        try pool.async(qos: .background) {
            check(threadNice() >= 10, "the background tier is not below the others")
            do {
                try pool.async(qos: .userInteractive) {
                    nice.store(threadNice(), ordering: .relaxed)
                    read.signal()
                }
            } catch { fatalError("\(error)") }
        }
        read.wait()
        let process = getpriority(PRIO_PROCESS.value, UInt32(getpid()))
        check(nice.load(ordering: .relaxed) <= process, "\(nice.load(ordering: .relaxed))")
    }

    private func runTiers() throws {
        dropPrivileges()
        let process = getpriority(PRIO_PROCESS.value, UInt32(getpid()))
        let separated = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(1))
        let nices = try QoSTier.allCases.map { tier in
            try separated.queue(for: tier).runOnThread { threadNice() }
        }
        check(nices == nices.sorted(by: >) && Set(nices).count == 5, "\(nices)")
        check(nices.last == process, "\(nices)")
        let slices = QoSTier.allCases.compactMap { TierScheduling.separated[$0]?.slice }
        check(slices == slices.sorted(by: >) && Set(slices).count == 5, "\(slices)")
        let policies = try QoSTier.allCases.map { tier in
            try separated.queue(for: tier).runOnThread { sched_getscheduler(0) }
        }
        check(policies == [0, 0, 0, 0, 0], "\(policies)")
        let off = try WorkerQueuePool(
            label: "p", queuesPerTier: .exactly(1), workers: WorkerOptions(scheduling: .inherited))
        for tier in QoSTier.allCases {
            try check(off.queue(for: tier).runOnThread { threadNice() } == process)
        }
        let own = try ThreadBoundQueue(
            label: "own", scheduling: ThreadScheduling(policy: .idle, niceIncrement: 39))
        try check(own.runOnThread { sched_getscheduler(0) } == 5)
        let refused = try ThreadBoundQueue(label: "refused", scheduling: ThreadScheduling(niceIncrement: -5))
        try check(refused.runOnThread { threadNice() } == process, "more than an ordinary user may set")
    }

    private func runNoDescriptors() throws {
        let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(2))
        try pool.queue(for: .default).sync {}
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let before = limit
        limit.rlim_cur = 0
        check(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
        check(open("/dev/null", O_RDONLY) == -1 && errno == EMFILE)
        let end = DispatchTime.now().uptimeNanoseconds + 5_000_000_000
        let ran = Counter()
        var submitted = 0
        while DispatchTime.now().uptimeNanoseconds < end {
            for tier in QoSTier.allCases { try pool.async(qos: tier) { ran.increment() } }
            submitted += 5
            if submitted % 100 == 0 {
                let other = try WorkerQueuePool(label: "q", queuesPerTier: .exactly(1))
                try other.async(qos: .utility) { ran.increment() }
                submitted += 1
                other.shutdownBlocking()
            }
        }
        pool.shutdownBlocking()
        check(ran.value == submitted)
        limit = before  // for what runs at the end of the process
        check(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
    }

    private func runSignals() throws {
        signal(SIGPROF) { _ in signalCount.wrappingAdd(1, ordering: .relaxed) }
        signal(SIGALRM) { _ in signalCount.wrappingAdd(1, ordering: .relaxed) }
        // To the threads that run, and also to those that sleep.
        cthread_send_signals()
        let queue = try WorkerQueue(withThread: "q")
        let ran = Counter()
        var submitted = 0
        while signalCount.load(ordering: .relaxed) < 1_000 {
            for _ in 0..<100 { queue.enqueue { ran.increment() } }
            submitted += 100
            try queue.sync {}
            check(ran.value == submitted)
        }
        // The timers above go by what runs. A thread that sleeps is sent its signals.
        let sleeper = try queue.runOnThread { pthread_self() }
        let began = DispatchTime.now().uptimeNanoseconds
        let ended = DispatchSemaphore(value: 0)
        try queue.async(after: .milliseconds(200)) { ended.signal() }
        while ended.wait(timeout: .now() + .milliseconds(1)) != .success { pthread_kill(sleeper, SIGPROF) }
        check(DispatchTime.now().uptimeNanoseconds - began >= 200_000_000, "woken too early")
    }

    private func runSignalHandlers() throws {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in
            if cqp_is_first_thread() { signalCount.wrappingAdd(1, ordering: .relaxed) } else { _exit(1) }
        }
        // The next signal is sent when this one is counted. The first thread must not block it while the
        // handler returns.
        action.sa_flags = SA_NODEFER | SA_RESTART
        sigaction(SIGALRM, &action, nil)
        let gate = Gate()
        let queues = try (0..<4).map { try ThreadBoundQueue(label: "q\($0)") }
        for queue in queues { queue.enqueue { gate.pass() } }
        gate.waitForArrivals(4)
        // A thread that makes another may take a pending signal from the first thread, so no thread must be
        // on its way.
        Supervisor.required().performAndWait {}
        for _ in 0..<1_000 {
            let before = signalCount.load(ordering: .relaxed)
            while firstThreadBlocks(SIGALRM) { sched_yield() }
            kill(getpid(), SIGALRM)
            while signalCount.load(ordering: .relaxed) == before { sched_yield() }
        }
        gate.open()
    }

    /// Which the first thread does while it runs a handler of the signal, also after the handler has counted
    /// it.
    private func firstThreadBlocks(_ signal: Int32) -> Bool {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let mask = status.split(separator: "\n").first { $0.hasPrefix("SigBlk:") }?.split(separator: "\t")
            .last
        return mask.flatMap { UInt64($0, radix: 16) }.map { $0 >> UInt64(signal - 1) & 1 == 1 } ?? true
    }

    extension FaultTests {
        @Test("a thread of the program's own can be scheduled, and impossible values are refused")
        func ownThread() async {
            await #expect(processExitsWith: .success) {
                dropPrivileges()
                check(ThreadScheduling(niceIncrement: 7).applyToCurrentThread())
                let nice = threadNice()
                check(nice >= 7)
                check(ThreadScheduling(niceIncrement: 7).applyToCurrentThread())
                check(threadNice() == nice, "the increment was added again")
                check(!ThreadScheduling(niceIncrement: .max).applyToCurrentThread())
                check(!ThreadScheduling(niceIncrement: -20).applyToCurrentThread())
                check(threadNice() >= 7)
            }
        }
    }

    private let signalCount = Atomic<Int>(0)

    /// A precondition whose parts may throw.
    func check(_ condition: Bool, _ message: String = "", line: UInt = #line) {
        precondition(condition, message, line: line)
    }

    private func threadNice() -> Int32 {
        getpriority(PRIO_PROCESS.value, 0)  // on Linux 0 stands for the calling thread
    }

    extension __priority_which {
        fileprivate var value: __priority_which_t { __priority_which_t(rawValue) }
    }
#endif
