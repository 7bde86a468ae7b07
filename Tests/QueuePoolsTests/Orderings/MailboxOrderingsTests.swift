import Testing

/// Programs with few jobs and segments, each of which meets a part of the algorithm.
@Suite("The orderings of the mailbox", .timeLimit(.minutes(5)))
struct MailboxOrderingsTests {
    private typealias Site = MailboxOrderings.Site

    @Test("as the code has them, each job is received once, in order, and nothing races")
    func holds() throws {
        for program in Self.programs { _ = try program(Orderings()).explore() }
    }

    @Test("weakened, one of these accesses loses a job or races", arguments: needed)
    func weakened(_ weakening: Orderings<MailboxOrderings.Site>.Weakening) throws {
        #expect(throws: Violation.self) {
            for program in Self.programs { _ = try program(Orderings(weakening: weakening)).explore() }
        }
    }

    /// What these programs show to be needed.
    private static let needed: [Orderings<Site>.Weakening] = [
        .init(site: .publish, ordering: .acquiring), .init(site: .look, ordering: .relaxed),
        .init(site: .append, ordering: .acquiring), .init(site: .appendFailure, ordering: .relaxed),
        .init(site: .loadLink, ordering: .relaxed), .init(site: .loadLast, ordering: .relaxed),
        .init(site: .appendRead, ordering: .acquiring), .init(site: .storeNumber, ordering: .relaxed),
    ]

    private static let programs: [@Sendable (Orderings<Site>) -> Program] = [
        { MailboxOrderings(jobs: [2], spares: [1], isCancelling: true, $0).program },
        { MailboxOrderings(jobs: [1, 1], spares: [1, 1], $0).program },
        { MailboxOrderings(jobs: [3], spares: [1], $0).program },
    ]
}
