/// The mailbox's algorithm with the orderings of its accesses: the code of `Mailbox`, `MailboxPage` and
/// `MailboxMemory`, line by line, on pages of one or two slots and tables of one entry.
///
/// A job's two words are one plain location, so that a race between jobs that use a slot one after the other
/// is found. The receiver leaves the context of a closure there, and the slot's next sender takes that away.
/// Which sender has which positions is given, as taking one is a relaxed increment, which orders nothing.
struct MailboxOrderings {
    /// Every access that is stronger than relaxed.
    enum Site: OrderingSite {
        case publish
        case loadTable, loadEntry
        case attach, attachFailure
        case loadTableAgain, placeTable, placeTableFailure, moveTable
        case takePage, putPage
        case countCancelled
        case cancelClaim
        case look, claim
        case announce
        case makeReady, takeReady

        var ordering: Ordering {
            switch self {
            case .publish, .countCancelled: .acquiringAndReleasing
            case .attach, .placeTable, .moveTable, .putPage, .cancelClaim, .announce, .makeReady: .releasing
            default: .acquiring
            }
        }
    }

    /// A slot's state has a position above these bits. No position's state is 0.
    private enum Kind: Int { case awaited = 1, skipped, closure, cancellable }

    private struct Page {
        let claim: AtomicLocation
        let slots: [(state: AtomicLocation, words: PlainLocation)]
    }

    /// The program should have had more pages or tables.
    private struct TooFew: Error {}

    /// The entry of a segment whose jobs are all cancelled. Others are 0 or one more than a page's number.
    private static let cancelled = 99
    /// The count in the claim of a page whose segment the receiver has begun.
    private static let received = 15

    /// What a thread does, one after the other.
    enum Action {
        case send(at: Int)
        /// Receives whenever the queue is ready, until so many positions have been passed.
        case receive(until: Int)
        /// Cancels the job at a position.
        case cancel(at: Int)
    }

    private(set) var program = Program()
    private let orderings: Orderings<Site>
    private let slotCount: Int
    private var pages: [Page] = []
    /// The entry of each table, and for each segment its table's number and 1.
    private var tables: [AtomicLocation] = []
    private var places: [AtomicLocation] = []
    private let freePages, freeTables: AtomicLocation
    /// Whether the queue is ready, as its bit in the group's word.
    private let ready: AtomicLocation
    /// By position, the page of each job, which its sender hands to the canceller, and 1.
    private var handles: [AtomicLocation] = []
    private let head, current: PlainLocation
    /// The last position of all.
    private let last: Int
    private let isCancelling: Bool

    /// - Parameters:
    ///   - published: How many positions were published before.
    ///   - slotCount: How many slots a page has.
    ///   - spares: How many pages and tables are free.
    init(
        _ threads: [[Action]], published: Int = 0, slotCount: Int = 1, spares: Int = 0,
        _ orderings: Orderings<Site>
    ) {
        self.orderings = orderings
        self.slotCount = slotCount
        let positions = threads.joined().compactMap {
            if case .send(let position) = $0 { position } else { nil }
        }
        let last = max(positions.max() ?? 0, published - 1)
        self.last = last
        isCancelling = threads.joined().contains { if case .cancel = $0 { true } else { false } }
        let kind = isCancelling ? Kind.cancellable : .closure
        // The first segments have pages and tables; the receiver has begun the first of them.
        let used = max(1, (published + slotCount - 1) / slotCount)
        ready = program.atomic("ready", 1)
        (head, current) = (program.plain("head"), program.plain("current"))
        let spare = (1 << spares - 1) << used
        (freePages, freeTables) = (program.atomic("pages", spare), program.atomic("tables", spare))
        for number in 0..<used + spares {
            let slots = (0..<slotCount).map { slot in
                let position = number * slotCount + slot
                return (
                    state: program.atomic(
                        "state[\(number), \(slot)]", position < published ? Self.state(kind, at: position) : 0
                    ),
                    words: program.plain("words[\(number), \(slot)]", Self.job(at: position))
                )
            }
            let claim = number == 0 ? Self.received : number << 4 | 1
            pages.append(
                Page(claim: program.atomic("claim[\(number)]", number < used ? claim : -1), slots: slots))
            tables.append(
                program.atomic("entry[\(number)]", number < used ? number + 1 : AtomicLocation.uninitialized))
        }
        for segment in 0...last / slotCount + used + spares {
            places.append(program.atomic("place[\(segment)]", segment < used ? segment + 1 : 0))
        }
        for position in 0...last {
            let page = position / slotCount
            handles.append(program.atomic("handle[\(position)]", position < published ? page + 1 : 0))
        }
        for (index, actions) in threads.enumerated() {
            program.thread("thread \(index)") { [self] t in
                try actions.flatMap { try perform($0, t) }
            }
        }
        let received = threads.joined().compactMap { if case .receive(let end) = $0 { end } else { nil } }
            .max()
        let cancelled = threads.joined().compactMap {
            if case .cancel(let position) = $0 { position } else { nil }
        }
        program.check = { end in
            // Which of two receivers was the holder first, is not known at the end.
            let isInOrder = end.results.allSatisfy { $0 == $0.sorted() }
            let all = received.map { Array(0..<$0) } ?? cancelled.sorted()
            guard isInOrder, end.results.joined().sorted() == all.map(Self.job)
            else { throw Violation("ended with \(end.results)") }
        }
    }

