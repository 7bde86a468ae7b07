import Dispatch
import TestSupport
import Testing

@testable import QueuePools

#if os(Linux)
    import Glibc
#endif

@Suite("Jobs", .timeLimit(.minutes(15)))
struct JobTests {

    @Test(
        "create, async per class, release: the three calls that most users need", arguments: PoolKind.allCases
    )
    func threeCalls(kind: PoolKind) throws {
        let pool = try kind.pool("three", .automatic)
        let ran = Recorder<QoSTier>()
        for tier in QoSTier.allCases { try pool.async(qos: tier) { ran.append(tier) } }
        pool.shutdownBlocking()
        #expect(Set(ran.elements) == Set(QoSTier.allCases))
    }

    @Test(
        "a cancelled job that has not started never runs and releases its closure at once",
        arguments: PoolKind.allCases)
    func cancelReleases(kind: PoolKind) throws {
        let pool = try kind.pool("jobs", .exactly(1))
        let gate = Gate()
        try pool.async(qos: .default) { gate.pass() }
        gate.waitForArrivals()
        let released = Recorder<String>()
        var probe: LifetimeProbe? = LifetimeProbe { released.append("released") }
        let job = try pool.async(qos: .default) { [probe] in
            probe?.touch()
            released.append("ran")
        }
        probe = nil
        #expect(released.elements.isEmpty)
        #expect(job.cancel())
        #expect(released.elements == ["released"])
        #expect(!job.cancel(), "only the first cancel counts")
        gate.open()
        pool.shutdownBlocking()
        #expect(released.elements == ["released"])
    }

    #if os(Linux) && !DEBUG
        /// A job that ends while its submitter still wakes the thread, which happens often where both share a
        /// processor. Unoptimized code keeps copies.
        @Test("a job's thread releases the job's captures, not its submitter, in an optimized build")
        func releasedByJob() throws {
            var workers = WorkerOptions()
            workers.threads.yieldsBeforeParking = 0
            let pool = try WorkerQueuePool(label: "jobs", queuesPerTier: .exactly(1), workers: workers)
            let (bySubmitter, submitter) = (Counter(), UInt(pthread_self()))
            func release(of ended: DispatchSemaphore) -> @Sendable () -> Void {
                let probe = LifetimeProbe {
                    if UInt(pthread_self()) == submitter { bySubmitter.increment() }
                }
                return {
                    probe.touch()
                    ended.signal()
                }
            }
            let ended = DispatchSemaphore(value: 0)
            let (queue, made) = (
                pool.queue(for: .default), try pool.makeQueue(label: "made", qos: .default)
            )
            for _ in 0..<20_000 {
                try pool.async(qos: .default, release(of: ended))
                ended.wait()
                try pool.async(qos: .default, key: 0, release(of: ended))
                ended.wait()
                for queue in [queue, made] {
                    try queue.async(release(of: ended))
                    ended.wait()
                    queue.enqueue(release(of: ended))
                    ended.wait()
                }
            }
            pool.shutdownBlocking()
            #expect(bySubmitter.value == 0)
        }
    #endif

    @Test("a job that has begun cannot be cancelled", arguments: PoolKind.allCases)
    func tooLate(kind: PoolKind) throws {
        let pool = try kind.pool("jobs", .exactly(1))
        let gate = Gate()
        let job = try pool.async(qos: .default) { gate.pass() }
        gate.waitForArrivals()
        #expect(!job.cancel())
        gate.open()
        pool.shutdownBlocking()
        #expect(!job.cancel())
    }

    @Test(
        "a job cancelled while it starts either runs or is cancelled, never both or neither",
        arguments: PoolKind.allCases)
    func cancelRaces(kind: PoolKind) throws {
        let pool = try kind.pool("jobs", .exactly(1))
        let ran = Counter()
        var cancelled = 0
        for _ in 0..<5_000 {
            let job = try pool.async(qos: .default) { ran.increment() }
            if job.cancel() { cancelled += 1 }
        }
        pool.shutdownBlocking()
        #expect(ran.value + cancelled == 5_000)
        #expect(pool.statistics[.default].cancelled == cancelled)
    }

    @Test("jobs of equal keys run in the order they were submitted", arguments: PoolKind.allCases)
    func stickyOrder(kind: PoolKind) throws {
        let pool = try kind.pool("sticky", .exactly(4))
        let order = Recorder<Int>()
        for index in 0..<500 { try pool.async(qos: .utility, key: "one object") { order.append(index) } }
        pool.shutdownBlocking()
        #expect(order.elements == Array(0..<500))
    }

