import Testing

@testable import AsyncLayers

/// Walks every interleaving of the events of four overlapping passes, with two invalidations and a
/// cancellation anywhere among them, each with time pressing or not, and checks the promises at each step.
///
/// A pass begins (asynchronously or synchronously), then ends by one event of its own: it finishes, fails,
/// stops at a stage, or, where the machine asked for it, is dequeued. Passes end in any order, and begin in
/// any order: a pass that begins within the preparations of another has the higher number and begins first.
///
/// Different ways to the same place have the same ways on, so each place is walked from once and its paths
/// are counted.
@Suite("Every interleaving of four passes", .timeLimit(.minutes(5)))
struct StateMachineEnumeration {
    typealias Pass = DisplayStateMachine.Pass
    typealias Event = DisplayStateMachine.Event
    typealias Ending = DisplayStateMachine.Ending

    @Test("each pass ends once, pictures only get newer, stopped passes never show, wanted ones always do")
    func everyInterleaving() {
        var walk = Walk()
        let paths = walk.explore(Walk.Place(), [])
        #expect(walk.violations.isEmpty, "\(walk.violations.prefix(5))")
        #expect(walk.pathCounts.count > 10_000, "the walk is as wide as it should be")
        #expect(paths > 1e9)
    }

    struct Walk {
        /// Why a pass is stale.
        enum Staleness: Hashable { case interim, superseded, cancelled }

        /// The machine, and what an onlooker remembers of the way to here.
        struct Place: Hashable {
            var machine = DisplayStateMachine()
            var begun: Set<Pass> = []
            var open: Set<Pass> = []
            var synchronous: Set<Pass> = []
            var stale: [Pass: Staleness] = [:]
            var stopping: Set<Pass> = []
            var kept: Set<Pass> = []
            var shown: Pass = 0
            var invalidations = 0
            var canCancel = true
        }

        private(set) var pathCounts: [Place: Double] = [:]
        private(set) var violations: [String] = []

        mutating func explore(_ place: Place, _ events: [Event]) -> Double {
            if let count = pathCounts[place] { return count }
            var count = 0.0
            for event in nextEvents(at: place) {
                count += explore(step(place, event, events), events + [event])
            }
            if count == 0 {
                check(place.machine.isIdle && place.open.isEmpty, "a pass is left in flight", events)
                count = 1
            }
            pathCounts[place] = count
            return count
        }

        private func nextEvents(at place: Place) -> [Event] {
            var events: [Event] = []
            for pass: Pass in 1...4 where !place.begun.contains(pass) {
                for isOverdue in [false, true] {
                    events.append(.began(pass, isSynchronous: false, isOverdue: isOverdue))
                    // More than two synchronous passes are no more than two.
                    guard place.synchronous.count < 2 else { continue }
                    events.append(.began(pass, isSynchronous: true, isOverdue: isOverdue))
                }
            }
            if place.invalidations < 2, !place.begun.isEmpty {
                events += [.invalidated(isOverdue: false), .invalidated(isOverdue: true)]
            }
            if place.canCancel, !place.begun.isEmpty { events.append(.cancelled) }
            for pass in place.open {
                events += [.finished(pass), .failed(pass)]
                // Only a pass that is stale can find itself stale; also one that is kept, but too late.
                if place.stale[pass] != nil {
                    events += [.stopped(pass, .waiting), .stopped(pass, .drawing)]
                }
                if place.stopping.contains(pass) { events.append(.dequeued(pass)) }
            }
            return events
        }

