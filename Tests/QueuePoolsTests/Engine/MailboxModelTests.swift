import Testing

@testable import QueuePools

@Suite("The mailbox's algorithm, in all interleavings", .timeLimit(.minutes(5)))
struct MailboxModelTests {
    /// Segments of one or two slots, so that most steps go from one segment to the next.
    static let models: [(name: String, model: MailboxModel)] = [
        ("two senders, one slot a segment", MailboxModel(jobs: [2, 1], slotCount: 1)),
        ("two senders, two slots a segment", MailboxModel(jobs: [2, 2], slotCount: 2)),
        ("one sender and a canceller", MailboxModel(jobs: [4], slotCount: 1, isCancelling: true)),
        ("two senders and a canceller", MailboxModel(jobs: [2, 1], slotCount: 2, isCancelling: true)),
    ]

    @Test(
        "every job ends up with one receiver or canceller, in order, and nobody is stuck",
        arguments: models.map(\.name))
    func holds(name: String) throws {
        let model = try #require(Self.models.first { $0.name == name }).model
        let states = try MailboxModel.explore(model)
        print(name, states)
        #expect(states > 500)
    }

    @Test("without any one of its precautions the algorithm fails", arguments: MailboxModel.Omission.allCases)
    func needsEach(omission: MailboxModel.Omission) throws {
        let model: MailboxModel =
            switch omission {
            case .takesWithoutClaim, .readsAfterClaim:
                MailboxModel(jobs: [4], slotCount: 1, isCancelling: true, omitting: omission)
            case .sleepsWithoutLookingAgain, .doesNotWake:
                MailboxModel(jobs: [1, 1], slotCount: 2, omitting: omission)
            default:
                MailboxModel(jobs: [3, 1], slotCount: 1, omitting: omission)
            }
        #expect(throws: MailboxModel.Violation.self) { _ = try MailboxModel.explore(model) }
    }
}
