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
