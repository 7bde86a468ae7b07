import Foundation
import QueuePoolsSentinels
import Testing

@Suite("Sentinel", .timeLimit(.minutes(15)))
struct SentinelTests {
    @Test("a sentinel starts at 0 and increase returns the new value")
    func countsFromZero() {
        let sentinel = Sentinel()
        #expect(sentinel.value == 0)
        #expect(sentinel.increase() == 1)
        #expect(sentinel.increase() == 2)
        #expect(sentinel.value == 2)
    }

    @Test("a ticket is valid until the sentinel is raised, and never again after")
    func ticketsAreCancelledForGood() throws {
        let sentinel = Sentinel()
        let ticket = sentinel.ticket()
        #expect(!ticket.isCancelled)
        try ticket.checkCancellation()
        sentinel.increase()
        #expect(ticket.isCancelled)
        sentinel.increase()
        #expect(ticket.isCancelled)
        #expect(throws: CancellationError.self) { try ticket.checkCancellation() }
    }

    @Test("raising and taking a ticket in one step cancels the old ticket and not the new one")
    func raiseAndTake() {
        let sentinel = Sentinel()
        let old = sentinel.ticket()
        let new = sentinel.increaseAndTakeTicket()
        #expect(old.isCancelled)
        #expect(!new.isCancelled)
        #expect(new.value == sentinel.value)
    }

    @Test("a ticket captured by a closure sees the cancellation, as do its copies")
    func capturedTicketsSeeCancellation() {
        let sentinel = Sentinel()
        let ticket = sentinel.ticket()
        let copy = ticket
        let isCancelled = { @Sendable in copy.isCancelled }
        sentinel.increase()
        #expect(isCancelled())
        #expect(ticket.isCancelled)
    }

    @Test("increments from many threads are all counted, and each returns a value of its own")
    func concurrentIncrementsAreExact() async {
        let sentinel = Sentinel()
        let returned = await withTaskGroup(of: [UInt64].self) { group in
            for _ in 0..<8 {
                group.addTask { (0..<10_000).map { _ in sentinel.increase() } }
            }
            return await group.reduce(into: Set<UInt64>()) { $0.formUnion($1) }
        }
        #expect(returned == Set(1...80_000))
        #expect(sentinel.value == 80_000)
    }

    @Test("a thread that finds its ticket cancelled sees what the canceller wrote before")
    func cancellationPublishesEarlierWrites() async {
        // canceller                      | draw
        // -------------------------------|------------------------------------
        // state = round                  |
        // increase()  (releases)         | isCancelled == true (acquires)
        //                                | reads state: must be `round`
        final class Cell: @unchecked Sendable { var state = 0 }  // protected by the sentinel's ordering
        for round in 1...2_000 {
            let sentinel = Sentinel()
            let ticket = sentinel.ticket()
            let cell = Cell()
            async let seen: Int = {
                while !ticket.isCancelled {}
                return cell.state
            }()
            cell.state = round
            sentinel.increase()
            #expect(await seen == round)
        }
    }
}
