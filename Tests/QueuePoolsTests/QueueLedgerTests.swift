import TestSupport
import Testing

@testable import QueuePools

@Suite("The accounts of a queue")
struct QueueLedgerTests {
    @Test("closed again, they say at once that they are drained, and the first to close hears it once")
    func closedTwice() {
        let ledger = QueueLedger(accounts: TierAccounts())
        let (first, second) = (Counter(), Counter())
        ledger.close { first.increment() }
        ledger.close { second.increment() }
        #expect(first.value == 1)
        #expect(second.value == 1)
    }

    @Test("closed again while a job runs, they tell the first to close when it has ended")
    func closedTwiceWhileBusy() throws {
        let ledger = QueueLedger(accounts: TierAccounts())
        let (first, second) = (Counter(), Counter())
        let receipt = try #require(ledger.accept())
        ledger.start(receipt)
        ledger.close { first.increment() }
        ledger.close { second.increment() }
        #expect(first.value == 0)
        ledger.finish(receipt)
        #expect(first.value == 1)
        #expect(second.value == 1)
    }
}
