import Testing

@testable import AsyncLayers

/// Walks the sequences of calls, effects, turns and waits, the shortest first, to fifty thousand states, and
/// checks the promises of ``EffectQueue`` at each step, by an onlooker's memory.
@Suite("Every order of calls and effects", .timeLimit(.minutes(15)))
struct EffectQueueEnumeration {
    typealias Queue = EffectQueue<Int>

    enum Event: CaseIterable {
        case append, beginWait, beginCall, beginTogether, turn, announcedTurn, end
    }

    /// What is done on the main actor, one within the other.
    enum Frame: Hashable {
        case call(Queue.Work)
        case together(Queue.Work)
        case turn(Queue.Place, isEnding: Bool)
        case run(Queue.Place, depth: Int)
    }

    /// Makes the calls that a host makes, and remembers.
    struct World {
        static let (frameLimit, effectLimit, maximumDepth) = (4, 4, 2)

        /// Where the ways on are the same.
        struct Key: Hashable {
            var frames: [Frame] = []
            /// The depths of the effects that wait. Nil for those that a run has left: they are as deep as
            /// those that the next effect's causes.
            var depths: [Int?] = []
            /// The depth of the effect that runs, by turn; whether the main thread has waited there.
            var turns = [Turn()]
            var appendedCount = 0
            var ranCount = 0
            var announcementCount = 0
            var place = Queue.Place()
            var levelCount = 0
        }

        struct Turn: Hashable {
            var depth = 0
            var hasWaited = false
        }

        private var queue = Queue(maximumDepth: Int32(maximumDepth))
        private(set) var key = Key()
        private(set) var events: [Event] = []
        private(set) var violations: [String] = []

        /// Frames since the loop last called, the innermost first.
        private var framesOfTurn: ReversedCollection<ArraySlice<Frame>> {
            let start = key.frames.lastIndex { if case .turn = $0 { true } else { false } }
            return key.frames[(start.map { $0 + 1 } ?? 0)...].reversed()
        }

        /// Of those that are no part of a call.
        private var turnCount: Int {
            let call = key.frames.firstIndex { if case .call = $0 { true } else { false } }
            return key.frames[..<(call ?? key.frames.count)].count {
                if case .turn = $0 { true } else { false }
            }
        }

        private var isInCall: Bool { key.frames.contains { if case .call = $0 { true } else { false } } }

        private mutating func check(_ condition: Bool, _ promise: String) {
            if !condition { violations.append("\(promise): \(events)") }
        }

        /// The world after an event; nil if it cannot come.
        func after(_ event: Event) -> World? {
            var next = self
            next.events.append(event)
            guard next.handle(event) else { return nil }
            next.checkState()
            (next.key.place, next.key.levelCount) = (next.queue.place, next.queue.levelCount)
            return next
        }

        private mutating func handle(_ event: Event) -> Bool {
            if event == .end { return end() }
            let isFull = key.appendedCount == Self.effectLimit
            switch event {
            case .append, .beginWait: if isFull { return false }
            default: if key.frames.count == Self.frameLimit { return false }
            }
            switch event {
            case .append: append()
            case .beginWait:
                guard case .call? = key.frames.last, !queue.place.hasWaited else { return false }
                queue.beginWait()
                key.turns[key.turns.count - 1].hasWaited = true
                append()
            case .beginCall: key.frames.append(.call(queue.begin(.call)))
            case .beginTogether: key.frames.append(.together(queue.begin(.together)))
            case .turn: beginTurn()
            case .announcedTurn:
                guard key.announcementCount > 0 else { return false }
                key.announcementCount -= 1
                queue.announcementComes()
                beginTurn()
            case .end: break
            }
            return true
        }

        private mutating func append() {
            key.depths.append(key.turns[key.turns.count - 1].depth + 1)
            queue.append(key.appendedCount)
            key.appendedCount += 1
            announce()
        }

        private mutating func announce() {
            if queue.mustAnnounce() { key.announcementCount += 1 }
        }