        mutating func step(_ place: Place, _ event: Event, _ events: [Event]) -> Place {
            var place = place
            var expected: (pass: Pass, ending: Ending)?
            switch event {
            case .began(let pass, let isSynchronous, let isOverdue):
                if place.begun.contains(where: { $0 > pass }) {
                    expected = (pass, .superseded(.waiting))
                } else {
                    supersede(&place, isOverdue: isOverdue)
                }
                place.begun.insert(pass)
                place.open.insert(pass)
                if isSynchronous { place.synchronous.insert(pass) }
            case .invalidated(let isOverdue):
                place.invalidations += 1
                supersede(&place, isOverdue: isOverdue)
            case .cancelled:
                place.canCancel = false
                for pass in place.open.subtracting(place.synchronous)
                where place.stale[pass] != .superseded {
                    place.stale[pass] = .cancelled
                }
            case .dequeued(let pass):
                expected = (pass, staleEnding(place, pass, at: .waiting))
            case .stopped(let pass, let stage):
                expected = (pass, staleEnding(place, pass, at: stage))
            case .failed(let pass):
                expected = (pass, .failed)
            case .finished(let pass):
                let ending = finishedEnding(place, pass)
                expected = (pass, ending)
                guard case .committed = ending else { break }
                for older in place.open where older < pass && place.stale[older] == .interim {
                    place.stale[older] = .superseded
                }
            }
            perform(place.machine.handle(event), expected, &place, events + [event])
            return place
        }

        /// What the rules say, in other words than the machine's.
        private func supersede(_ place: inout Place, isOverdue: Bool) {
            let hasInterim = place.open.contains { place.stale[$0] == .interim }
            for pass in place.open.subtracting(place.synchronous) where place.stale[pass] == nil {
                place.stale[pass] = isOverdue && !hasInterim ? .interim : .superseded
            }
        }

        private func finishedEnding(_ place: Place, _ pass: Pass) -> Ending {
            guard pass > place.shown else { return staleEnding(place, pass, at: .committing) }
            return switch place.stale[pass] {
            case nil: .committed(isInterim: false)
            case .interim: .committed(isInterim: true)
            case .superseded, .cancelled: staleEnding(place, pass, at: .committing)
            }
        }

        private func staleEnding(_ place: Place, _ pass: Pass, at stage: DisplayStage) -> Ending {
            place.stale[pass] == .cancelled ? .cancelled(stage) : .superseded(stage)
        }

        private mutating func perform(
            _ actions: DisplayActions, _ expected: (pass: Pass, ending: Ending)?,
            _ place: inout Place, _ events: [Event]
        ) {
            var hasEnded = false
            for action in actions {
                switch action {
                case .stop(let pass):
                    check(place.open.contains(pass), "stops a pass that is not in flight", events)
                    check(
                        place.stale[pass] == .superseded || place.stale[pass] == .cancelled,
                        "stops a pass that is wanted", events)
                    check(place.stopping.insert(pass).inserted, "stops a pass twice", events)
                case .keep(let pass):
                    check(place.stale[pass] == .interim, "keeps a pass that is not interim", events)
                    check(place.kept.insert(pass).inserted, "keeps a pass twice", events)
                case .end(let pass, let ending):
                    hasEnded = true
                    check(place.open.remove(pass) != nil, "ends a pass that is not in flight", events)
                    check(
                        pass == expected?.pass && ending == expected?.ending, "wrong ending \(ending)",
                        events)
                    if case .committed = ending {
                        check(pass > place.shown, "shows an older picture", events)
                        place.shown = pass
                    }
                }
            }
            check(hasEnded == (expected != nil), "an ending is missing or surplus", events)
            check(place.machine.shown == place.shown, "loses count of what is shown", events)
            let interims = place.open.filter { place.stale[$0] == .interim }
            check(interims.count <= 1, "keeps two passes at a time", events)
            for pass in place.open {
                let staleness = place.stale[pass]
                check(
                    place.machine.isCurrent(pass) == (staleness == nil),
                    "is wrong about whether a pass is current", events)
                if staleness == .superseded || staleness == .cancelled {
                    check(place.stopping.contains(pass), "does not stop a stale pass", events)
                }
            }
            let current = place.open.filter { place.stale[$0] == nil }.max()
            check(place.machine.current == current, "is wrong about the newest wanted pass", events)
            let isCatchingUp = interims.contains { interim in place.begun.contains { $0 > interim } }
            check(place.machine.isCatchingUp == isCatchingUp, "is wrong about catching up", events)
        }

        mutating func check(
            _ condition: Bool, _ violation: @autoclosure () -> String, _ events: [Event]
        ) {
            if !condition { violations.append("\(violation()) after \(events)") }
        }
    }
}
