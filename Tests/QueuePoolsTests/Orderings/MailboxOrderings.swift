/// The mailbox's algorithm with the orderings of its accesses: the code of `Mailbox`, line by line, on
/// segments of one slot.
///
/// A job's two words are one plain location, so that a race between jobs that use a slot one after the other
/// is found. Which sender has which positions is given, as taking one is a relaxed increment, which orders
/// nothing.
struct MailboxOrderings {
    /// Every access that is stronger than relaxed.
    enum Site: OrderingSite {
        case publish
        case loadNewest, loadNewestNumber
        case loadOldest, loadOldestNumber, loadLink, append, appendFailure, loadOldestAgain
        case storeNewest
        case cancelClaim
        case look, claim
        case storeOldest, loadLast, appendRead, storeNumber
        case announce
        case makeReady, takeReady

        var ordering: Ordering {
            switch self {
            case .publish: .acquiringAndReleasing
            case .append, .storeNewest, .cancelClaim, .storeOldest, .appendRead, .storeNumber, .announce,
                .makeReady:
                .releasing
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

    /// The program should have had more of them.
    private struct TooFewSegments: Error {}

    private static let noNumber = 1000
    /// No position's state.
    private static let never = -1

    /// What a thread does, one after the other.
    enum Action {
        case send(at: Int)
        /// Receives whenever the queue is ready, until so many positions have been passed.
        case receive(until: Int)
        /// Cancels the job at position 0.
        case cancel
        /// Tells another thread, or waits to be told, that its turn has come; this orders nothing else.
        case tell, await
    }

    private(set) var program = Program()
    private let orderings: Orderings<Site>
    private var segments: [Segment] = []
    private let newest, oldest: AtomicLocation
    /// Whether the queue is ready, as its bit in the group's word.
    private let ready: AtomicLocation
    /// The first job's slot and position, which its sender hands to the canceller.
    private let handle: AtomicLocation
    private let turn: AtomicLocation
    private let head, current, lastSegment, passed: PlainLocation
    /// The last position of all.
    private let last: Int
    private let isCancelling: Bool

    /// - Parameters:
    ///   - spares: How many segments each thread can append.
    ///   - published: How many positions were published before; two at most.
    init(_ threads: [[Action]], spares: [Int], published: Int = 0, _ orderings: Orderings<Site>) {
        self.orderings = orderings
        let positions = threads.joined().compactMap {
            if case .send(let position) = $0 { position } else { nil }
        }
        last = positions.max() ?? 0
        isCancelling = threads.joined().contains { if case .cancel = $0 { true } else { false } }
        (newest, oldest) = (program.atomic("newest"), program.atomic("oldest"))
        (ready, turn) = (program.atomic("ready", 1), program.atomic("turn"))
        handle = program.atomic("handle", published == 0 ? 0 : 1)
        passed = program.plain("passed")
        (head, current) = (program.plain("head"), program.plain("current"))
        lastSegment = program.plain("last", 1)
        let kind = isCancelling ? Kind.cancellable : .closure
        for index in 0..<2 + spares.reduce(0, +) {
            let unmade = index < 2 ? nil : AtomicLocation.uninitialized
            segments.append(
                Segment(
                    number: program.atomic("number[\(index)]", unmade ?? index),
                    link: program.atomic("link[\(index)]", unmade ?? (index == 0 ? 1 : end(1))),
                    state: program.atomic(
                        "state[\(index)]", unmade ?? (index < published ? state(kind, at: index) : Self.never)
                    ),
                    words: program.plain("words[\(index)]", Self.job(at: index))))
        }
        var spare = 2
        for (index, (actions, count)) in zip(threads, spares).enumerated() {
            let sender = Sender(spares: Array(spare..<spare + count), used: program.plain("used[\(index)]"))
            spare += count
            program.thread("thread \(index)") { [self] t in
                try actions.flatMap { try perform($0, sender, t) }
            }
        }
        let received = threads.joined().compactMap { if case .receive(let end) = $0 { end } else { nil } }
            .max()
        program.check = { end in
            // Which of two receivers was the holder first, is not known at the end.
            let isInOrder = end.results.allSatisfy { $0 == $0.sorted() }
            guard isInOrder, end.results.joined().sorted() == (0..<(received ?? 0)).map(Self.job)
            else { throw Violation("ended with \(end.results)") }
        }
    }

    private func perform(_ action: Action, _ sender: Sender, _ t: ModelThread) throws -> [Int] {
        switch action {
        case .send(let position):
            _ = try t.loop {
                try send(at: position, sender, t)
                return 0
            }
            return []
        case .receive(let end): return try receive(until: end, t)
        case .cancel: return try cancel(t)
        case .tell:
            try t.store(turn, 1, .relaxed)
            return []
        case .await:
            _ = try t.loop { try t.load(turn, .relaxed) == 1 ? 1 : nil }
            return []
        }
    }

    /// What is sent: no 0, which stands for none.
    private static func job(at position: Int) -> Int { position + 1 }
    private func state(_ kind: Kind, at position: Int) -> Int { position << 2 | kind.rawValue }
    private func kind(of state: Int) -> Kind? { Kind(rawValue: state & 3) }
    private func end(_ number: Int) -> Int { -1 - number }

    // MARK: Senders

    private struct Sender {
        let spares: [Int]
        let used: PlainLocation
    }

    private func send(at position: Int, _ sender: Sender, _ t: ModelThread) throws {
        let segment = try segment(of: position, sender, t)
        let slot = segments[segment]
        try t.write(slot.words, Self.job(at: position))
        let before = try t.exchange(
            slot.state, state(isCancelling ? .cancellable : .closure, at: position), orderings[.publish])
        if before == state(.awaited, at: position) { _ = try t.fetchOr(ready, 1, orderings[.makeReady]) }
        if isCancelling, position == 0 { try t.store(handle, position << 4 | segment + 1, .releasing) }
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
            if try t.load(segments[oldest].number, .relaxed) > current { return nil }
            guard link >= 0 else { return nil }
            segment = link
            current += 1
        }
        try t.store(newest, segment, orderings[.storeNewest])
        return segment
    }

    private func makeSegment(number: Int, _ sender: Sender, _ t: ModelThread) throws -> Int {
        let used = try t.read(sender.used)
        guard used < sender.spares.count else { throw TooFewSegments() }
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
        guard try t.load(slot.state, .relaxed) == waiting else { return [] }
        let words = try t.peek(slot.words)
        let claim = try t.compareExchange(
            slot.state, expected: waiting, desired: state(.skipped, at: position), orderings[.cancelClaim])
        try t.settle(slot.words, isUsed: claim.exchanged)
        return claim.exchanged ? [words] : []
    }

    // MARK: The receiver

    /// Takes the queue when it is ready, and runs it until it is empty and announced idle.
    private func receive(until end: Int, _ t: ModelThread) throws -> [Int] {
        var received: [Int] = []
        while true {
            _ = try t.loop {
                guard try t.load(ready, .relaxed) == 1 else { return nil }
                return try t.fetchAnd(ready, 0, orderings[.takeReady]) == 1 ? 1 : nil
            }
            while true {
                if try t.read(passed) == end {
                    // For the other threads, which end as well.
                    _ = try t.fetchOr(ready, 1, .releasing)
                    return received
                }
                let idle = -1
                let words = try t.loop {
                    if let words = try take(t) { return words }
                    return try announce(t) ? idle : nil
                }
                if words == idle { break }
                try t.write(passed, t.read(passed) + 1)
                if words != 0 { received.append(words) }
            }
        }
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
        if head < last { try recycleSegment(t) }
        return words
    }

    private func recycleSegment(_ t: ModelThread) throws {
        let index = try t.read(current)
        let read = segments[index]
        let next = try t.load(read.link, .relaxed)
        guard next >= 0 else { throw Violation("the receiver has no next segment") }
        try t.write(current, next)
        try t.store(oldest, next, orderings[.storeOldest])
        try t.store(read.number, Self.noNumber, .relaxed)
        _ = try t.loop {
            let last = try segments[t.read(lastSegment)]
            let link = try t.load(last.link, orderings[.loadLast])
            if link >= 0 {
                try t.write(lastSegment, link)
                return nil
            }
            let number = -link
            try t.store(read.link, end(number), .relaxed)
            let appended = try t.compareExchange(
                last.link, expected: link, desired: index, orderings[.appendRead])
            guard appended.exchanged else { return nil }
            try t.store(read.number, number, orderings[.storeNumber])
            try t.write(lastSegment, index)
            return 0
        }
    }

    private func announce(_ t: ModelThread) throws -> Bool {
        let head = try t.read(head)
        let slot = try segments[t.read(current)]
        let awaited = state(.awaited, at: head)
        let seen = try t.load(slot.state, .relaxed)
        guard seen >> 2 != head || seen == awaited else { return false }
        return try t.compareExchange(
            slot.state, expected: seen, desired: awaited, orderings[.announce], failure: .relaxed
        ).exchanged
    }
}
