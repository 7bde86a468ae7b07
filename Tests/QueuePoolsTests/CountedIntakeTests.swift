import TestSupport
import Testing

@testable import QueuePools

@Suite("The accounting of a queue")
struct CountedIntakeTests {
    @Test("closed again, they report immediately that they are drained, and to the first closer once")
    func closedTwice() {
        let intake = CountedIntake(label: "q", accounting: TierAccounting(.default))
        let (first, second) = (Counter(), Counter())
        intake.close { first.increment() }
        intake.close { second.increment() }
        #expect(first.value == 1)
        #expect(second.value == 1)
    }

    @Test("closed again while a job runs, they tell the first to close when it has ended")
    func closedTwiceWhileBusy() throws {
        let intake = CountedIntake(label: "q", accounting: TierAccounting(.default))
        let (first, second) = (Counter(), Counter())
        let stamp = try #require(intake.accept())
        let job = {
            intake.close { first.increment() }
            intake.close { second.increment() }
            #expect(first.value == 0)
        }
        intake.run(job, stamp: stamp)
        #expect(first.value == 1)
        #expect(second.value == 1)
    }
}
