import Testing

@testable import QueuePools

@Suite("Round robin", .timeLimit(.minutes(15)))
struct RoundRobinTests {
    static let counts = [1, 2, 3, 5, 7, 12, 16, 63, 64]

    @Test("turns go round in order", arguments: counts)
    func ordered(count: Int) {
        let turns = RoundRobin(count: count)
        for turn in 0..<(3 * count) { #expect(turns.next() == turn % count) }
    }

    @Test("the order continues across the counter's wrap-around", arguments: counts)
    func wrapAround(count: Int) {
        // Starts two rounds below the wrap-around, at index 0 because `wrap` is a multiple of the count.
        let limit: UInt64 = 1 << 62
        let wrap = limit - limit % UInt64(count)
        let turns = RoundRobin(count: count, startingAt: wrap - UInt64(2 * count))
        for turn in 0..<(5 * count) { #expect(turns.next() == turn % count) }
    }

    @Test("over k·n turns from many threads every index is dealt k times", arguments: counts)
    func exactUnderContention(count: Int) async {
        await expectExact(RoundRobin(count: count), count: count)
    }

    @Test("many threads crossing the wrap-around again and again lose no turn", arguments: counts)
    func exactAcrossWrapAround(count: Int) async {
        // The counter wraps every few hundred turns, under contention.
        await expectExact(RoundRobin(count: count, wrappingBelow: 256), count: count)
    }

    private func expectExact(_ turns: consuming RoundRobin, count: Int) async {
        let dealer = Dealer(turns)
        let threads = 8
        let rounds = 1_000
        let totals = await withTaskGroup(of: [Int].self) { group in
            for _ in 0..<threads {
                group.addTask {
                    var dealt = Array(repeating: 0, count: count)
                    for _ in 0..<(rounds * count) { dealt[dealer.turns.next()] += 1 }
                    return dealt
                }
            }
            return await group.reduce(into: Array(repeating: 0, count: count)) { sums, dealt in
                for (index, value) in dealt.enumerated() { sums[index] += value }
            }
        }
        #expect(totals == Array(repeating: threads * rounds, count: count))
    }

    private final class Dealer: Sendable {
        let turns: RoundRobin
        init(_ turns: consuming RoundRobin) { self.turns = turns }
    }
}
