#if os(Linux)
    import CQueuePoolsThreads
    import CThreadChecks
    import Dispatch
    import Foundation
    import Glibc
    import TestSupport
    import Testing
    import QueuePoolsTopology

    @testable import QueuePools

    /// What threads have from the process, from the thread that made the first pool, and from their settings.
    ///
    /// Each test runs in a process of its own, and makes its first pool. What a test forbids is forbidden to
    /// its thread and to those that this makes.
    @Suite("What worker threads inherit", .timeLimit(.minutes(15)))
    struct ThreadInheritanceTests {
        @Test("pools and queues that inherit make no call that schedules or binds a thread")
        func noCalls() async {
            await #expect(processExitsWith: .success) {
                forbid(cthread_scheduling, cthread_affinity, kills: true)
                try useInheriting(makeInheritingPool())
            }
        }

        @Test("nor do they when the first thread has been scheduled since the first pool was made")
        func noCallsLater() async {
            await #expect(processExitsWith: .success) {
                runOnFirstThread {
                    let pool = try makeInheritingPool()
                    check(ThreadScheduling(policy: .batch, niceIncrement: 1).applyToCurrentThread())
                    Supervisor.required().performAndWait {
                        forbid(cthread_scheduling, cthread_affinity, kills: true)
                    }
                    try useInheriting(pool)
                }
            }
        }

        @Test("on one node, and with shared placement, no thread is bound")
        func noBinding() async {
            await #expect(processExitsWith: .success) {
                forbid(cthread_affinity, kills: true)
                for (topology, placement) in [
                    (CPUTopology.singleNode(cpuCount: 1), QueuePoolOptions.Placement.byNode),
                    (.ofTwoNodes, .shared),
                ] {
                    let pool = try WorkerQueuePool(
                        QueuePoolOptions(
                            label: "p", queuesPerTier: .exactly(1), topology: topology, placement: placement))
                    for tier in QoSTier.allCases { try pool.queue(for: tier).runOnThread {} }
                }
            }
        }

        #if compiler(>=6.3)  // exit tests of Swift 6.2 capture nothing
            @Test(
                "a pool that a thread confined to one CPU made uses those of the process",
                .enabled(if: cpus().count > 1), arguments: [false, true])
            func confinedMaker(isInherited: Bool) async {
                await #expect(processExitsWith: .success) { [isInherited] in
                    confine(0, to: cpus().prefix(1))
                    let pool = try WorkerQueuePool(
                        label: "p", queuesPerTier: .exactly(1),
                        workers: WorkerOptions(scheduling: isInherited ? .inherited : .separated))
                    let found = try pool.queue(for: .utility).runOnThread { cpus() }
                    check(found == cpus(of: getpid()), "\(found)")
                    check(pool.statistics[.utility].schedulingFailures == 0)
                }
            }
        #endif

        @Test("threads follow the CPUs of the process as these change", .enabled(if: cpus().count > 1))
        func laterChanges() async {
            await #expect(processExitsWith: .success) {
                let all = cpus()
                let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(1))
                try pool.queue(for: .utility).runOnThread {}
                confineProcess(to: all.prefix(1))
                for tier in [QoSTier.utility, .default] {
                    let found = try pool.queue(for: tier).runOnThread { cpus() }
                    check(found == [all[0]], "\(tier): \(found)")
                }
                confine(getpid(), to: all)
                let found = try pool.queue(for: .userInitiated).runOnThread { cpus() }
                check(found == all, "\(found)")
            }
        }

        @Test(
            "a first thread that confines itself confines no thread made later",
            .enabled(if: cpus().count > 1))
        func confinedFirstThread() async {
            await #expect(processExitsWith: .success) {
                let all = cpus()
                let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(1))
                confine(getpid(), to: all.prefix(1))
                let found = try pool.queue(for: .utility).runOnThread { cpus() }
                check(found == all, "\(found)")
            }
        }

        @Test(
            "the threads of a node have those of its CPUs that the process may use, if there are any",
            .enabled(if: cpus().count > 1))
        func nodes() async {
            await #expect(processExitsWith: .success) {
                let all = cpus()
                let pool = try WorkerQueuePool(
                    QueuePoolOptions(label: "p", queuesPerTier: .exactly(2), topology: .ofTwoNodes))
                func masks(of tier: QoSTier) throws -> Set<[Int]> {
                    Set(try (0..<100).map { try pool.queue(for: tier, key: $0).runOnThread { cpus() } })
                }
                let before = try masks(of: .utility)
                check(before == [[all[0]], [all[1]]], "\(before)")
                confineProcess(to: all.prefix(1))
                let after = try masks(of: .default)
                check(after == [[all[0]]], "\(after)")
                check(pool.statistics[.default].schedulingFailures == 0)
            }
        }

        @Test(
            "threads that inherit are scheduled as the process is, not as the thread that made the first pool"
        )
        func scheduledMaker() async {
            await #expect(processExitsWith: .success) {
                let process = scheduling(of: getpid())
                ThreadScheduling(policy: .batch, niceIncrement: getuid() == 0 ? 5 : 0).applyToCurrentThread()
                check(scheduling(of: 0) != process)
                let queue = try ThreadBoundQueue(label: "q", scheduling: nil)
                let found = try queue.runOnThread { scheduling(of: 0) }
                check(found == process, "\(found), not \(process)")
            }
        }

        @Test("threads that inherit are scheduled as the process is, also after others were made")
        func bothKinds() async {
            await #expect(processExitsWith: .success) {
                let process = scheduling(of: getpid())
                try ThreadBoundQueue(label: "scheduled").runOnThread {}
                let queue = try ThreadBoundQueue(label: "q", scheduling: nil)
                let found = try queue.runOnThread { scheduling(of: 0) }
                check(found == process, "\(found), not \(process)")
            }
        }

        @Test("what a first thread has added to its nice value is not added to that of other threads")
        func shiftedFirstThread() async {
            await #expect(processExitsWith: .success) {
                runOnFirstThread {
                    let nice = scheduling(of: 0)[1]
                    ThreadScheduling(niceIncrement: 5).applyToCurrentThread()
                    ThreadScheduling(niceIncrement: 3).applyToCurrentThread()
                    // Without privileges it stays where it was.
                    check(scheduling(of: 0)[1] == nice + (getuid() == 0 ? 3 : 5))
                    ThreadScheduling(niceIncrement: 7).applyToCurrentThread()
                    check(scheduling(of: 0)[1] == nice + 7)
                    let found = try niceOfUpperTier(refusing: getuid() == 0 ? 0 : 1)
                    check(getuid() != 0 || found == nice, "\(found), not \(nice)")
                }
            }
        }

        @Test("a first thread whose nice value the program changes later lends threads the new one")
        func renicedFirstThread() async {
            await #expect(processExitsWith: .success) {
                runOnFirstThread {
                    ThreadScheduling(niceIncrement: 5).applyToCurrentThread()
                    check(setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 12) == 0)
                    let nice = scheduling(of: 0)[1]
                    let found = try niceOfUpperTier()
                    check(found == nice, "\(found), not \(nice)")
                    ThreadScheduling(niceIncrement: 2).applyToCurrentThread()
                    check(scheduling(of: 0)[1] == nice + 2)
                }
            }
        }

        @Test("a thread's scheduling that the kernel refuses is counted, and its jobs run")
        func refusedScheduling() async {
            await #expect(processExitsWith: .success) {
                forbid(cthread_scheduling, kills: false)
                let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(2))
                let gate = Gate()
                for _ in 0..<2 { try pool.async(qos: .utility) { gate.pass() } }
                await gate.waitForArrivals(2)
                gate.open()
                check(pool.statistics[.utility].schedulingFailures == 2)
                check(pool.statistics[.default].schedulingFailures == 0)
            }
        }

        @Test(
            "CPUs that the kernel refuses a thread are counted, and its jobs run",
            .enabled(if: cpus().count > 1))
        func refusedCPUs() async {
            await #expect(processExitsWith: .success) {
                forbid(cthread_affinity, kills: false)
                let pool = try WorkerQueuePool(
                    QueuePoolOptions(label: "p", queuesPerTier: .exactly(2), topology: .ofTwoNodes),
                    workers: WorkerOptions(scheduling: .inherited))
                for key in 0..<100 { try pool.queue(for: .utility, key: key).runOnThread {} }
                check(pool.statistics[.utility].schedulingFailures == 2)
            }
            await #expect(processExitsWith: .success) {
                confine(0, to: cpus().prefix(1))
                forbid(cthread_affinity, kills: false)
                let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(1))
                try pool.queue(for: .utility).runOnThread {}
                check(pool.statistics[.utility].schedulingFailures == 1)
            }
        }

        #if NUMA
            @Test(
                "memory of a node that the kernel refuses is counted, and jobs run",
                .enabled(if: cpus().count > 1))
            func refusedMemory() async {
                await #expect(processExitsWith: .success) {
                    let options = QueuePoolOptions(
                        label: "p", queuesPerTier: .exactly(2), topology: .ofTwoNodes)
                    let workers = WorkerOptions(scheduling: .inherited)
                    let earlier = try WorkerQueuePool(options, workers: workers)
                    forbid(cthread_memory, kills: false)
                    let later = try WorkerQueuePool(options, workers: workers)
                    for pool in [earlier, later] {
                        for key in 0..<100 { try pool.queue(for: .utility, key: key).runOnThread {} }
                    }
                    // The later one has asked once for each node, and keeps to any memory then.
                    check(later.statistics[.utility].schedulingFailures == 2)
                    check(earlier.statistics[.utility].schedulingFailures > 2)
                }
            }
        #endif
    }

    private func makeInheritingPool() throws -> WorkerQueuePool {
        try WorkerQueuePool(
            QueuePoolOptions(label: "p", queuesPerTier: .exactly(2), placement: .shared),
            workers: WorkerOptions(
                scheduling: .inherited, threads: ThreadOptions(idleLimit: .zero),
                observation: JobObservation(longJobLimit: .milliseconds(1))))
    }

    /// Uses a pool in all ways. The calling task is not suspended: what resumes it may have Dispatch make a
    /// thread, which inherits the filter, and Dispatch's threads set their nice value.
    private func useInheriting(_ pool: WorkerQueuePool) throws {
        let ran = DispatchSemaphore(value: 0)
        for tier in QoSTier.allCases {
            let gate = Gate()
            for _ in 0..<2 { try pool.async(qos: tier) { gate.pass() } }
            gate.waitForArrivals(2)
            gate.open()
            try pool.queue(for: tier).async(after: .milliseconds(1)) { ran.signal() }
            ran.wait()
            Task(executorPreference: pool.taskExecutor(for: tier)) { _ = ran.signal() }
            ran.wait()
        }
        let queue = try ThreadBoundQueue(label: "q", scheduling: nil)
        try queue.async { ran.signal() }
        ran.wait()
        try pool.async(qos: .utility, after: .seconds(1_000)) {}
        Task(executorPreference: try makeInheritingPool().taskExecutor(for: .default)) {
            try await pool.shutdown(timeLimit: .seconds(1_000))
            ran.signal()
        }
        ran.wait()
    }

    /// Runs a closure on the first thread of a process: that of a child, which is forked. In the program
    /// itself Dispatch has the first thread. The other threads sleep at the fork, so that none of them holds
    /// a lock that the child needs.
    func runOnFirstThread(line: UInt = #line, _ body: () throws -> Void) {
        waitForOtherThreadsToSleep()
        let status = statusOfChild {
            do { try body() } catch { return 1 }
            return 0
        }
        check(status == 0, "the child ended with \(status)", line: line)
    }

    /// The nice value, plus 20, of a thread of the tier whose threads have the process's.
    private func niceOfUpperTier(refusing refusals: Int = 0) throws -> UInt64 {
        let pool = try WorkerQueuePool(label: "p", queuesPerTier: .exactly(1))
        let nice = try pool.queue(for: .userInteractive).runOnThread { scheduling(of: 0)[1] }
        let refused = pool.statistics[.userInteractive].schedulingFailures
        check(refused == refusals, "\(refused) refused")
        return nice
    }

    /// Forbids kinds of calls to the calling thread, and to those that it makes.
    private func forbid(_ calls: cthread_calls..., kills: Bool) {
        let error = cthread_forbid(calls.reduce(0) { $0 | $1.rawValue }, kills ? 1 : 0)
        check(error == 0, "the kernel has no filter: error \(error)")
    }

    /// The CPUs of a thread, by its number; 0 is the calling one.
    private func cpus(of thread: pid_t = 0) -> [Int] {
        var mask = [UInt](repeating: 0, count: 1024)
        check(cqp_thread_get_affinity(thread, mask.count * MemoryLayout<UInt>.size, &mask) == 0)
        return (0..<mask.count * UInt.bitWidth).filter {
            mask[$0 / UInt.bitWidth] & 1 << ($0 % UInt.bitWidth) != 0
        }
    }

    private func confine(_ thread: pid_t, to cpus: some Sequence<Int>) {
        var mask = [UInt](repeating: 0, count: 1024)
        for cpu in cpus { mask[cpu / UInt.bitWidth] |= 1 << (cpu % UInt.bitWidth) }
        check(cthread_confine(thread, mask.count * MemoryLayout<UInt>.size, mask) == 0)
    }

    /// As `taskset -a -p` does, or a cpuset.
    private func confineProcess(to cpus: some Sequence<Int>) {
        let threads = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
        for thread in threads ?? [] { confine(pid_t(thread) ?? 0, to: cpus) }
    }

    private func scheduling(of thread: pid_t) -> [UInt64] {
        var scheduling = cqp_scheduling()
        check(cqp_thread_get_scheduling(thread, &scheduling) == 0)
        return [UInt64(scheduling.policy), UInt64(scheduling.nice + 20), scheduling.slice_nanoseconds]
    }

    extension CPUTopology {
        /// The first two usable CPUs, as if they were on two nodes.
        fileprivate static var ofTwoNodes: CPUTopology {
            CPUTopology(
                nodes: cpus().prefix(2).enumerated().map { Node(id: $0, cpus: [$1]) }, activeProcessorCount: 2
            )
        }
    }
#endif
