#if os(Linux)
    import TestSupport
    import Testing

    @testable import QueuePools

    @Suite("What a pool reports of its jobs", .timeLimit(.minutes(5)))
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
            try queue.async {
                PoolJob.setLabel("decode")
                gate.pass()
            }
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
            for label in ["one", "two"] as [StaticString] {
                try pool.async(qos: .utility) {
                    PoolJob.setLabel(label)
                    gate.pass()
                }
            }
            gate.waitForArrivals(2)
            for _ in 0..<5 { try pool.async(qos: .utility) {} }
            let activity = try #require(pool.activity(of: .utility).last)
            #expect(activity.label == "p.utility" && activity.waiting == 5)
            #expect(activity.longestWait != nil)
            #expect(Set(activity.running.map(\.label)) == ["one", "two"])
            let queue = pool.queue(for: .background)
            try queue.sync {
                PoolJob.setLabel("three")
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
            try queue.async {
                PoolJob.setLabel("ignored")
                gate.pass()
            }
            gate.waitForArrivals()
            try queue.async {}
            #expect(queue.activity == QueueActivity(label: "p.default.0", waiting: 1))
            gate.open()
        }

        @Test(
            "a job that runs for longer than the limit is reported once, while it runs",
            arguments: [false, true])
        func longJob(isUnordered: Bool) async throws {
            let reports = Recorder<LongJob>()
            let reported = Gate()
            let pool = try makePool(
                JobObservation(longJobLimit: .milliseconds(100)) { job in
                    reports.append(job)
                    reported.open()
                }, queues: 1)
            let job: @Sendable () -> Void = {
                PoolJob.setLabel("endless")
                // Ends when it has been reported.
                reported.pass()
            }
            if isUnordered {
                try pool.async(qos: .utility, job)
            } else {
                try pool.queue(for: .utility).async(job)
            }
            await pool.shutdown()
            #expect(reports.elements.map(\.queue) == [isUnordered ? "p.utility" : "p.utility.0"])
            #expect(reports.elements.map(\.label) == ["endless"])
            #expect(reports.elements.allSatisfy { $0.age >= .milliseconds(100) })
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
            func begin(on track: Int) { events.append("begin \(labels.elements[track])") }
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
                    "begin p.default", "begin p.default.0", "end p.default.0", "end p.default",
                ])
        }
    }
#endif
