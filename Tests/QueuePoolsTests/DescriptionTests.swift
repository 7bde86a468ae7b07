import QueuePools
import Testing

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
        #expect("\(FullTierPolicy.suspend)" == "suspend")
        #expect("\(FullTierPolicy.suspend(atMost: 5))" == "suspend at most 5")
    }

    @Test("statistics are a line for each tier that was used")
    func statistics() {
        #expect("\(PoolStatistics())" == "not used")
        var tier = TierStatistics()
        tier.submitted = 2
        tier.waiting = 2
        let statistics = PoolStatistics(tiers: [.utility: tier, .default: TierStatistics()])
        #expect("\(statistics)" == "utility: submitted 2, waiting 2")
    }

    @Test("a queue's activity is described with labels and times")
    func activities() {
        let unlabelled = RunningJob(queue: "a.utility.0", age: .seconds(2))
        #expect("\(unlabelled)" == "a.utility.0: a job for 2.0 seconds")
        let idle = QueueActivity(label: "a.utility.0")
        #expect("\(idle)" == "a.utility.0: waiting 0")
        let busy = QueueActivity(
            label: "a.utility.0", waiting: 3, longestWait: .milliseconds(1_500),
            running: [.init(queue: "a.utility.0", label: "resize", age: .milliseconds(250))])
        #expect(
            "\(busy)" == "a.utility.0: waiting 3, for 1.5 seconds; running resize for 0.25 seconds")
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
                "userInteractive: normal, nice -5, slice 0.0001 seconds",
                "utility: normal, nice +14, slice 0.000175 seconds", "background: idle, nice +0",
            ]
            #expect("\(scheduling)" == descriptions.joined(separator: "; "))
        }
    #endif
}
