import Testing

@testable import QueuePools

@Suite("Descriptions of values of pools")
struct DescriptionTests {
    @Test("an error's code is described by its name, and equals no other code")
    func codes() {
        let codes: [PoolError.Code] = [
            .invalidQueueCount, .invalidLabel, .shutDown, .invalidCapacity, .invalidObservation, .full,
            .expired,
            .cancelled, .timeLimit, .invalidScheduling, .invalidThreads, .noThread, .forked,
        ]
        #expect(PoolError.Code.noThread.description == "noThread")
        #expect(Set(codes).count == codes.count)
        #expect(Set(codes.map(\.description)).count == codes.count)
    }

    @Test("a tier, a pool and a queue are described by their names")
    func names() throws {
        #expect(QoSTier.allCases.map { "\($0)" } == QoSTier.allCases.map(\.name))
        let pool = try DefaultQueuePool(label: "tiles", queuesPerTier: .exactly(1))
        #expect("\(pool)" == "tiles")
        #if os(Linux)
            #expect("\(pool.queue(for: .utility))" == "tiles.utility.0")
        #endif
    }

    @Test("policies for full tiers are described as they are written")
    func policies() {
        #expect("\(FullTierPolicy.throw)" == "throw")
        #expect("\(FullTierPolicy.wait)" == "wait")
        #expect("\(FullTierPolicy.wait(atMost: 5))" == "wait at most 5")
    }

    @Test("statistics are a line for each tier that was used")
    func statistics() {
        #expect("\(PoolStatistics())" == "not used")
        var tier = TierStatistics()
        tier.submitted = 2
        tier.waiting = 2
        let statistics = PoolStatistics(tiers: [.utility: tier, .default: TierStatistics()])
        #expect("\(statistics)" == "utility: submitted 2, waiting 2")
        tier.capacity = 10
        tier.fullestQueue = QueueActivity(label: "p.utility.1", waiting: 2)
        (tier.longestWait, tier.longestRun) = (.microseconds(8_400), .seconds(90))
        tier.waitTimes.sampleCount = 1
        (tier.waitTimes.p50, tier.waitTimes.maximum) = (.microseconds(120), .milliseconds(1_500))
        #expect(
            "\(tier)"
                == "submitted 2, waiting 2, capacity 10, fullest queue p.utility.1 (2), longest wait 8.4 ms, "
                + "longest run 90 s, waited p50 120 µs, p90 0 s, p99 0 s, at most 1.5 s (of 1)")
        tier = TierStatistics()
        tier.capacity = 10
        #expect("\(PoolStatistics(tiers: [.utility: tier]))" == "not used" && "\(tier)" == "not used")
    }

    @Test(
        "durations are described in the unit that fits, with three digits at most",
        arguments: [
            (.zero, "0 s"), (.nanoseconds(1), "1 ns"), (.nanoseconds(999), "999 ns"),
            (.nanoseconds(1_000), "1 µs"), (.microseconds(120), "120 µs"), (.nanoseconds(1_005), "1.01 µs"),
            (.nanoseconds(12_340), "12.3 µs"), (.nanoseconds(999_499), "999 µs"),
            (.nanoseconds(999_500), "1 ms"), (.microseconds(8_400), "8.4 ms"),
            (.microseconds(8_040), "8.04 ms"),
            (.milliseconds(1_500), "1.5 s"), (.seconds(20), "20 s"), (.seconds(999), "999 s"),
            (.milliseconds(999_500), "1000 s"), (.seconds(3_725), "3725 s"), (.milliseconds(-8), "-8 ms"),
            (.seconds(Int64.max), "9223372036854775807 s"), (Duration(attoseconds: 1_000_000), "0 ns"),
            (Duration(attoseconds: .min), "-170141183460469231732 s"),
        ] as [(Duration, String)])
    func durations(duration: Duration, text: String) { #expect(duration.text == text) }

    @Test("what a pool refuses for its time is described so, too")
    func refusedTimes() throws {
        #if os(Linux)
            let workers = WorkerOptions(observation: JobObservation(longJobLimit: .microseconds(8)))
            let error = #expect(throws: PoolError.self) { try WorkerQueuePool(label: "p", workers: workers) }
            #expect(error?.description.contains("; 8 µs was asked for") == true)
        #endif
    }

    @Test("a queue's activity is described with labels and times")
    func activities() {
        let unlabelled = RunningJob(queue: "a.utility.0", age: .seconds(2))
        #expect("\(unlabelled)" == "a.utility.0: a job for 2 s")
        let idle = QueueActivity(label: "a.utility.0")
        #expect("\(idle)" == "a.utility.0: waiting 0")
        let busy = QueueActivity(
            label: "a.utility.0", waiting: 3, longestWait: .milliseconds(1_500),
            running: [.init(queue: "a.utility.0", label: "resize", age: .milliseconds(250))])
        #expect(
            "\(busy)" == "a.utility.0: waiting 3, for 1.5 s; running resize for 250 ms")
    }

    @Test("capacities are described from the most urgent tier on")
    func capacities() {
        #expect("\(TierCapacities.unlimited)" == "unlimited")
        let capacities: TierCapacities = [.background: 20, .utility: 100]
        #expect("\(capacities)" == "utility 100, background 20")
    }

    #if os(Linux)
        @Test(
            "a scheduling is described by its policy, nice increment and slice, from the most urgent tier on")
        func scheduling() {
            #expect("\(TierScheduling.inherited)" == "inherited")
            let scheduling: TierScheduling = [
                .background: ThreadScheduling(policy: .idle, slice: nil),
                .userInteractive: ThreadScheduling(niceIncrement: -5),
                .utility: ThreadScheduling(niceIncrement: 14, slice: .microseconds(175)),
            ]
            let descriptions = [
                "userInteractive: normal, nice -5, slice 100 µs",
                "utility: normal, nice +14, slice 175 µs", "background: idle, nice +0",
            ]
            #expect("\(scheduling)" == descriptions.joined(separator: "; "))
        }
    #endif
}
