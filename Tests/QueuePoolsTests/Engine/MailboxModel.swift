/// The mailbox's algorithm, one atomic access a step, for all interleavings of some senders, the receiver and
/// a canceller to be tried. What is plain memory in the mailbox is written and read in a step of its own.
///
/// It is checked that each job ends up with exactly one of receiver and canceller, whole; that each sender's
/// jobs come in order; and that nobody is stuck before all jobs have come.
struct MailboxModel: Hashable {
    /// A precaution of the algorithm that can be left out, to see that it is needed.
    enum Omission: CaseIterable {
        /// The receiver sleeps although the job came between its look and its announcement.
        case sleepsWithoutLookingAgain
        /// The sender that meets an announcement does not wake.
        case doesNotWake
        /// A search steps along a link without a look whether the receiver has passed.
        case followsOldLinks
        /// A segment on its way to the end of the list already has its new number.
        case numbersBeforeLinking
        /// All ends of the list look alike.
        case endsLookAlike
        /// The receiver takes a job without claiming it.
        case takesWithoutClaim
        /// The canceller reads the job after claiming it.
        case readsAfterClaim
    }

    struct Violation: Error, Hashable { let description: String }

    enum Link: Hashable { case end(Int), segment(Int) }
    enum Kind: Hashable { case awaited, skipped, cancellable }

    struct Slot: Hashable {
        var position = -1
        var kind = Kind.skipped
        var word = 0
    }

    struct Segment: Hashable {
        var number: Int
        var link: Link
        var slots: [Slot]
    }

    struct Sender: Hashable {
        enum Step: Hashable {
            case take, loadNewest, compareNumber, loadOldest, loadNumber, loadLink, append, loadOldestAgain
            case validate, storeNewest, write, publish, wake, done
        }
        var step = Step.take
        var jobsLeft: Int
        var nextJob: Int
        var position = 0
        var segment = 0
        var number = 0
        var link = Link.end(0)
        var other = 0
    }

    struct Receiver: Hashable {
        enum Step: Hashable {
            case look, claim, read, advance, storeOldest, clearNumber, loadLast, setLink, append, setNumber
            case lookAgain, announce, sleep, asleep
        }
        var step = Step.look
        var head = 0
        var current = 0
        var last = 1
        var kind = Kind.skipped
        var seen = Slot()
        var old = 0
        var number = 0
    }

    /// Cancels the first sender's first job.
    struct Canceller: Hashable {
        enum Step: Hashable { case look, read, claim, done }
        var step = Step.look
        var word = 0
        var place: (segment: Int, index: Int, position: Int)?

        static func == (a: Self, b: Self) -> Bool {
            a.step == b.step && a.word == b.word && a.place?.segment == b.place?.segment
                && a.place?.index == b.place?.index && a.place?.position == b.place?.position
        }
        func hash(into hasher: inout Hasher) {
            hasher.combine(step)
            hasher.combine(word)
            hasher.combine(place?.position)
        }
    }

    let slotCount: Int
    let omission: Omission?
    var tail = 0
    var newest = 0
    var oldest = 0
    var segments: [Segment]
    var senders: [Sender]
    var receiver = Receiver()
    var canceller: Canceller?
    /// By sender: the last job that came.
    var delivered: [Int]
    var ended = 0
    var cancelledWord: Int?

    /// Jobs are numbered sender * 100 + 1, + 2, …
    init(jobs: [Int], slotCount: Int, isCancelling: Bool = false, omitting omission: Omission? = nil) {
        self.slotCount = slotCount
        self.omission = omission
        let slots = Array(repeating: Slot(), count: slotCount)
        segments = [
            Segment(number: 0, link: .segment(1), slots: slots),
            Segment(number: 1, link: .end(1), slots: slots),
        ]
        senders = jobs.enumerated().map { Sender(jobsLeft: $1, nextJob: $0 * 100 + 1) }
        delivered = Array(repeating: 0, count: jobs.count)
        if isCancelling { canceller = Canceller() }
    }

    // MARK: Exploring

