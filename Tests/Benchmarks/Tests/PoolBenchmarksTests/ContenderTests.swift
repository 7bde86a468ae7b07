import Foundation
import Testing

@testable import BenchmarkHarness
@testable import PoolBenchmarks

@Suite(.timeLimit(.minutes(15))) struct ContenderTests {
    @Test(arguments: Roster.all.map(\.name))
    func eachEmptyJobRunsOnceWithWhatItCaptured(name: String) async throws {
        try await use(name, from: Roster.all) { contender in
            // Throws where a job is missing, ran twice, or counted another one's number.
            _ = try EmptyJob.measure(contender, count: 2_000, producers: 4, tiers: .four)
        }
    }

    @Test(arguments: Roster.tasks.map(\.name))
    func eachEmptyTaskRunsOnceWithWhatItCaptured(name: String) async throws {
        try await use(name, from: Roster.tasks) { contender in
            _ = try EmptyJob.measure(contender, count: 2_000, producers: 2, tiers: .four)
        }
    }

    @Test(arguments: [Roster.leastJob, Roster.leastTask])
    func aBareRingRunsEachJobOnceWithWhatItCaptured(kind: ContenderKind) async throws {
        try await use(kind.name, from: [kind]) { contender in
            for _ in 0..<3 { _ = try EmptyJob.measure(contender, count: 60_000, producers: 1) }
        }
    }

    @Test(arguments: Roster.keyed.map(\.name))
    func eachKeyedJobRunsOnceWithWhatItCaptured(name: String) async throws {
        try await use(name, from: Roster.keyed) { contender in
            let contender = try #require(contender as? any KeyedContender)
            _ = try EmptyJob.measure(
                contender, count: 2_000, producers: 1, submit: { contender.submitByKey($1) })
        }
    }

    @Test func aTallyTellsAJobThatRanTwiceFromTwoJobs() {
        let tally = Tally()
        defer { tally.deallocate() }
        for number in [0, 1, 1] { tally.count(number) }
        #expect(tally.finished == 3)
        #expect(tally.checksum == 2)
        #expect(throws: MeasuringError.self) { try tally.wait(for: 3) }
        tally.reset()
        #expect(tally.finished == 0)
    }

    @Test func sharesOfProducersCoverAllNumbersOnce() {
        for (count, producers) in [(10, 3), (2, 4), (16, 16)] {
            let shares = (0..<producers).map { Producers.share($0, of: count, among: producers) }
            #expect(shares.flatMap { Array($0) } == Array(0..<count))
        }
    }

    /// Uses a contender on a thread of its own. It waits for jobs by blocking, and the threads that tests run
    /// on are those that `Task.detached` needs.
    private func use(
        _ name: String, from kinds: [ContenderKind],
        _ body: @escaping @Sendable (any Contender) throws -> Void
    ) async throws {
        let kind = try #require(kinds.first { $0.name == name })
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        let contender = try kind.make(2)
                        defer { contender.shutDown() }
                        try body(contender)
                    })
            }
        }
    }
}