    private func perform(_ action: Action, _ t: ModelThread) throws -> [Int] {
        switch action {
        case .send(let position):
            _ = try t.loop {
                try send(at: position, t)
                return 0
            }
            return []
        case .receive(let end): return try receive(until: end, t)
        case .cancel(let position):
            let words = try t.loop { try cancel(at: position, t) }
            return words == 0 ? [] : [words]
        }
    }

    /// What is sent: no 0, which stands for none.
    private static func job(at position: Int) -> Int { position + 1 }
    private static let leftContext = -1
    private static func state(_ kind: Kind, at position: Int) -> Int { position << 3 | kind.rawValue }
    private func kind(of state: Int) -> Kind? { Kind(rawValue: state & 7) }
    private func slot(of position: Int, in page: Int) -> (state: AtomicLocation, words: PlainLocation) {
        pages[page].slots[position % slotCount]
    }

    // MARK: Pages

    /// The number of a segment's page, and 1, or `cancelled`.
    private func page(of segment: Int, _ t: ModelThread) throws -> Int {
        let table = try t.load(places[segment], orderings[.loadTable])
        if table != 0 {
            let entry = try t.load(tables[table - 1], orderings[.loadEntry])
            if entry != 0 { return entry }
        }
        return try attachPage(to: segment, t)
    }

    private func attachPage(to segment: Int, _ t: ModelThread) throws -> Int {
        let page = try take(from: freePages, t)
        try t.store(pages[page].claim, segment << 4 | 1, .relaxed)
        let entry = try tables[table(of: segment, t) - 1]
        let attached = try t.compareExchange(
            entry, expected: 0, desired: page + 1, orderings[.attach], failure: orderings[.attachFailure])
        if attached.exchanged { return page + 1 }
        try put(page, into: freePages, t)
        return attached.original
    }

    private func table(of segment: Int, _ t: ModelThread) throws -> Int {
        let present = try t.load(places[segment], orderings[.loadTableAgain])
        if present != 0 { return present }
        let table = try take(from: freeTables, t)
        try t.store(tables[table], 0, .relaxed)
        let exchange = try t.compareExchange(
            places[segment], expected: 0, desired: table + 1, orderings[.placeTable],
            failure: orderings[.placeTableFailure])
        if exchange.exchanged { return table + 1 }
        try put(table, into: freeTables, t)
        return exchange.original
    }

    private func take(from free: AtomicLocation, _ t: ModelThread) throws -> Int {
        try t.loop {
            let seen = try t.load(free, .relaxed)
            guard seen != 0 else { throw TooFew() }
            let lowest = seen.trailingZeroBitCount
            let before = try t.fetchAnd(free, ~(1 << lowest), orderings[.takePage])
            return before & 1 << lowest != 0 ? lowest : nil
        }
    }

    private func put(_ page: Int, into free: AtomicLocation, _ t: ModelThread) throws {
        _ = try t.fetchOr(free, 1 << page, orderings[.putPage])
    }

    /// Changes a page's claim while it is the segment's and open. Returns the count before, or 0.
    private func change(
        claimOf page: Int, of segment: Int, _ t: ModelThread, _ changed: (Int) -> Int
    ) throws -> Int {
        try t.loop {
            let seen = try t.load(pages[page].claim, .relaxed)
            guard seen >> 4 == segment, 1...slotCount ~= seen & 15 else { return 0 }
            let exchange = try t.compareExchange(
                pages[page].claim, expected: seen, desired: changed(seen), orderings[.countCancelled],
                failure: .relaxed)
            return exchange.exchanged ? seen & 15 : nil
        }
    }

