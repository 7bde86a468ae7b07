import Testing

/// Programs with few jobs and segments, each of which meets a part of the algorithm.
@Suite("The orderings of the mailbox", .timeLimit(.minutes(5)))
struct MailboxOrderingsTests {
    typealias Site = MailboxOrderings.Site

    enum Case: CaseIterable {
        case oneCancels, oneCancelsAndSlotIsReused, twoSend, twoReceive
        case oneAppends, segmentIsReused, segmentIsReusedDuringSearch
        /// Shows nothing that the others do not, but meets most of the algorithm.
        case threeJobs

        func program(_ orderings: Orderings<Site>) -> Program {
            switch self {
            case .oneCancels:
                MailboxOrderings(
                    [[.send(at: 0)], [.receive(until: 1)], [.cancel]], spares: [0, 0, 0], orderings
                ).program
            case .oneCancelsAndSlotIsReused:
                MailboxOrderings(
                    [[.receive(until: 1), .send(at: 2)], [.cancel]], spares: [1, 0], published: 2, orderings
                ).program
            case .twoSend:
                MailboxOrderings(
                    [[.send(at: 0)], [.send(at: 1)], [.receive(until: 2)]], spares: [0, 0, 0], orderings
                ).program
            case .twoReceive:
                MailboxOrderings(
                    [[.send(at: 1)], [.receive(until: 2)], [.receive(until: 2)]], spares: [0, 0, 0],
                    published: 1, orderings
                ).program
            case .oneAppends:
                MailboxOrderings(
                    [[.send(at: 2)], [.send(at: 1)]], spares: [1, 0], published: 1, orderings
                ).program
            case .segmentIsReused:
                MailboxOrderings(
                    [[.send(at: 2)], [.receive(until: 1)]], spares: [1, 0], published: 2, orderings
                ).program
            case .segmentIsReusedDuringSearch:
                MailboxOrderings(
                    [[.send(at: 2), .receive(until: 2), .tell], [.await, .send(at: 3)]], spares: [1, 1],
                    published: 2, orderings
                ).program
            case .threeJobs:
                MailboxOrderings(
                    [[.send(at: 0), .send(at: 1), .send(at: 2)], [.receive(until: 3)]], spares: [1, 0],
                    orderings
                ).program
            }
        }
    }

    @Test(
        "as the code has them, each job is received once, in order, and nothing races",
        arguments: Case.allCases)
    func holds(_ program: Case) throws {
        _ = try program.program(Orderings()).explore()
    }

    @Test("weakened, each of them loses a job or races", arguments: Orderings<Site>.weakenings)
    func weakened(_ weakening: Orderings<MailboxOrderings.Site>.Weakening) {
        #expect(throws: Violation.self) {
            try Self.program(showing: weakening).program(Orderings(weakening: weakening)).explore()
        }
    }

    private static func program(showing weakening: Orderings<Site>.Weakening) -> Case {
        switch weakening.site {
        case .publish: weakening.ordering == .acquiring ? .twoSend : .twoReceive
        case .look: .twoSend
        case .announce, .makeReady, .takeReady: .twoReceive
        case .cancelClaim, .claim: .oneCancelsAndSlotIsReused
        case .loadNewest, .storeNewest: .oneAppends
        case .loadNewestNumber, .loadLink, .append, .appendFailure, .loadLast, .appendRead, .storeNumber:
            .segmentIsReused
        case .loadOldest, .loadOldestNumber, .loadOldestAgain, .storeOldest: .segmentIsReusedDuringSearch
        }
    }
}
