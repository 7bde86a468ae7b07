import Foundation
import QueuePools
import Testing

@Suite("Statistics as JSON")
struct StatisticsJSONTests {
    /// As version 1.0 encodes its statistics. Later versions must decode it as it is.
    private static let frozen = """
        {"tiers":{"utility":{"cancelled":2,"capacity":64,"delayed":1,"expired":3,\
        "finished":90,"fullestQueue":{"label":"tiles.utility.0","longestWaitSeconds":1.5,"running":\
        [{"ageSeconds":0.25,"label":"resize","queue":"tiles.utility.0"}],"waiting":4},\
        "longestRunSeconds":0.25,"longestWaitSeconds":1.5,"movedIn":5,"movedOut":6,"refused":7,\
        "runTimes":{"buckets":[{"count":3,"upperBoundSeconds":1.023e-06}],"maximumSeconds":1.023e-06,\
        "p50Seconds":1.023e-06,"p90Seconds":1.023e-06,"p99Seconds":1.023e-06,"sampleCount":3,\
        "sumSeconds":2.5e-06},"running":8,"schedulingFailures":9,"submitted":100,"threadFailures":10,\
        "threads":11,"waitTimes":{"buckets":[],"maximumSeconds":0,"p50Seconds":0,"p90Seconds":0,\
        "p99Seconds":0,"sampleCount":0,"sumSeconds":0},"waiting":12,"waitingForRoom":13}}}
        """

    private static var statistics: PoolStatistics {
        var tier = TierStatistics()
        (tier.submitted, tier.finished, tier.cancelled, tier.delayed) = (100, 90, 2, 1)
        (tier.expired, tier.movedIn, tier.movedOut, tier.refused) = (3, 5, 6, 7)
        (tier.running, tier.schedulingFailures, tier.threadFailures) = (8, 9, 10)
        (tier.threads, tier.waiting, tier.waitingForRoom, tier.capacity) = (11, 12, 13, 64)
        (tier.longestWait, tier.longestRun) = (.milliseconds(1_500), .milliseconds(250))
        tier.fullestQueue = QueueActivity(
            label: "tiles.utility.0", waiting: 4, longestWait: .milliseconds(1_500),
            running: [
                RunningJob(queue: "tiles.utility.0", label: "resize", age: .milliseconds(250))
            ])
        let time = Duration.nanoseconds(1_023)
        (tier.runTimes.sampleCount, tier.runTimes.sum) = (3, .nanoseconds(2_500))
        (tier.runTimes.p50, tier.runTimes.p90, tier.runTimes.p99) = (time, time, time)
        tier.runTimes.maximum = time
        tier.runTimes.buckets = [.init(upperBound: time, count: 3)]
        return PoolStatistics(tiers: [.utility: tier])
    }

    private func decode<Value: Decodable>(_ json: String, as _: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(json.utf8))
    }

    private func encode(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    @Test("the frozen file is decoded to the statistics that it was made of, and they are encoded as it")
    func frozen() throws {
        #expect(try decode(Self.frozen) == Self.statistics)
        #expect(try encode(Self.statistics) == Self.frozen)
    }

    @Test("each count, time and queue survives the way there and back")
    func roundTrip() throws {
        let pool = try DefaultQueuePool(label: "p", queuesPerTier: .exactly(2))
        for number in 0..<1_000 { pool.queue(for: .utility, key: number).enqueue {} }
        pool.shutdownBlocking()
        let statistics = pool.statistics
        #expect(statistics[.utility].finished == 1_000)
        #expect(try decode(encode(statistics)) == statistics)
    }

    @Test("of an earlier version, a missing key is zero or nil")
    func missingKeys() throws {
        let none: PoolStatistics = try decode("{}")
        #expect(none == PoolStatistics())
        let some: PoolStatistics = try decode(#"{"tiers":{"background":{"submitted":3,"runTimes":{}}}}"#)
        var tier = TierStatistics()
        tier.submitted = 3
        #expect(some == PoolStatistics(tiers: [.background: tier]))
        #expect(try decode("{}", as: QueueActivity.self) == QueueActivity(label: ""))
        #expect(try decode("{}", as: RunningJob.self) == RunningJob(queue: "", age: .zero))
        #expect(try decode("{}", as: TimeSummary.Bucket.self).count == 0)
    }

    @Test("of a later version, unknown keys and tiers are ignored")
    func unknownKeys() throws {
        let statistics: PoolStatistics = try decode(
            #"{"tiers":{"batch":{"submitted":"1"},"none":7,"utility":{"stolen":2,"finished":5}},"nodes":[1]}"#
        )
        #expect(statistics.tiers.keys.map(\.name) == ["utility"])
        #expect(statistics[.utility].finished == 5)
    }

    @Test("null is as if it were missing", arguments: [#"{"tiers":null}"#, #"{"tiers":{"utility":null}}"#])
    func null(json: String) throws {
        #expect(try decode(json) == PoolStatistics())
    }

    @Test("counts below zero are an error, and those whose sum is too large are counted as the largest")
    func hostileCounts() throws {
        #expect(throws: DecodingError.self) {
            try decode(#"{"tiers":{"utility":{"submitted":-1}}}"#, as: PoolStatistics.self)
        }
        var summary = TimeSummary()
        summary.buckets = [.max, 9].map { .init(upperBound: .zero, count: $0) }
        summary = try decode(encode(summary))
        #expect(summary.cumulativeCounts(upTo: [.zero, .seconds(1)]) == [.max, .max])
    }

    @Test("a tier is encoded by its name, and an unknown name is an error")
    func tiers() throws {
        #expect(try encode(QoSTier.allCases).contains(#""userInteractive""#))
        #expect(try decode(encode(QoSTier.allCases)) == QoSTier.allCases)
        #expect(throws: DecodingError.self) { try decode(#"["batch"]"#, as: [QoSTier].self) }
        #expect(throws: DecodingError.self) { try decode("[3]", as: [QoSTier].self) }
    }

    @Test(
        "a time beyond all clocks is an error, and the longest one is kept", arguments: [1e10, -1e10, 1e300])
    func hostileTimes(seconds: Double) throws {
        #expect(throws: DecodingError.self) {
            try decode(#"{"queue":"q","ageSeconds":\#(seconds)}"#, as: RunningJob.self)
        }
        let longest = RunningJob(queue: "q", age: .nanoseconds(Int64.max))
        let decoded: RunningJob = try decode(encode(longest))
        #expect(abs((decoded.age - longest.age) / .seconds(1)) < 1e-6)
        let endless = RunningJob(queue: "q", age: .seconds(Int64.max))
        #expect(try decode(encode(endless), as: RunningJob.self).age == decoded.age)
    }
}