    @Test(
        "dropping the last reference to a pool with work pending loses nothing", arguments: PoolKind.allCases)
    func droppedPool(kind: PoolKind) throws {
        let gate = Gate()
        let finished = DispatchGroup()
        var pool: (any AnyPool)? = try kind.pool("dropped", .exactly(2))
        weak let watched = pool
        for _ in 0..<100 {
            finished.enter()
            try pool?.async(qos: .default) {
                gate.pass()
                finished.leave()
            }
        }
        pool = nil
        #expect(watched == nil)
        gate.open()
        finished.wait()
    }

    @Test(
        "statistics count jobs that were submitted, wait, run, have finished and were cancelled",
        arguments: PoolKind.allCases)
    func statistics(kind: PoolKind) throws {
        let pool = try kind.pool("jobs", .exactly(1))
        let gate = Gate()
        let jobs = try (0..<40).map { _ in try pool.async(qos: .default) { gate.pass() } }
        gate.waitForArrivals()
        jobs.last?.cancel()
        var tier = pool.statistics[.default]
        #expect(tier.submitted == 40)
        #expect(tier.running == 1)
        #expect(tier.waiting == 38)
        #expect(tier.cancelled == 1)
        #expect(tier.finished == 0)
        gate.open()
        pool.shutdownBlocking()
        tier = pool.statistics[.default]
        #expect(tier.finished == 39)
        #expect(tier.running == 0)
        #expect(tier.waiting == 0)
        #expect(tier.waitTimes.sampleCount == 3, "jobs 0, 16 and 32")
        #expect(tier.waitTimes.maximum >= tier.waitTimes.p50)
        #expect(pool.statistics[.utility] == TierStatistics())
    }

    @Test("times fall into buckets whose bounds are at most a quarter above them")
    func histogramBuckets() {
        for exponent in 0..<64 {
            for value in [UInt64(1) << exponent, (UInt64(1) << exponent) &+ 1, UInt64.max >> (63 - exponent)]
            {
                let bound = TimeHistogram.upperBound(of: TimeHistogram.bucket(of: value))
                #expect(bound >= value)
                #expect(bound - value <= value / 4)
            }
        }
        var last: UInt64?
        for bucket in 0...TimeHistogram.bucket(of: .max) {
            let bound = TimeHistogram.upperBound(of: bucket)
            #expect(TimeHistogram.bucket(of: bound) == bucket)
            if let last { #expect(bound > last && TimeHistogram.bucket(of: last + 1) == bucket) }
            last = bound
        }
        #expect(last == .max)
        let histogram = TimeHistogram()
        for value in 1...100 { histogram.record(nanoseconds: UInt64(value) * 1_000) }
        let times = histogram.snapshot()
        #expect(times.sampleCount == 100)
        #expect((50_000...62_500).contains(times.p50.components.attoseconds / 1_000_000_000))
        #expect((99_000...123_750).contains(times.p99.components.attoseconds / 1_000_000_000))
        let bounds = times.buckets.map(\.upperBound)
        #expect(bounds == bounds.sorted() && bounds.last == times.maximum)
        for value in 1...100 {
            // Of the times counted so far, all that are in buckets below it are shorter, and it is in the
            // next one.
            let below = times.buckets.filter { $0.upperBound < .microseconds(value) }
            let upTo = times.buckets.prefix(below.count + 1)
            #expect(below.reduce(0) { $0 + $1.count } < value)
            #expect(upTo.reduce(0) { $0 + $1.count } >= value)
        }
        histogram.record(nanoseconds: 0)
        #expect(histogram.snapshot().buckets.first == .init(upperBound: .zero, count: 1))
        #expect(TimeHistogram().snapshot() == TimeSummary())
    }

    @Test("counts up to 1, 2, 5, 10, … µs to 10 s are exact")
    func exactBounds() {
        let bounds = TimeSummary.bounds125
        #expect(bounds.count == 22 && bounds.first == .microseconds(1) && bounds.last == .seconds(10))
        #expect(bounds.prefix(5) == [1, 2, 5, 10, 20].map { Duration.microseconds($0) }[...])
        let histogram = TimeHistogram()
        for bound in bounds {
            let nanoseconds = UInt64(bound / .nanoseconds(1))
            for value in [nanoseconds - 1, nanoseconds, nanoseconds + 1] {
                histogram.record(nanoseconds: value)
            }
        }
        // Of the bounds below, all three; of the bound, the two that are no longer.
        #expect(histogram.snapshot().cumulativeCounts(upTo: bounds) == bounds.indices.map { 3 * $0 + 2 })
    }
}
