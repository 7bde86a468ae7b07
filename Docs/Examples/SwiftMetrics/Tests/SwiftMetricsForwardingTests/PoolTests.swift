import Metrics
import MetricsTestKit
import QueuePools
import SwiftMetricsForwarding
import Testing

@Suite("Forwarding the statistics of a pool")
struct PoolTests {
    private func statistics(_ change: (inout TierStatistics) -> Void) -> PoolStatistics {
        var tier = TierStatistics()
        change(&tier)
        return PoolStatistics(tiers: [.utility: tier])
    }

    private func times(_ counts: KeyValuePairs<Duration, Int>, sum: Duration) -> TimeSummary {
        var times = TimeSummary()
        times.buckets = counts.map { TimeSummary.Bucket(upperBound: $0, count: $1) }
        times.sampleCount = counts.reduce(0) { $0 + $1.value }
        times.sum = sum
        return times
    }

    @Test("a counter gets what is new since the last time, and nothing if a figure was higher for a moment")
    func counters() throws {
        let backend = TestMetrics()
        var metrics = PoolMetrics(pool: "tiles", factory: backend)
        for submitted in [3, 5, 4, 7] { metrics.record(statistics { $0.submitted = submitted }) }
        let counter = try backend.expectCounter(
            "queue_pool.jobs_submitted", [("pool", "tiles"), ("tier", "utility")])
        #expect(counter.values == [3, 2, 2])
        #expect(backend.counterTotal(label: "queue_pool.jobs_submitted") == 7)
    }

