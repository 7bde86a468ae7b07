import ScrollScheduling
import TestSupport
import Testing

/// Every sequence of a small alphabet of events, and long random ones, played to a filter and to a feed that
/// draws what the filter wants and forgets the pictures of rows that are neither visible nor wanted.
@Suite("Scroll filter, every sequence of events")
struct ScrollFilterEnumeration {
    @Test("at rest no visible row is blank, and a far scroll wants the target and three rows")
    func everySequence() {
        var sequences = 0
        walk(Feed(), depth: 5, &sequences)
        #expect(sequences == 12 * 12 * 12 * 12 * 12)
    }

    @Test("the same holds in long random sequences", arguments: 1...20 as ClosedRange<UInt64>)
    func randomSequences(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var feed = Feed()
        for step in 0..<5_000 {
            let move = Feed.Move.allCases.randomElement(using: &generator) ?? .settle
            if let fault = feed.play(move) {
                Issue.record("\(fault) at step \(step) of seed \(seed)")
                return
            }
        }
    }

    private func walk(_ feed: Feed, depth: Int, _ sequences: inout Int) {
        guard depth > 0 else {
            sequences += 1
            return
        }
        for move in Feed.Move.allCases {
            var next = feed
            if let fault = next.play(move) {
                Issue.record("\(fault) after \(next.moves)")
                return
            }
            walk(next, depth: depth - 1, &sequences)
        }
    }
}

/// A list with a window of five rows, and what a reader does with it. Knows only what a host knows: whether a
/// finger is on, and where the scroll is going to stop.
private struct Feed {
    enum Move: CaseIterable {
        case drag, settle, stepOn, stepBack, leap, arrive, flickOn, flickBack, nudge, toTop, insert, remove
    }

    private static let window = 5

    private(set) var moves: [Move] = []
    private var filter = ScrollFilter(rowCount: 60)
    private var rowCount = 60
    private var first = 20
    private var target: Int?
    /// What the filter may rely on to skip: the last thing that happened was a lift-off for far away, or on
    /// the way to it.
    private var maySkip = false
    private var isHeld = true
    private var drawn: Set<Int> = []

    init() {
        _ = tell(.moved(visible: visible))
    }

    private var visible: Range<Int> { first..<min(first + Self.window, rowCount) }

    mutating func play(_ move: Move) -> String? {
        moves.append(move)
        if moves.count > 8 { moves.removeFirst() }
        switch move {
        case .drag: return stop(.dragBegan)
        case .settle: return stop(.settled)
        case .stepOn: return moveTo(first + 1)
        case .stepBack: return moveTo(first - 1)
        case .leap: return moveTo(first + 13)
        case .arrive: return moveTo(target ?? first)
        case .flickOn: return flick(to: first + 17) { .liftedOff(target: $0) }
        case .flickBack: return flick(to: first - 17) { .liftedOff(target: $0) }
        case .nudge: return flick(to: first + 8) { .liftedOff(target: $0) }
        case .toTop: return flick(to: 0) { .scrollToTopBegan(target: $0) }
        case .insert: return change(rowCount + 7)
        case .remove: return change(rowCount - 25)
        }
    }

    private func place(_ row: Int) -> Int { min(max(row, 0), max(rowCount - Self.window, 0)) }

    private mutating func stop(_ event: ScrollFilter.Event) -> String? {
        (isHeld, maySkip, target) = (true, false, nil)
        return tell(event)
    }

    private mutating func moveTo(_ row: Int) -> String? {
        first = place(row)
        return tell(.moved(visible: visible))
    }

    /// The target as a host might compute it: beyond the ends, too.
    private mutating func flick(to row: Int, _ event: (Range<Int>) -> ScrollFilter.Event) -> String? {
        let stop = place(row)
        (isHeld, target) = (false, stop)
        let told = event(row..<row + Self.window)
        if case .scrollToTopBegan = told { maySkip = stop != first } else { maySkip = abs(stop - first) > 8 }
        let fault = tell(told)
        if fault == nil, maySkip != filter.isSkipping, !visible.isEmpty {
            return "\(maySkip ? "does not skip" : "skips")"
        }
        return fault
    }

    private mutating func change(_ count: Int) -> String? {
        rowCount = max(count, 0)
        first = place(first)
        (maySkip, target) = (false, nil)
        return tell(.rowsChanged(count: rowCount)) ?? tell(.moved(visible: visible))
    }

    /// What is wrong, if anything.
    private mutating func tell(_ event: ScrollFilter.Event) -> String? {
        filter.handle(event)
        let wanted = filter.wantedRows
        drawn = drawn.filter { visible.contains($0) || wanted.contains($0) }.union(wanted)
        if case .rowsChanged = event { return nil }

        if wanted.lowerBound < 0 || wanted.upperBound > rowCount { return "\(wanted) is outside" }
        if filter.isSkipping, !maySkip { return "skips without a reason" }
        if filter.isSkipping, let target {
            let rows = target..<min(target + Self.window, rowCount)
            if rows.clamped(to: wanted) != rows { return "the target \(rows) is not in \(wanted)" }
            if wanted.count > rows.count + 3 { return "\(wanted) is more than the target and three rows" }
        }
        if !filter.isSkipping, wanted != visible { return "\(wanted) instead of \(visible)" }
        if isHeld, !drawn.isSuperset(of: visible) { return "blank rows at rest in \(visible)" }
        return nil
    }
}
