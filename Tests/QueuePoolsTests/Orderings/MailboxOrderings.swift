/// The mailbox's algorithm with the orderings of its accesses: the code of `Mailbox`, line by line, on
/// segments of one slot.
///
/// A job's two words are one plain location, so that a race between jobs that use a slot one after the other
/// is found. Positions are not doubled, as the mailbox is not closed.
struct MailboxOrderings {
    /// Every access that is stronger than relaxed.
    enum Site: OrderingSite {
        case publish
        case loadNewest, loadNewestNumber
        case loadOldest, loadOldestNumber, loadLink, append, appendFailure, loadOldestAgain, loadNumberAgain
        case storeNewest
        case cancelLook, cancelClaim
        case look, claim
        case loadNext, storeOldest, clearNumber, loadLast, storeEnd, appendRead, storeNumber
        case lookAgain, announce

        var ordering: Ordering {
            switch self {
            case .publish, .append, .cancelClaim, .claim, .appendRead, .announce: .acquiringAndReleasing
            case .storeNewest, .storeOldest, .clearNumber, .storeEnd, .storeNumber: .releasing
            default: .acquiring
            }
        }
    }

    /// A slot's state has a position above these bits.
    private enum Kind: Int { case awaited, skipped, closure, cancellable }

    private struct Segment {
        let number, link, state: AtomicLocation
        let words: PlainLocation
    }

    private static let noNumber = 1000
    /// No position's state.
    private static let never = -1

    private(set) var program = Program()
    private let orderings: Orderings<Site>
    private var segments: [Segment] = []
    private let tail, newest, oldest: AtomicLocation
    /// Whom senders wake: the host at first, then the receiver's thread.
    private let wakesThread: AtomicLocation
    /// The first job's slot and position, which its sender hands to the canceller.
    private let handle: AtomicLocation
    private let headStart: Int
    private let started: AtomicLocation
    private let head, current, last: PlainLocation
    private let jobs: [[Int]]
    private let isCancelling, isHosted: Bool

    /// - Parameters:
    ///   - jobs: How many each sender sends; they are called sender * 10 + 1, + 2, …
    ///   - spares: How many segments each sender can append.
    init(
        jobs: [Int], spares: [Int], isCancelling: Bool = false, isHosted: Bool = false, headStart: Int = 0,
        _ orderings: Orderings<Site>
    ) {
        self.orderings = orderings
        self.isCancelling = isCancelling
        self.isHosted = isHosted
        self.headStart = headStart
        started = program.atomic("started")
        program.returnsWithoutReason = isHosted ? 1 : 0
        self.jobs = jobs.enumerated().map { sender, count in (1...count).map { sender * 10 + $0 } }
        (tail, newest, oldest) = (program.atomic("tail"), program.atomic("newest"), program.atomic("oldest"))
        (wakesThread, handle) = (program.atomic("wakesThread"), program.atomic("handle"))
        (head, current, last) = (program.plain("head"), program.plain("current"), program.plain("last", 1))
        for index in 0..<2 + spares.reduce(0, +) {
            let unmade = index < 2 ? nil : AtomicLocation.uninitialized
            segments.append(
                Segment(
                    number: program.atomic("number[\(index)]", unmade ?? index),
                    link: program.atomic("link[\(index)]", unmade ?? (index == 0 ? 1 : end(1))),
                    state: program.atomic("state[\(index)]", unmade ?? Self.never),
                    words: program.plain("words[\(index)]")))
        }
        addThreads(spares: spares)
    }

    private mutating func addThreads(spares: [Int]) {
        var spare = 2
        for (index, count) in spares.enumerated() {
            let sender = Sender(spares: Array(spare..<spare + count), used: program.plain("used[\(index)]"))
            spare += count
            program.thread("sender \(index)") { [self] t in
                if index > 0, headStart > 0 {
                    _ = try t.loop { try t.load(started, .relaxed) == 1 ? 1 : nil }
                }
                for (sent, job) in jobs[index].enumerated() {
                    if index == 0, headStart > 0, sent == headStart { try t.store(started, 1, .relaxed) }
                    _ = try t.loop {
                        try send(job, sender, t)
                        return 0
                    }
                }
                return []
            }
        }
        program.thread("receiver") { [self] t in try receive(t) }
        if isCancelling { program.thread("canceller") { [self] t in try cancel(t) } }
        program.check = { [jobs] end in
            let received = end.results[jobs.count]
            guard end.results.joined().sorted() == jobs.flatMap(\.self),
                jobs.allSatisfy({ jobs in
                    received.filter(jobs.contains) == received.filter(jobs.contains).sorted()
                })
            else { throw Violation("ended with \(end.results)") }
        }
    }

    private func state(_ kind: Kind, at position: Int) -> Int { position << 2 | kind.rawValue }
    private func kind(of state: Int) -> Kind? { Kind(rawValue: state & 3) }
    private func end(_ number: Int) -> Int { -1 - number }

    // MARK: Senders

    private struct Sender {
        let spares: [Int]
        let used: PlainLocation
    }

    private func send(_ job: Int, _ sender: Sender, _ t: ModelThread) throws {
        let position = try t.fetchAdd(tail, 1, .relaxed)
        let segment = try segment(of: position, sender, t)
        let slot = segments[segment]
        try t.write(slot.words, job)
        let before = try t.exchange(
            slot.state, state(isCancelling ? .cancellable : .closure, at: position), orderings[.publish])
        if before == state(.awaited, at: position), try !isHosted || t.load(wakesThread, .relaxed) == 1 {
            try t.wake(slot.state)
        }
        if isCancelling, job == jobs[0][0] { try t.store(handle, position << 4 | segment + 1, .releasing) }
    }

