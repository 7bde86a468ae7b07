#if os(Linux)
    import CQueuePoolsThreads
    import Dispatch
    import Glibc
    import TestSupport
    import Testing

    @testable import QueuePools

    @Suite("What a pool reports of its jobs", .timeLimit(.minutes(15)))
    struct ObservationTests {
        private func makePool(_ observation: JobObservation?, queues: Int = 2) throws -> WorkerQueuePool {
            try WorkerQueuePool(
                label: "p", queuesPerTier: .exactly(queues), workers: WorkerOptions(observation: observation))
        }

        @Test("a queue reports its depth, the age of what waits longest, and the label and age of what runs")
        func queue() throws {
            let pool = try makePool(JobObservation())
            let queue = pool.queue(for: .default)
            #expect(queue.activity == QueueActivity(label: "p.default.0"))
            let gate = Gate()
            defer { gate.open() }
            let start = ContinuousClock.now
            try queue.async(label: "decode") { gate.pass() }
            gate.waitForArrivals()
            let first = try queue.async {}
            for _ in 0..<200 { try queue.async {} }
            while start.duration(to: .now) < .milliseconds(3) {}
            let activity = queue.activity
            let limit = start.duration(to: .now)
            #expect(activity.waiting == 201)
            #expect(activity.running.count == 1 && activity.running.first?.label == "decode")
            let (wait, age) = try (#require(activity.longestWait), #require(activity.running.first?.age))
            #expect(wait > .zero && wait <= age && age <= limit)
            first.cancel()
            #expect(try #require(queue.activity.longestWait) > .zero)
            #expect(pool.activity(of: .default).map(\.label) == ["p.default.0", "p.default.1", "p.default"])
            #expect(pool.activity(of: .utility).isEmpty)
        }

        @Test("unordered jobs and calls of sync are reported, too")
        func unordered() throws {
            let pool = try makePool(JobObservation())
            let gate = Gate()
            for label in ["one", "two"] { try pool.async(qos: .utility, label: label) { gate.pass() } }
            gate.waitForArrivals(2)
            for _ in 0..<5 { try pool.async(qos: .utility) {} }
            let activity = try #require(pool.activity(of: .utility).last)
            #expect(activity.label == "p.utility" && activity.waiting == 5)
            #expect(activity.longestWait != nil)
            #expect(Set(activity.running.map(\.label)) == ["one", "two"])
            let queue = pool.queue(for: .background)
            try queue.sync {
                labelJob("three")
                #expect(queue.activity.running.map(\.label) == ["three"])
            }
            #expect(queue.activity.running.isEmpty)
            gate.open()
            pool.shutdownBlocking()
            #expect(pool.activity(of: .utility).allSatisfy { $0.waiting == 0 && $0.running.isEmpty })
        }

        @Test("without an observation only depths are known")
        func unobserved() throws {
            let pool = try makePool(nil)
            let gate = Gate()
            let queue = pool.queue(for: .default)
            try queue.async(label: "ignored") { gate.pass() }
            gate.waitForArrivals()
            try queue.async {}
            #expect(queue.activity == QueueActivity(label: "p.default.0", waiting: 1))
            gate.open()
        }

        @Test(
            "a job that runs for longer than the limit is reported once, while it runs",
            arguments: [false, true])
        func longJob(isUnordered: Bool) async throws {
            let reports = Recorder<RunningJob>()
            let reported = Gate()
            let pool = try makePool(
                JobObservation(longJobLimit: .milliseconds(100)) { job in
                    reports.append(job)
                    reported.open()
                }, queues: 1)
            // Ends when it has been reported.
            if isUnordered {
                try pool.async(qos: .utility, label: "endless") { reported.pass() }
            } else {
                try pool.queue(for: .utility).async(label: "endless") { reported.pass() }
            }
            try await pool.shutdown()
            #expect(reports.elements.map(\.queue) == [isUnordered ? "p.utility" : "p.utility.0"])
            #expect(reports.elements.map(\.label) == ["endless"])
            #expect(reports.elements.allSatisfy { $0.age >= .milliseconds(100) })
        }

        /// Each job begins just when the watch may end, because the one before was reported.
        @Test("long jobs that follow each other, or begin beside a reported one, are reported once each")
        func longJobs() async throws {
            let reported = (0..<2).map { _ in DispatchSemaphore(value: 0) }
            let pool = try makePool(
                JobObservation(longJobLimit: .milliseconds(1)) { job in
                    reported[job.queue == "p.utility.0" ? 0 : 1].signal()
                })
            let queues = (0..<2).map { _ in pool.queue(for: .utility) }
            let gate = Gate()
            try queues[1].async { gate.pass() }
            reported[1].wait()
            // Ends each round. A call of `sync` would be a long job itself if its thread is stopped.
            let ended = DispatchSemaphore(value: 0)
            for round in 0..<200 {
                if round == 100 { gate.open() }
                try queues[0].async {
                    reported[0].wait()
                    ended.signal()
                }
                ended.wait()
            }
            try await pool.shutdown()
            for reported in reported { #expect(reported.wait(timeout: .now()) == .timedOut) }
        }

        @Test("looking for long jobs wakes no thread while no job runs, or each that runs was reported")
        func wakeUps() async {
            // In a process of its own, since the supervisor is one for all pools.
            await #expect(processExitsWith: .success) {
                let reported = DispatchSemaphore(value: 0)
                let pool = try WorkerQueuePool(
                    label: "p", queuesPerTier: .exactly(2),
                    workers: WorkerOptions(
                        observation: JobObservation(longJobLimit: .milliseconds(1)) { _ in reported.signal() }
                    ))
                /// How often the supervisor has gone to sleep. (1 is RUSAGE_THREAD.)
                @Sendable func wakeUps() -> Int {
                    nonisolated(unsafe) var usage = rusage()  // ordered by the wait
                    Supervisor.required().performAndWait {
                        precondition(getrusage(__rusage_who_t(1), &usage) == 0)
                    }
                    return usage.ru_nvcsw
                }
                /// How often it is woken in a time.
                @Sendable func wakeUps(in duration: Duration) -> Int {
                    let (start, before) = (ContinuousClock.now, wakeUps())
                    while start.duration(to: .now) < duration { cqp_thread_yield() }
                    return wakeUps() - before
                }
                try pool.queue(for: .utility).sync {}
                precondition(wakeUps(in: .milliseconds(200)) < 20)
                let gate = Gate()
                pool.queue(for: .utility).enqueue { gate.pass() }
                reported.wait()
                precondition(wakeUps(in: .milliseconds(200)) < 20)
                gate.open()
                try await pool.shutdown()
            }
        }

        @Test(
            "limits below a millisecond are refused",
            arguments: [Duration.zero, .milliseconds(-1), .microseconds(999)])
        func impossible(limit: Duration) {
            let error = #expect(throws: PoolError.self) { try makePool(JobObservation(longJobLimit: limit)) }
            #expect(error?.code == .invalidObservation)
        }

        @Test("a limit without end reports nothing")
        func endlessLimit() throws {
            let reports = Counter()
            let pool = try makePool(
                JobObservation(longJobLimit: .seconds(Int64.max)) { _ in reports.increment() }, queues: 1)
            try pool.async(qos: .utility) {}
            pool.shutdownBlocking()
            #expect(reports.value == 0)
        }

        private final class Signposts: JobSignposts {
            let events = Recorder<String>()
            let labels = Recorder<String>()
            func track(labelled label: String) -> Int {
                labels.append(label)
                return labels.elements.count - 1
            }
            func begin(on track: Int, waited: Duration?) {
                events.append(
                    "begin \(labels.elements[track])\(waited.map { $0 >= .zero } == true ? ", waited" : "")")
            }
            func label(_ label: String) { events.append("label \(label)") }
            func end(on track: Int) { events.append("end \(labels.elements[track])") }
        }

        @Test("signposts begin and end with each job, calls of sync within the job that calls")
        func signposts() throws {
            let signposts = Signposts()
            let pool = try makePool(JobObservation(signposts: signposts), queues: 1)
            let queue = pool.queue(for: .default)
            let gate = Gate()
            try pool.async(qos: .default) {
                try? queue.sync {}
                gate.open()
            }
            gate.pass()
            pool.shutdownBlocking()
            #expect(
                signposts.events.elements == [
                    "begin p.default, waited", "begin p.default.0", "end p.default.0", "end p.default",
                ])
        }

        @Test("a label is marked within its job, in every form of submission that has one")
        func labels() async throws {
            let signposts = Signposts()
            let pool = try makePool(JobObservation(signposts: signposts), queues: 1)
            let queue = pool.queue(for: .default)
            try queue.async(label: "queue") {}
            try queue.sync { labelJob("sync") }
            try await pool.start(qos: .default, label: "start") {}.value
            try pool.async(qos: .default, label: "async") {}
            try pool.async(qos: .default, key: 1, label: "key") {}
            try pool.makeQueue(label: "q", qos: .default).async(label: "made") {}
            try await pool.shutdown()
            let events = signposts.events.elements
            let labels = ["queue", "sync", "start", "async", "key", "made"]
            #expect(Set(events.filter { $0.hasPrefix("label") }) == Set(labels.map { "label \($0)" }))
            #expect(events.count == 3 * labels.count)
            for (index, event) in events.enumerated() where event.hasPrefix("label") {
                #expect(events[index - 1].hasPrefix("begin") && events[index + 1].hasPrefix("end"))
            }
        }

        @Test("statistics tell what a hot key, a long job and a full tier do, and return to rest")
        func fullestQueue() throws {
            let pool = try WorkerQueuePool(
                label: "p", queuesPerTier: .exactly(2), capacity: [.utility: 20],
                workers: WorkerOptions(observation: JobObservation()))
            #expect(pool.statistics[.utility].capacity == nil)
            let queues = (0..<2).map { _ in pool.queue(for: .utility) }
            #expect(pool.statistics[.utility].capacity == 20 && pool.statistics[.default].capacity == nil)
            #expect(pool.statistics.description == "not used")
            let gate = Gate()
            for queue in queues { try queue.async(label: "held") { gate.pass() } }
            gate.waitForArrivals(2)
            var tier = pool.statistics[.utility]
            #expect(tier.fullestQueue == nil && tier.longestWait == nil)
            #expect(tier.longestRun != nil)
            // Unordered jobs are in no queue.
            try pool.async(qos: .utility) {}
            tier = pool.statistics[.utility]
            #expect(tier.waiting == 1 && tier.fullestQueue == nil)
            let start = ContinuousClock.now
            #expect(try #require(tier.longestWait) >= .zero)
            try queues[0].async {}
            for _ in 0..<3 { try queues[1].async {} }
            while start.duration(to: .now) < .milliseconds(2) {}
            tier = pool.statistics[.utility]
            let fullest = try #require(tier.fullestQueue)
            #expect(fullest.label == "p.utility.1" && fullest.waiting == 3)
            #expect(fullest.running.map(\.label) == ["held"])
            let wait = try #require(tier.longestWait)
            #expect(wait >= .milliseconds(2) && wait >= (fullest.longestWait ?? .zero))
            #expect(tier.description.contains("capacity 20, fullest queue p.utility.1 (3), longest wait "))
            gate.open()
            pool.shutdownBlocking()
            tier = pool.statistics[.utility]
            #expect(tier.fullestQueue == nil && tier.longestWait == nil && tier.longestRun == nil)
        }

        @Test("without an observation the fullest queue is known, and times are not; nor for other queues")
        func unobservedStatistics() throws {
            func check<Queue>(_ pool: QueuePool<Queue>, _ gate: Gate) throws {
                try pool.async(qos: .utility, key: 1) { gate.pass() }
                gate.waitForArrivals()
                for _ in 0..<4 { try pool.async(qos: .utility, key: 1) {} }
                let tier = pool.statistics[.utility]
                #expect(tier.fullestQueue?.waiting == 4)
                #expect(tier.fullestQueue?.label.hasPrefix("p.utility.") == true)
                #expect(tier.longestWait == nil && tier.longestRun == nil && tier.capacity == 9)
                gate.open()
                pool.shutdownBlocking()
            }
            try check(
                WorkerQueuePool(label: "p", queuesPerTier: .exactly(2), capacity: .each(9)), Gate())
            try check(
                DispatchQueuePool(label: "p", queuesPerTier: .exactly(2), capacity: .each(9)), Gate())
        }
    }
#endif