    // MARK: Senders

    private func send(at position: Int, _ t: ModelThread) throws {
        let page = try page(of: position / slotCount, t) - 1
        guard page + 1 != Self.cancelled else { throw Violation("a sender's segment is cancelled") }
        let slot = slot(of: position, in: page)
        _ = try t.read(slot.words)
        try t.write(slot.words, Self.job(at: position))
        let before = try t.exchange(
            slot.state, Self.state(isCancelling ? .cancellable : .closure, at: position), orderings[.publish])
        if before == Self.state(.awaited, at: position) { _ = try t.fetchOr(ready, 1, orderings[.makeReady]) }
        if isCancelling { try t.store(handles[position], page + 1, .releasing) }
    }

    // MARK: The canceller

    /// The job's words, or 0.
    private func cancel(at position: Int, _ t: ModelThread) throws -> Int {
        let page = try t.loop {
            let handle = try t.load(handles[position], .acquiring)
            return handle == 0 ? nil : handle - 1
        }
        let slot = slot(of: position, in: page)
        let waiting = Self.state(.cancellable, at: position)
        guard try t.load(slot.state, .relaxed) == waiting else { return 0 }
        let words = try t.peek(slot.words)
        let claim = try t.compareExchange(
            slot.state, expected: waiting, desired: Self.state(.skipped, at: position),
            orderings[.cancelClaim])
        try t.settle(slot.words, isUsed: claim.exchanged)
        guard claim.exchanged else { return 0 }
        let segment = position / slotCount
        guard try change(claimOf: page, of: segment, t, { $0 + 1 }) == slotCount else { return words }
        let table = try t.load(places[segment], .relaxed)
        if table != 0 {
            _ = try t.compareExchange(
                tables[table - 1], expected: page + 1, desired: Self.cancelled, .relaxed)
        }
        try put(page, into: freePages, t)
        return words
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
                if try t.read(head) >= end {
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
                if words != 0 { received.append(words) }
            }
        }
    }

    /// The next job's words, 0 if it was cancelled, nil if it is not there yet.
    private func take(_ t: ModelThread) throws -> Int? {
        let head = try t.read(head)
        let slot = try slot(of: head, in: t.read(current))
        let state = try t.load(slot.state, orderings[.look])
        guard state != 0, state >> 3 == head, var kind = kind(of: state), kind != .awaited else { return nil }
        if kind == .cancellable {
            let claimed = try t.exchange(slot.state, Self.state(.skipped, at: head), orderings[.claim])
            kind = self.kind(of: claimed) ?? .awaited
        }
        let words = kind == .skipped ? 0 : try t.read(slot.words)
        if words != 0 { try t.write(slot.words, Self.leftContext) }
        try t.write(self.head, head + 1)
        if (head + 1) % slotCount == 0, head < last { try endSegment(head / slotCount, t) }
        return words
    }

    private func endSegment(_ segment: Int, _ t: ModelThread) throws {
        try clearEntry(of: segment, t)
        try put(t.read(current), into: freePages, t)
        var segment = segment + 1
        while segment * slotCount <= last {
            let page = try page(of: segment, t)
            if page != Self.cancelled,
                try change(claimOf: page - 1, of: segment, t, { $0 | Self.received }) != 0
            {
                try t.write(current, page - 1)
                return
            }
            try clearEntry(of: segment, t)
            segment += 1
            try t.write(head, segment * slotCount)
        }
    }

    private func clearEntry(of segment: Int, _ t: ModelThread) throws {
        let table = try table(of: segment, t)
        try t.store(tables[table - 1], 0, .relaxed)
        try t.store(places[segment], 0, .relaxed)
        var next = segment + 1
        while try !t.compareExchange(
            places[next], expected: 0, desired: table, orderings[.moveTable]
        ).exchanged {
            next += 1
        }
    }

    private func announce(_ t: ModelThread) throws -> Bool {
        let head = try t.read(head)
        let slot = try slot(of: head, in: t.read(current))
        let awaited = Self.state(.awaited, at: head)
        let seen = try t.load(slot.state, .relaxed)
        guard seen == 0 || seen >> 3 != head || seen == awaited else { return false }
        return try t.compareExchange(
            slot.state, expected: seen, desired: awaited, orderings[.announce], failure: .relaxed
        ).exchanged
    }
}
