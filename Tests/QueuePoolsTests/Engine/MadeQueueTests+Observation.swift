#if os(Linux)
    import TestSupport
    import Testing

    @testable import QueuePools

    /// Statistics and reports of queues that a program makes.
    extension MadeQueueTests {
        @Test("the tier's statistics count the jobs of all queues, also of those that have ended")
        func statistics() async throws {
            let gate = Gate()
            queue.enqueue { gate.pass() }
            await gate.waitForArrivals()
            let jobs = try (0..<10).map { _ in try queue.async {} }
            for job in jobs.prefix(3) { job.cancel() }
            var statistics = pool.statistics[.utility]
            #expect([statistics.submitted, statistics.waiting, statistics.running] == [11, 7, 1])
            #expect([statistics.cancelled, statistics.finished] == [3, 0])
            #expect(statistics.fullestQueue == QueueActivity(label: "made", waiting: 7))
            gate.open()
            try queue.sync {}
            for _ in 0..<100 {
                let other = try pool.makeQueue(label: "other", qos: .utility)
                for _ in 0..<10 { try other.async {} }
                try other.sync {}
            }
            try await pool.shutdown()
            statistics = pool.statistics[.utility]
            #expect([statistics.submitted, statistics.waiting, statistics.running] == [1_112, 0, 0])
            #expect([statistics.cancelled, statistics.finished] == [3, 1_109])
            #expect(statistics.fullestQueue == nil)
        }

        @Test("statistics that are read while queues are made and end count each job once, and never back")
        func statisticsOfQueuesThatEnd() async throws {
            let pool = pool
            let makers = (0..<2).map { _ in
                Task {
                    for _ in 0..<2_000 {
                        let queue = try pool.makeQueue(label: "q", qos: .utility)
                        for _ in 0..<3 { try queue.async {} }
                    }
                }
            }
            var former = pool.statistics[.utility]
            while former.finished < 12_000 {
                let now = pool.statistics[.utility]
                #expect(now.submitted >= former.submitted && now.finished >= former.finished)
                #expect(now.submitted <= 12_000 && now.finished + now.running + now.waiting <= 12_000)
                former = now
                await Task.yield()
            }
            for maker in makers { try await maker.value }
            try await pool.shutdown()
        }

        @Test("running jobs have the queue's label and their own, in activities and reports of long jobs")
        func observed() async throws {
            let reports = Recorder<RunningJob>()
            let observation = JobObservation(longJobLimit: .milliseconds(20)) { reports.append($0) }
            let pool = try WorkerQueuePool(
                label: "p", queuesPerTier: .exactly(2), workers: WorkerOptions(observation: observation))
            let queue = try pool.makeQueue(label: "made", qos: .utility)
            let idle = try pool.makeQueue(label: "idle", qos: .utility)
            let gate = Gate()
            try queue.async(label: "resize") { gate.pass() }
            await gate.waitForArrivals()
            try queue.async {}
            for activity in [queue.activity, try #require(pool.activity(of: .utility).dropLast().last)] {
                #expect(activity.label == "made" && activity.waiting == 1)
                #expect(activity.running.map(\.queue) == ["made"])
                #expect(activity.running.map(\.label) == ["resize"])
                #expect(activity.longestWait != nil)
            }
            await waitWhile(reports.elements.isEmpty)
            #expect(reports.elements.map(\.label) == ["resize"])
            let tier = pool.statistics[.utility]
            #expect(tier.longestRun != nil && tier.longestWait != nil)
            #expect(tier.fullestQueue?.label == "made")
            #expect(tier.fullestQueue?.running.map(\.label) == ["resize"])
            gate.open()
            try await pool.shutdown()
            #expect(pool.activity(of: .utility).map(\.label) == ["p.utility.0", "p.utility.1", "p.utility"])
            withExtendedLifetime(idle) {}
        }

        // MARK: Lifetime
    }
#endif
