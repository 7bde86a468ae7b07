import Testing

@Suite("The orderings of the mailbox", .timeLimit(.minutes(5)))
struct MailboxOrderingsTests {
    @Test(arguments: [([2],[1],true), ([1, 1],[1,1],false), ([3],[1],false), ([2],[1],true)])
    func holds(jobs: [Int], spares: [Int], cancels: Bool) throws {
        let clock = ContinuousClock()
        let start = clock.now
        let n = try MailboxOrderings(jobs: jobs, spares: spares, isCancelling: cancels, Orderings()).program.explore().states
        print(jobs, spares, cancels, n, clock.now - start)
    }
}