    private func segment(of number: Int, _ sender: Sender, _ t: ModelThread) throws -> Int {
        let newest = try t.load(newest, orderings[.loadNewest])
        let newestNumber = try t.load(segments[newest].number, orderings[.loadNewestNumber])
        if newestNumber == number { return newest }
        if newestNumber < number,
            let found = try walk(from: newest, numbered: newestNumber, to: number, sender, t)
        {
            return found
        }
        return try t.loop {
            let segment = try t.load(oldest, orderings[.loadOldest])
            let current = try t.load(segments[segment].number, orderings[.loadOldestNumber])
            if current > number { return nil }
            return try walk(from: segment, numbered: current, to: number, sender, t)
        }
    }

    private func walk(
        from segment: Int, numbered current: Int, to number: Int, _ sender: Sender, _ t: ModelThread
    ) throws -> Int? {
        var (segment, current) = (segment, current)
        while current < number {
            var link = try t.load(segments[segment].link, orderings[.loadLink])
            if link == end(current) {
                let fresh = try makeSegment(number: current + 1, sender, t)
                let appended = try t.compareExchange(
                    segments[segment].link, expected: link, desired: fresh, orderings[.append],
                    failure: orderings[.appendFailure])
                link = appended.exchanged ? fresh : appended.original
                if appended.exchanged { try t.write(sender.used, t.read(sender.used) + 1) }
            }
            let oldest = try t.load(oldest, orderings[.loadOldestAgain])
            if try t.load(segments[oldest].number, orderings[.loadNumberAgain]) > current { return nil }
            guard link >= 0 else { return nil }
            segment = link
            current += 1
        }
        try t.store(newest, segment, orderings[.storeNewest])
        return segment
    }

    private func makeSegment(number: Int, _ sender: Sender, _ t: ModelThread) throws -> Int {
        let used = try t.read(sender.used)
        guard used < sender.spares.count else { throw Violation("the model has too few segments") }
        let segment = segments[sender.spares[used]]
        try t.initialize(segment.number, number)
        try t.initialize(segment.link, end(number))
        try t.initialize(segment.state, Self.never)
        return sender.spares[used]
    }

    // MARK: The canceller

    private func cancel(_ t: ModelThread) throws -> [Int] {
        let handle = try t.loop {
            let handle = try t.load(self.handle, .acquiring)
            return handle == 0 ? nil : handle
        }
        let (slot, position) = (segments[handle & 15 - 1], handle >> 4)
        let waiting = state(.cancellable, at: position)
        guard try t.load(slot.state, orderings[.cancelLook]) == waiting else { return [] }
        let words = try t.peek(slot.words)
        let claim = try t.compareExchange(
            slot.state, expected: waiting, desired: state(.skipped, at: position), orderings[.cancelClaim])
        try t.settle(slot.words, isUsed: claim.exchanged)
        return claim.exchanged ? [words] : []
    }

    // MARK: The receiver

    private func receive(_ t: ModelThread) throws -> [Int] {
        if isHosted {
            // The host announces, and then the thread takes its place.
            _ = try announce(t)
            try t.store(wakesThread, 1, .relaxed)
        }
        var received: [Int] = []
        for _ in jobs.joined() {
            let words = try t.loop {
                if let words = try take(t) { return words }
                guard let (word, value) = try announce(t) else { return nil }
                try t.wait(word, while: value)
                return nil
            }
            if words != 0 { received.append(words) }
        }
        return received
    }

    /// The next job's words, 0 if it was cancelled, nil if it is not there yet.
    private func take(_ t: ModelThread) throws -> Int? {
        let head = try t.read(head)
        let slot = try segments[t.read(current)]
        let state = try t.load(slot.state, orderings[.look])
        guard state >> 2 == head, var kind = kind(of: state), kind != .awaited else { return nil }
        if kind == .cancellable {
            let claimed = try t.exchange(slot.state, self.state(.skipped, at: head), orderings[.claim])
            kind = self.kind(of: claimed) ?? .awaited
        }
        let words = kind == .skipped ? 0 : try t.read(slot.words)
        try t.write(self.head, head + 1)
        if head + 1 < jobs.joined().count { try recycleSegment(t) }
        return words
    }

    private func recycleSegment(_ t: ModelThread) throws {
        let index = try t.read(current)
        let read = segments[index]
        let next = try t.load(read.link, orderings[.loadNext])
        guard next >= 0 else { throw Violation("the receiver has no next segment") }
        try t.write(current, next)
        try t.store(oldest, next, orderings[.storeOldest])
        try t.store(read.number, Self.noNumber, orderings[.clearNumber])
        _ = try t.loop {
            let last = try segments[t.read(last)]
            let link = try t.load(last.link, orderings[.loadLast])
            if link >= 0 {
                try t.write(self.last, link)
                return nil
            }
            let number = -link
            try t.store(read.link, end(number), orderings[.storeEnd])
            let appended = try t.compareExchange(
                last.link, expected: link, desired: index, orderings[.appendRead])
            guard appended.exchanged else { return nil }
            try t.store(read.number, number, orderings[.storeNumber])
            try t.write(self.last, index)
            return 0
        }
    }

    private func announce(_ t: ModelThread) throws -> (word: AtomicLocation, value: Int)? {
        let head = try t.read(head)
        let slot = try segments[t.read(current)]
        let awaited = state(.awaited, at: head)
        let seen = try t.load(slot.state, orderings[.lookAgain])
        guard seen >> 2 != head || seen == awaited,
            try t.compareExchange(slot.state, expected: seen, desired: awaited, orderings[.announce])
                .exchanged
        else { return nil }
        return (slot.state, awaited)
    }
}
