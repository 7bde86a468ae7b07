import Testing

/// Programs with few jobs and pages, each of which meets a part of the algorithm.
@Suite("The orderings of the mailbox", .timeLimit(.minutes(15)))
struct MailboxOrderingsTests {
    typealias Site = MailboxOrderings.Site

    enum Case: CaseIterable {
        case oneCancels, oneCancelsAndSlotIsReused, twoSend, twoReceive
        case bothAttach, cancelledPageIsReused, twoCancelOnePage
        /// Show nothing that the others do not, but meet most of the algorithm.
        case cancelledSegmentIsPassed, twoJobs

        func program(_ orderings: Orderings<Site>) -> Program {
            switch self {
            case .oneCancels:
                MailboxOrderings([[.send(at: 0)], [.receive(until: 1)], [.cancel(at: 0)]], orderings).program
            case .oneCancelsAndSlotIsReused:
                MailboxOrderings(
                    [[.receive(until: 1), .send(at: 2)], [.cancel(at: 0)]], published: 2, orderings
                ).program
            case .twoSend:
                MailboxOrderings(
                    [[.send(at: 0)], [.send(at: 1)], [.receive(until: 2)]], slotCount: 2, orderings
                ).program
            case .twoReceive:
                MailboxOrderings(
                    [[.send(at: 1)], [.receive(until: 2)], [.receive(until: 2)]], published: 1, slotCount: 2,
                    orderings
                ).program
            case .bothAttach:
                MailboxOrderings(
                    [[.send(at: 1)], [.receive(until: 2)]], published: 1, spares: 2, orderings
                ).program
            case .cancelledPageIsReused:
                MailboxOrderings([[.cancel(at: 1)], [.send(at: 2)]], published: 2, spares: 1, orderings)
                    .program
            case .cancelledSegmentIsPassed:
                MailboxOrderings(
                    [[.cancel(at: 1), .send(at: 2)], [.receive(until: 2)]], published: 2, spares: 1, orderings
                ).program
            case .twoCancelOnePage:
                MailboxOrderings(
                    [[.cancel(at: 2)], [.cancel(at: 3), .send(at: 4)]], published: 4, slotCount: 2, spares: 1,
                    orderings
                ).program
            case .twoJobs:
                MailboxOrderings(
                    [[.send(at: 0), .send(at: 1)], [.receive(until: 2)]], spares: 2, orderings
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
        case .countCancelled: .twoCancelOnePage
        case .takePage, .putPage: .cancelledPageIsReused
        case .loadTable, .loadEntry, .attach, .attachFailure, .loadTableAgain, .placeTable,
            .placeTableFailure,
            .moveTable:
            .bothAttach
        }
    }
}
