import Testing

@testable import AsyncLayers

/// Walks every interleaving of the events of three overlapping passes, with an invalidation and a
/// cancellation anywhere among them, and checks the promises along each path.
///
/// A pass begins (asynchronously or synchronously), then ends by one event of its own: it finishes, fails,
/// stops at a stage, or, where the machine asked for it, is dequeued. Passes end in any order, and begin in
/// any order: a pass that begins within the preparations of another has the higher number and begins first.
@Suite("Every interleaving of three passes", .timeLimit(.minutes(5)))
struct StateMachineEnumeration {
    typealias Pass = DisplayStateMachine.Pass
    typealias Event = DisplayStateMachine.Event
    typealias Ending = DisplayStateMachine.Ending

    @Test("each pass ends once, pictures only get newer, marked passes never show, wanted ones always do")
    func everyInterleaving() {
        var walk = Walk()
        walk.explore(Walk.Path())
        #expect(walk.violations.isEmpty, "\(walk.violations.prefix(5))")
        #expect(walk.pathCount > 100_000, "the walk is as wide as it should be")
    }

    struct Walk {
        /// A point on one path: the machine, and what an onlooker remembers of the way to here.
        struct Path {
            var machine = DisplayStateMachine()
            var begun: Set<Pass> = []
            var open: Set<Pass> = []
            var synchronous: Set<Pass> = []
            /// Passes that a newer pass, an invalidation or a cancellation has made stale, and by which.
            var stale: [Pass: Ending] = [:]
            var dequeuable: Set<Pass> = []
            var endings: [Pass: Ending] = [:]
            var shown: Pass = 0
            var canInvalidate = true
            var canCancel = true
            var events: [Event] = []
        }

        private(set) var pathCount = 0
        private(set) var violations: [String] = []

        mutating func explore(_ path: Path) {
            var isLeaf = true
            for event in nextEvents(after: path) {
                isLeaf = false
                explore(step(path, event))
            }
            if isLeaf { finish(path) }
        }

        private func nextEvents(after path: Path) -> [Event] {
            var events: [Event] = []
            for pass: Pass in 1...3 where !path.begun.contains(pass) {
                events += [.began(pass, isSynchronous: false), .began(pass, isSynchronous: true)]
            }
            if path.canInvalidate, !path.begun.isEmpty { events.append(.invalidated) }
            if path.canCancel, !path.begun.isEmpty { events.append(.cancelled) }
            for pass in path.open {
                events += [.finished(pass), .failed(pass)]
                // Only a pass that is stale can find itself stale.
                if path.stale[pass] != nil { events += [.stopped(pass, .waiting), .stopped(pass, .drawing)] }
                if path.dequeuable.contains(pass) { events.append(.dequeued(pass)) }
            }
            return events
        }

        private mutating func step(_ path: Path, _ event: Event) -> Path {
            var path = path
            path.events.append(event)
            var expected: (pass: Pass, ending: Ending)?
            switch event {
            case .began(let pass, let isSynchronous):
                if path.begun.contains(where: { $0 > pass }) {
                    expected = (pass, .superseded(.waiting))
                } else {
                    markStale(&path, .superseded(.waiting))
                }
                path.begun.insert(pass)
                path.open.insert(pass)
                if isSynchronous { path.synchronous.insert(pass) }
            case .invalidated:
                path.canInvalidate = false
                markStale(&path, .superseded(.waiting))
            case .cancelled:
                path.canCancel = false
                markStale(&path, .cancelled(.waiting))
            case .dequeued(let pass):
                expected = (pass, staleEnding(path, pass, at: .waiting))
            case .stopped(let pass, let stage):
                expected = (pass, staleEnding(path, pass, at: stage))
            case .failed(let pass):
                expected = (pass, .failed)
            case .finished(let pass):
                let isShown = path.stale[pass] == nil && pass > path.shown
                expected = (pass, isShown ? .committed : staleEnding(path, pass, at: .committing))
            }
            perform(path.machine.handle(event), expected, &path)
            return path
        }

        private mutating func perform(
            _ actions: [DisplayStateMachine.Action], _ expected: (pass: Pass, ending: Ending)?,
            _ path: inout Path
        ) {
            var hasEnded = false
            for action in actions {
                switch action {
                case .dequeue(let pass):
                    check(path.open.contains(pass), "dequeues a pass that is not in flight", path)
                    check(path.stale[pass] != nil, "dequeues a pass that is wanted", path)
                    check(path.dequeuable.insert(pass).inserted, "dequeues a pass twice", path)
                case .end(let pass, let ending):
                    hasEnded = true
                    check(path.open.remove(pass) != nil, "ends a pass that is not in flight", path)
                    check(
                        pass == expected?.pass && ending == expected?.ending, "wrong ending \(ending)", path)
                    if ending == .committed {
                        check(pass > path.shown, "shows an older picture", path)
                        path.shown = pass
                    }
                    path.endings[pass] = ending
                }
            }
            check(hasEnded == (expected != nil), "an ending is missing or surplus", path)
            check(path.machine.shown == path.shown, "loses count of what is shown", path)
        }

        private func markStale(_ path: inout Path, _ ending: Ending) {
            for pass in path.open.subtracting(path.synchronous) where path.stale[pass] == nil {
                path.stale[pass] = ending
            }
        }

        private func staleEnding(_ path: Path, _ pass: Pass, at stage: DisplayStage) -> Ending {
            if case .cancelled = path.stale[pass] { .cancelled(stage) } else { .superseded(stage) }
        }

        private mutating func finish(_ path: Path) {
            pathCount += 1
            check(path.machine.isIdle, "a pass is left in flight", path)
            check(path.endings.count == 3, "a pass has no outcome", path)
        }

        private mutating func check(_ condition: Bool, _ violation: @autoclosure () -> String, _ path: Path) {
            if !condition { violations.append("\(violation()) after \(path.events)") }
        }
    }
}