    @Test("a meter has the last value, and each time is recorded once, as its bucket's bound")
    func metersAndTimers() throws {
        let backend = TestMetrics()
        var metrics = PoolMetrics(pool: "tiles", factory: backend)
        for count in 1...2 {
            metrics.record(
                statistics {
                    $0.waiting = 8 - count
                    $0.capacity = 9
                    $0.longestWait = .milliseconds(250 * count)
                    $0.waitTimes = times([.microseconds(1): 1, .milliseconds(2): count], sum: .zero)
                })
        }
        let dimensions = [("pool", "tiles"), ("tier", "utility")]
        #expect(try backend.expectMeter("queue_pool.jobs_waiting", dimensions).values == [7, 6])
        #expect(try backend.expectMeter("queue_pool.capacity", dimensions).values == [9, 9])
        #expect(
            try backend.expectMeter("queue_pool.fullest_queue_jobs_waiting", dimensions).values == [0, 0])
        #expect(try backend.expectMeter("queue_pool.longest_wait", dimensions).values == [0.25, 0.5])
        #expect(try backend.expectMeter("queue_pool.longest_run", dimensions).values == [0, 0])
        #expect(
            try backend.expectTimer("queue_pool.wait", dimensions).values == [1_000, 2_000_000, 2_000_000])
        #expect(try backend.expectTimer("queue_pool.run", dimensions).values.isEmpty)
    }

    @Test("what a pool counts arrives, each figure under its own name")
    func pool() async throws {
        let backend = TestMetrics()
        let pool = try DefaultQueuePool(label: "tiles", queuesPerTier: .exactly(1))
        var metrics = PoolMetrics(pool: pool.label, factory: backend)
        for _ in 0..<32 { try await pool.run(qos: .utility) {} }
        try await pool.shutdown()
        #expect(throws: PoolError.self) { try pool.async(qos: .utility) {} }
        metrics.record(pool.statistics)
        func total(_ name: String) -> Int64 { backend.counterTotal(label: "queue_pool.jobs_\(name)") }
        #expect((total("submitted"), total("finished"), total("refused")) == (32, 32, 1))
        #expect(total("cancelled") + total("expired") + total("moved_in") + total("moved_out") == 0)
        #expect(backend.timers(label: "queue_pool.run").flatMap(\.values).count == 2)
    }

    @Test("Prometheus reads counters, gauges, and cumulative histograms in seconds")
    func prometheus() {
        var text = PrometheusText()
        text.add(
            statistics {
                ($0.submitted, $0.refused, $0.waitingForRoom, $0.waiting, $0.running) = (63, 2, 3, 4, 5)
                ($0.finished, $0.cancelled, $0.expired, $0.movedIn, $0.movedOut) = (40, 3, 1, 2, 3)
                ($0.threads, $0.threadFailures) = (2, 1)
                $0.delayed = 6
                $0.capacity = 50
                $0.fullestQueue = QueueActivity(label: "tiles.utility.1", waiting: 3)
                ($0.longestWait, $0.longestRun) = (.milliseconds(1_500), .seconds(2))
                $0.waitTimes = times(
                    [.microseconds(1): 2, .milliseconds(2): 3, .seconds(20): 1], sum: .milliseconds(20_005))
            }, ofPool: "a \"b\"\\\n", bounds: [.milliseconds(1), .milliseconds(2), .seconds(10)])
        let set = #"{pool="a \"b\"\\\n",tier="utility"}"#
        let open = set.dropLast()
        #expect(
            text.text == """
                # HELP queue_pool_jobs_submitted_total Jobs that were not refused.
                # TYPE queue_pool_jobs_submitted_total counter
                queue_pool_jobs_submitted_total\(set) 63
                # HELP queue_pool_jobs_refused_total Jobs that were refused in the call.
                # TYPE queue_pool_jobs_refused_total counter
                queue_pool_jobs_refused_total\(set) 2
                # HELP queue_pool_jobs_finished_total Jobs that ran to their end.
                # TYPE queue_pool_jobs_finished_total counter
                queue_pool_jobs_finished_total\(set) 40
                # HELP queue_pool_jobs_cancelled_total Jobs cancelled before they began.
                # TYPE queue_pool_jobs_cancelled_total counter
                queue_pool_jobs_cancelled_total\(set) 3
                # HELP queue_pool_jobs_expired_total Jobs that had not begun at their deadline.
                # TYPE queue_pool_jobs_expired_total counter
                queue_pool_jobs_expired_total\(set) 1
                # HELP queue_pool_jobs_moved_in_total Jobs that came from a lower tier.
                # TYPE queue_pool_jobs_moved_in_total counter
                queue_pool_jobs_moved_in_total\(set) 2
                # HELP queue_pool_jobs_moved_out_total Jobs that left for a higher tier.
                # TYPE queue_pool_jobs_moved_out_total counter
                queue_pool_jobs_moved_out_total\(set) 3
                # HELP queue_pool_thread_failures_total Threads that the system refused.
                # TYPE queue_pool_thread_failures_total counter
                queue_pool_thread_failures_total\(set) 1
                # HELP queue_pool_scheduling_failures_total Requests that the kernel refused.
                # TYPE queue_pool_scheduling_failures_total counter
                queue_pool_scheduling_failures_total\(set) 0
                # HELP queue_pool_jobs_waiting_for_room Jobs that wait until the tier has room.
                # TYPE queue_pool_jobs_waiting_for_room gauge
                queue_pool_jobs_waiting_for_room\(set) 3
                # HELP queue_pool_jobs_delayed Jobs accepted whose time has not come.
                # TYPE queue_pool_jobs_delayed gauge
                queue_pool_jobs_delayed\(set) 6
                # HELP queue_pool_jobs_waiting Other jobs accepted that have not begun.
                # TYPE queue_pool_jobs_waiting gauge
                queue_pool_jobs_waiting\(set) 4
                # HELP queue_pool_jobs_running Jobs running now.
                # TYPE queue_pool_jobs_running gauge
                queue_pool_jobs_running\(set) 5
                # HELP queue_pool_threads Threads that serve the tier.
                # TYPE queue_pool_threads gauge
                queue_pool_threads\(set) 2
                # HELP queue_pool_capacity How many jobs may wait.
                # TYPE queue_pool_capacity gauge
                queue_pool_capacity\(set) 50
                # HELP queue_pool_fullest_queue_jobs_waiting Jobs that wait in the queue in which most wait.
                # TYPE queue_pool_fullest_queue_jobs_waiting gauge
                queue_pool_fullest_queue_jobs_waiting\(open),queue="tiles.utility.1"} 3
                # HELP queue_pool_longest_wait_seconds The longest time that a waiting job has waited.
                # TYPE queue_pool_longest_wait_seconds gauge
                queue_pool_longest_wait_seconds\(set) 1.5
                # HELP queue_pool_longest_run_seconds The longest time that a running job has run.
                # TYPE queue_pool_longest_run_seconds gauge
                queue_pool_longest_run_seconds\(set) 2
                # HELP queue_pool_wait_seconds From the call to the beginning, of a sample of the jobs.
                # TYPE queue_pool_wait_seconds histogram
                queue_pool_wait_seconds_bucket\(open),le="0.001"} 2
                queue_pool_wait_seconds_bucket\(open),le="0.002"} 5
                queue_pool_wait_seconds_bucket\(open),le="10"} 5
                queue_pool_wait_seconds_bucket\(open),le="+Inf"} 6
                queue_pool_wait_seconds_sum\(set) 20.005
                queue_pool_wait_seconds_count\(set) 6
                # HELP queue_pool_run_seconds From the beginning to the end, of a sample of the jobs.
                # TYPE queue_pool_run_seconds histogram
                queue_pool_run_seconds_bucket\(open),le="0.001"} 0
                queue_pool_run_seconds_bucket\(open),le="0.002"} 0
                queue_pool_run_seconds_bucket\(open),le="10"} 0
                queue_pool_run_seconds_bucket\(open),le="+Inf"} 0
                queue_pool_run_seconds_sum\(set) 0
                queue_pool_run_seconds_count\(set) 0

                """)
    }

    @Test("ages are 0 where no job waits or runs, and absent where they are unknown; histograms are exact")
    func absentFigures() {
        var text = PrometheusText()
        text.add(statistics { $0.waiting = 1 }, ofPool: "p")
        #expect(!text.text.contains("queue_pool_capacity{"))
        #expect(!text.text.contains("queue_pool_fullest_queue_jobs_waiting{"))
        #expect(!text.text.contains("queue_pool_longest_wait_seconds{"))
        #expect(text.text.contains("queue_pool_longest_run_seconds{pool=\"p\",tier=\"utility\"} 0\n"))
        for bound in ["1e-06", "0.0005", "0.02", "10"] {
            #expect(text.text.contains(",le=\"\(bound)\"} 0\n"), "\(bound)")
        }
        #expect(text.text.split(separator: "queue_pool_wait_seconds_bucket{").count == 24)
    }

    @Test("help and labels are escaped, fractions are written, and a metric's samples stay together")
    func format() {
        var text = PrometheusText()
        text.add("p_n", "One\\two\nthree.", .gauge, [.init([], 3), .init([("b", "1"), ("a", "\"")], 0.25)])
        #expect(
            text.text == #"""
                # HELP p_n One\\two\nthree.
                # TYPE p_n gauge
                p_n 3
                p_n{b="1",a="\""} 0.25

                """#)
    }
}
