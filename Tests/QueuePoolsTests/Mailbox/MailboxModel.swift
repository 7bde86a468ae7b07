/// The mailbox's algorithm, one atomic access a step, for all interleavings of some senders, the receiver and
/// cancellers to be tried. What is plain memory in the mailbox is written and read in a step of its own. A
/// loop that compares and exchanges until it succeeds is one step.
///
/// It is checked that each job ends up with exactly one of receiver and canceller, whole; that each sender's
/// jobs come in order; that no thread is stuck before all jobs have come; and that each page has one owner,
/// and is free or attached in the end.
struct MailboxModel: Hashable {
    /// A precaution of the algorithm that can be left out, to see that it is needed.
    enum Omission: CaseIterable {
        /// The receiver sleeps although the job came between its look and its announcement.
        case sleepsWithoutLookingAgain
        /// The sender that meets an announcement does not wake.
        case doesNotWake
        /// The receiver takes a job without claiming it.
        case takesWithoutClaim
        /// The canceller reads the job after claiming it.
        case readsAfterClaim
        /// A page is attached although another has been.
        case attachesBlindly
        /// The receiver begins a segment without claiming its page.
        case beginsWithoutClaim
        /// The count of cancelled jobs does not say of which segment.
        case countsInAnySegment
        /// The canceller marks an entry as cancelled although the receiver has passed.
        case marksBlindly
    }

    struct Violation: Error, Hashable { let description: String }

    enum Kind: Hashable { case awaited, skipped, cancellable }

    struct Slot: Hashable {
        var position = -1
        var kind = Kind.skipped
        var word = 0
    }

    struct Page: Hashable {
        var segment = -1
        /// Nil once the receiver has claimed the page.
        var cancelled: Int?
        var slots: [Slot]
    }

    enum Entry: Hashable { case none, cancelled, page(Int) }

    /// Finds the page of a segment, and attaches one if there is none.
    struct Attaching: Hashable {
        enum Step: Hashable { case loadTable, placeTable, loadEntry, takePage, assign, attach, put }
        var step = Step.loadTable
        var table = 0
        var page = 0
        var found = Entry.none
    }

    struct Sender: Hashable {
        enum Step: Hashable { case take, find, write, publish, wake, done }
        var step = Step.take
        var jobsLeft: Int
        var nextJob: Int
        var position = 0
        var attaching = Attaching()
        var page = 0
    }

    struct Receiver: Hashable {
        enum Step: Hashable {
            case look, claim, read, clearEntry, clearPlace, placeAhead, put, find, claimPage
            case recheck, announce, sleep, asleep
        }
        var step = Step.find
        var head = 0
        /// Nil before the first page, and after one has been put back.
        var current: Int?
        var kind = Kind.skipped
        var seen = Slot()
        var attaching = Attaching()
        /// The segment whose entry it clears.
        var passed = 0
        var ahead = 0
    }

    /// Cancels one of the first sender's jobs.
    struct Canceller: Hashable {
        enum Step: Hashable { case look, read, claim, count, loadTable, mark, put, done }
        var step = Step.look
        let job: Int
        var word = 0
        var page: Int?
        var position = 0
        var table = 0
    }

    let slotCount, tableSize: Int
    let isDiscarding: Bool
    let omission: Omission?
    var tail = 0
    var pages: [Page] = []
    var free: Set<Int> = []
    /// The tables' numbers, by place.
    var places: [Int?]
    var tables: [[Entry]] = []
    var senders: [Sender]
    var receiver = Receiver()
    var cancellers: [Canceller]
    /// By sender: the last job that came.
    var delivered: [Int]
    var ended = 0
    var cancelledWords: Set<Int> = []

    /// Jobs are numbered sender * 100 + 1, + 2, …
    ///
    /// - Parameters:
    ///   - cancelled: Which of the first sender's jobs are cancelled.
    ///   - isDiscarding: Whether pages lose their contents when they are put back.
    init(
        jobs: [Int], slotCount: Int, tableSize: Int = 2, cancelled: [Int] = [], isDiscarding: Bool = false,
        omitting omission: Omission? = nil
    ) {
        self.slotCount = slotCount
        self.tableSize = tableSize
        self.isDiscarding = isDiscarding
        self.omission = omission
        senders = jobs.enumerated().map { Sender(jobsLeft: $1, nextJob: $0 * 100 + 1) }
        delivered = Array(repeating: 0, count: jobs.count)
        cancellers = cancelled.map { Canceller(job: $0) }
        places = Array(repeating: nil, count: 2 * jobs.reduce(2, +))
    }

    // MARK: Exploring

    /// Tries all interleavings. Returns how many states there are.
    static func explore(_ start: MailboxModel) throws(Violation) -> Int {
        var seen: Set<MailboxModel> = [start]
        var open = [start]
        while let state = open.popLast() {
            var canMove = false
            for actor in 0..<(state.senders.count + 1 + state.cancellers.count) {
                var next = state
                guard try next.move(actor) else { continue }
                canMove = true
                if seen.insert(next).inserted { open.append(next) }
            }
            if !canMove { try state.checkEnd() }
        }
        return seen.count
    }

    private func checkEnd() throws(Violation) {
        guard senders.allSatisfy({ $0.step == .done }), receiver.head == tail else {
            throw Violation(description: "stuck at position \(receiver.head) of \(tail)")
        }
        guard ended == tail else { throw Violation(description: "\(ended) of \(tail) jobs ended") }
        let attached = tables.joined().count { $0 != .none }
        guard free.count + attached == pages.count, attached == 1 else {
            throw Violation(description: "\(attached) and \(free.count) of \(pages.count) pages are left")
        }
    }
}
