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
}
