import Testing

@testable import QueuePools

@Suite("The mailbox's algorithm, in all interleavings", .timeLimit(.minutes(15)))
struct MailboxModelTests {
    /// Segments of one or two slots and tables of one or two entries, so that most steps go from one to the
    /// next.
    static let models: [(name: String, model: MailboxModel)] = [
        ("two senders, one slot a segment", MailboxModel(jobs: [2, 1], slotCount: 1)),
        ("two senders, two slots a segment", MailboxModel(jobs: [2, 1], slotCount: 2)),
        ("one sender and a canceller", MailboxModel(jobs: [3], slotCount: 1, tableSize: 1, cancelled: [1])),
        (
            "one sender and a canceller, with pages that lose their contents",
            MailboxModel(jobs: [3], slotCount: 1, cancelled: [2], isDiscarding: true)
        ),
        ("two senders and a canceller", MailboxModel(jobs: [2, 1], slotCount: 2, cancelled: [1])),
        ("a segment that two cancel", MailboxModel(jobs: [3], slotCount: 2, cancelled: [1, 2])),
        ("a cancelled segment behind another", MailboxModel(jobs: [4], slotCount: 2, cancelled: [3, 4])),
    ]

    @Test(
        "every job ends up with one receiver or canceller, in order, and no thread is stuck",
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
            case .takesWithoutClaim, .readsAfterClaim, .countsInAnySegment, .beginsWithoutClaim,
                .marksBlindly:
                MailboxModel(jobs: [3], slotCount: 1, tableSize: 1, cancelled: [1], omitting: omission)
            case .sleepsWithoutLookingAgain, .doesNotWake, .attachesBlindly:
                MailboxModel(jobs: [1, 1], slotCount: 2, omitting: omission)
            }
        #expect(throws: MailboxModel.Violation.self) { _ = try MailboxModel.explore(model) }
    }
}