        private mutating func beginTurn() {
            key.frames.append(.turn(queue.beginTurn(), isEnding: false))
            let continues = isInCall || turnCount > Self.maximumDepth
            key.turns.append(continues ? key.turns[key.turns.count - 1] : Turn())
        }

        /// The innermost ends, if it is not the loop that waits for events.
        private mutating func end() -> Bool {
            switch key.frames.last {
            case .call(let former)?, .together(let former)?:
                key.frames.removeLast()
                queue.end(former)
                settle()
            case .turn(let former, _)?:
                key.frames[key.frames.count - 1] = .turn(former, isEnding: true)
                settle()
            case .run?: runNext()
            case nil: return false
            }
            return true
        }

        private mutating func settle() {
            check(queue.isInCall == isInCall, "knows whether a call is made")
            guard !queue.isInCall else { return endEndingTurn() }
            let isDue = !key.depths.isEmpty || key.turns[key.turns.count - 1].hasWaited
            let run = queue.beginRun()
            check(
                (run != nil) == (isDue && framesOfTurn.isEmpty),
                "effects run when the outermost call has ended, and not before")
            guard let run else {
                announce()
                return endEndingTurn()
            }
            let depth = key.turns[key.turns.count - 1].depth
            key.depths = key.depths.map { _ in nil }
            key.frames.append(.run(run, depth: depth))
            runNext()
        }

        private mutating func runNext() {
            guard case .run(let run, let depth)? = key.frames.last else { return }
            let turn = key.turns.count - 1
            let next = key.turns[turn].depth + 1
            if let effect = queue.next(of: run) {
                check(!isInCall, "no effect runs while a call is made")
                check(effect == key.ranCount, "effects run once, in the order in which they arose")
                key.ranCount += 1
                key.depths = key.depths.map { $0 ?? next }
                key.turns[turn].depth = key.depths.removeFirst() ?? next
                check(key.turns[turn].depth <= depth + Self.maximumDepth, "the depth of a run is bounded")
                return announce()
            }
            let isFull = key.turns[turn].depth == depth + Self.maximumDepth
            check(key.depths.isEmpty || isFull, "a run ends when no effect waits, or at its bound")
            key.frames.removeLast()
            queue.endRun(run)
            key.turns[turn] = Turn(depth: depth)
            key.depths = key.depths.map { _ in nil }
            announce()
            endEndingTurn()
        }

        private mutating func endEndingTurn() {
            guard case .turn(let former, isEnding: true)? = key.frames.last else { return }
            key.frames.removeLast()
            queue.endTurn(former)
            key.turns.removeLast()
        }

        private mutating func checkState() {
            let turn = key.turns[key.turns.count - 1]
            check(key.announcementCount == (queue.isAnnounced ? 1 : 0), "one announcement at a time")
            check(key.ranCount + key.depths.count == key.appendedCount, "none is lost")
            check(queue.admitsPasses == (turn.depth < Self.maximumDepth), "passes are admitted by depth")
            check(queue.place.hasWaited == turn.hasWaited, "knows whether the main thread has waited")
            // The loop has the main actor, or an effect that has caused others.
            let mayLast =
                switch key.frames.last {
                case nil: !key.depths.isEmpty
                case .run?: !isInCall && key.depths.contains(turn.depth + 1)
                case .turn?, .call?, .together?: false
                }
            check(!mayLast || key.announcementCount > 0, "none is stranded")
        }
    }

    @Test("effects run in order, once, outside of calls, none is stranded, and they are bounded")
    func enumeration() {
        var (visited, worlds) = (Set([World().key]), [World()])
        var violations: [String] = []
        var index = 0
        while index < worlds.count, worlds.count < 50_000, violations.isEmpty {
            for event in Event.allCases {
                guard let next = worlds[index].after(event) else { continue }
                violations += next.violations
                if visited.insert(next.key).inserted { worlds.append(next) }
            }
            index += 1
        }
        #expect(violations.isEmpty, "\(violations.prefix(3))")
        #expect(visited.count > 10_000, "\(visited.count) states")
    }
}