    /// Tries all interleavings. Returns how many states there are.
    static func explore(_ start: MailboxModel) throws(Violation) -> Int {
        var seen: Set<MailboxModel> = [start]
        var open = [start]
        while let state = open.popLast() {
            var canMove = false
            for actor in 0..<(state.senders.count + 2) {
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
    }

    /// One step of a sender, the receiver or the canceller; false if it cannot move.
    private mutating func move(_ actor: Int) throws(Violation) -> Bool {
        if actor < senders.count { return moveSender(actor) }
        return actor == senders.count ? try moveReceiver() : try moveCanceller()
    }

    private func end(of number: Int) -> Link { .end(omission == .endsLookAlike ? 0 : number) }

    // MARK: Senders

    private mutating func moveSender(_ index: Int) -> Bool {
        var sender = senders[index]
        defer { senders[index] = sender }
        let wanted = sender.position / slotCount
        switch sender.step {
        case .take:
            guard sender.jobsLeft > 0 else {
                sender = Sender(step: .done, jobsLeft: 0, nextJob: 0)
                return true
            }
            sender.position = tail
            tail += 1
            sender.step = .loadNewest
        case .loadNewest:
            sender.segment = newest
            sender.step = .compareNumber
        case .compareNumber:
            sender.number = segments[sender.segment].number
            sender.step =
                sender.number == wanted ? .write : sender.number < wanted ? .loadLink : .loadOldest
        case .loadOldest:
            sender.segment = oldest
            sender.step = .loadNumber
        case .loadNumber:
            sender.number = segments[sender.segment].number
            if sender.number > wanted { return spin(&sender) }
            sender.step = sender.number == wanted ? .storeNewest : .loadLink
        case .loadLink:
            sender.link = segments[sender.segment].link
            sender.step = sender.link == end(of: sender.number) ? .append : .loadOldestAgain
        case .append:
            if segments[sender.segment].link == sender.link {
                segments.append(
                    Segment(
                        number: sender.number + 1, link: end(of: sender.number + 1),
                        slots: Array(repeating: Slot(), count: slotCount)))
                segments[sender.segment].link = .segment(segments.count - 1)
            }
            sender.link = segments[sender.segment].link
            sender.step = .loadOldestAgain
        case .loadOldestAgain:
            sender.other = oldest
            sender.step = .validate
        case .validate:
            let isPassed = segments[sender.other].number > sender.number
            guard !isPassed || omission == .followsOldLinks, case .segment(let next) = sender.link else {
                return spin(&sender)
            }
            sender.segment = next
            sender.number += 1
            sender.step = sender.number == wanted ? .storeNewest : .loadLink
        case .storeNewest:
            newest = sender.segment
            sender.step = .write
        case .write:
            segments[sender.segment].slots[sender.position % slotCount].word = sender.nextJob
            sender.step = .publish
        case .publish:
            let place = (sender.segment, sender.position % slotCount)
            let before = segments[place.0].slots[place.1]
            segments[place.0].slots[place.1].position = sender.position
            segments[place.0].slots[place.1].kind = .cancellable
            if sender.nextJob == 1 { canceller?.place = (place.0, place.1, sender.position) }
            let isAwaited = before.position == sender.position && before.kind == .awaited
            if isAwaited && omission != .doesNotWake {
                sender.step = .wake
            } else {
                finish(&sender)
            }
        case .wake:
            if receiver.step == .asleep, receiver.head == sender.position { receiver.step = .look }
            finish(&sender)
        case .done:
            return false
        }
        return true
    }

    private func spin(_ sender: inout Sender) -> Bool {
        sender.step = .loadOldest
        sender.link = .end(0)
        return true
    }

    private func finish(_ sender: inout Sender) {
        sender = Sender(step: .take, jobsLeft: sender.jobsLeft - 1, nextJob: sender.nextJob + 1)
    }

    // MARK: The receiver

    private mutating func moveReceiver() throws(Violation) -> Bool {
        let place = receiver.head % slotCount
        let slot = segments[receiver.current].slots[place]
        let hasArrived = slot.position == receiver.head && slot.kind != .awaited
        switch receiver.step {
        case .look:
            receiver.kind = slot.kind
            receiver.step = hasArrived ? (slot.kind == .cancellable ? .claim : .read) : .lookAgain
            if receiver.step == .claim, omission == .takesWithoutClaim { receiver.step = .read }
        case .claim:
            receiver.kind = slot.kind
            segments[receiver.current].slots[place].kind = .skipped
            receiver.step = .read
        case .read:
            if receiver.kind == .cancellable { try deliver(slot.word) }
            receiver.head += 1
            receiver.step = receiver.head % slotCount == 0 ? .advance : .look
        case .advance:
            guard case .segment(let next) = segments[receiver.current].link else {
                throw Violation(description: "the receiver has no next segment")
            }
            receiver.old = receiver.current
            receiver.current = next
            receiver.step = .storeOldest
        case .storeOldest:
            oldest = receiver.current
            receiver.step = .clearNumber
        case .clearNumber:
            segments[receiver.old].number = .max
            receiver.step = .loadLast
        case .loadLast:
            if case .segment(let further) = segments[receiver.last].link {
                receiver.last = further
            } else {
                receiver.number = numberOfLast + 1
                receiver.step = .setLink
            }
        case .setLink:
            segments[receiver.old].link = end(of: receiver.number)
            if omission == .numbersBeforeLinking { segments[receiver.old].number = receiver.number }
            receiver.step = .append
        case .append:
            if case .end = segments[receiver.last].link {
                segments[receiver.last].link = .segment(receiver.old)
                receiver.step = .setNumber
            } else {
                receiver.step = .loadLast
            }
        case .setNumber:
            segments[receiver.old].number = receiver.number
            receiver.last = receiver.old
            receiver.old = 0
            receiver.number = 0
            receiver.step = .look
        case .lookAgain:
            receiver.seen = slot
            receiver.step = hasArrived ? .look : .announce
        case .announce:
            if omission == .sleepsWithoutLookingAgain {
                segments[receiver.current].slots[place].position = receiver.head
                segments[receiver.current].slots[place].kind = .awaited
                receiver.step = .asleep
            } else if slot.position == receiver.seen.position, slot.kind == receiver.seen.kind {
                segments[receiver.current].slots[place].position = receiver.head
                segments[receiver.current].slots[place].kind = .awaited
                receiver.step = .sleep
            } else {
                receiver.step = .look
            }
            receiver.seen = Slot()
        case .sleep:
            receiver.step = hasArrived ? .look : .asleep
        case .asleep:
            return false
        }
        return true
    }

    /// The real link carries the number; where all ends look alike, it is the segment's.
    private var numberOfLast: Int { segments[receiver.last].number }

    private mutating func deliver(_ word: Int) throws(Violation) {
        let (sender, job) = (word / 100, word % 100)
        // A cancelled job leaves a gap in the order.
        let expected = delivered[sender] + 1
        let gap = cancelledWord == sender * 100 + expected ? 1 : 0
        guard job == expected || job == expected + gap else {
            throw Violation(description: "job \(word) came after \(delivered[sender])")
        }
        guard word != cancelledWord else { throw Violation(description: "job \(word) ran though cancelled") }
        delivered[sender] = job
        ended += 1
    }

    // MARK: The canceller

    private mutating func moveCanceller() throws(Violation) -> Bool {
        guard let place = canceller?.place, canceller?.step != .done else { return false }
        let slot = segments[place.segment].slots[place.index]
        let isWaiting = slot.position == place.position && slot.kind == .cancellable
        switch canceller?.step {
        case .look:
            canceller?.step = isWaiting ? (omission == .readsAfterClaim ? .claim : .read) : .done
        case .read:
            canceller?.word = slot.word
            canceller?.step = omission == .readsAfterClaim ? .done : .claim
            if omission == .readsAfterClaim { try cancel(slot.word) }
        case .claim:
            canceller?.step = .done
            guard isWaiting else { break }
            segments[place.segment].slots[place.index].kind = .skipped
            if omission == .readsAfterClaim {
                canceller?.step = .read
            } else {
                try cancel(canceller?.word ?? 0)
            }
        default: break
        }
        return true
    }

    private mutating func cancel(_ word: Int) throws(Violation) {
        guard word == 1 else { throw Violation(description: "cancelled job \(word) instead of job 1") }
        guard delivered[0] < 1 else { throw Violation(description: "job 1 was cancelled after it ran") }
        cancelledWord = word
        ended += 1
    }
}
