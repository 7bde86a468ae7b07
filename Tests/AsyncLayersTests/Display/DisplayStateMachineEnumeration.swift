import Testing

@testable import AsyncLayers

/// Walks every interleaving of the events of five overlapping passes, with an invalidation and a cancellation
/// anywhere among them, and checks the promises at each step.
///
/// A pass begins, finding the one before it waiting or being drawn; then it ends by one event of its own: it
/// finishes, fails, or stops at a stage. Passes end in any order.
///
/// Different ways to the same place have the same ways on, so each place is walked from once and its paths
/// are counted.
@Suite("Every interleaving of five passes", .timeLimit(.minutes(15)))
struct DisplayStateMachineEnumeration {
    typealias Event = NumberMachine.Event

    @Test(
        "each pass ends once, pictures only get newer, one draw is stopped for each picture, wanted ones are shown"
    )
    func everyInterleaving() {
        var walk = Walk()
        let paths = walk.explore(Walk.Place(), [])
        #expect(walk.violations.isEmpty, "\(walk.violations.prefix(5))")
        #expect(walk.pathCounts.count > 10_000, "the walk is as wide as it should be")
        #expect(paths > 5e6)
    }

    struct Walk {
        /// How many passes begin.
        var passCount = 5

        /// Why a pass is stale.
        enum Staleness: Hashable { case interim, superseded, cancelled }

        /// The machine, and what an onlooker remembers of the way to here.
        struct Place: Hashable {
            var machine = NumberMachine()
            var begun: Set<NumberedPass> = []
            var open: Set<NumberedPass> = []
            var stale: [NumberedPass: Staleness] = [:]
            /// Told to stop.
            var stopping: Set<NumberedPass> = []
            /// Held back until an interim picture is there.
            var heldBack: NumberedPass?
            var shown: NumberedPass = 0
            /// Whether a picture was shown since a draw was last stopped for a newer request.
            var hasShown = false
            var canInvalidate = true
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
            if place.begun.count < passCount {
                let pass = NumberedPass(UInt64(place.begun.count + 1))
                for previous in previous(at: place) { events.append(.began(pass, previous: previous)) }
            }
            if place.canInvalidate, current(place) != nil { events.append(.invalidated) }
            if place.canCancel, !place.begun.isEmpty { events.append(.cancelled) }
            for pass in place.open {
                // One that is held back is not drawn.
                if place.heldBack != pass { events += [.finished(pass), .failed(pass)] }
                if place.stopping.contains(pass) {
                    events += [.stopped(pass, .waiting), .stopped(pass, .drawing)]
                }
            }
            return events
        }

        /// What a new pass may find. Beside two interim draws none is drawn.
        func previous(at place: Place) -> [NumberMachine.Previous] {
            guard current(place) != nil else { return [.droppable(.waiting)] }
            let isBehind = place.open.count { place.stale[$0] == .interim } == 2
            let drawing: [NumberMachine.Previous] = [
                .drawing(isStoppingWorthwhile: false), .drawing(isStoppingWorthwhile: true),
            ]
            return [.droppable(.waiting), .droppable(.committing)] + (isBehind ? [] : drawing)
        }

        /// The pass that nothing has made stale.
        private func current(_ place: Place) -> NumberedPass? {
            place.open.filter { place.stale[$0] == nil }.max()
        }

        mutating func step(_ place: Place, _ event: Event, _ events: [Event]) -> Place {
            var place = place
            var expected: [String] = []
            switch event {
            case .began(let pass, let previous):
                supersede(&place, previous, &expected)
                place.open.insert(pass)
                if place.open.count(where: { place.stale[$0] == .interim }) == 2 { place.heldBack = pass }
                place.begun.insert(pass)
            case .invalidated:
                place.canInvalidate = false
                if let pass = current(place) { stop(pass, .superseded, &place, &expected) }
            case .cancelled:
                place.canCancel = false
                for pass in place.open.sorted()
                where place.stale[pass] == nil || place.stale[pass] == .interim {
                    stop(pass, .cancelled, &place, &expected)
                }
            case .stopped(let pass, let stage):
                expected = ["end \(pass) \(staleEnding(place, pass, at: stage))"]
            case .failed(let pass, _):
                expected = ["end \(pass) failed"]
            case .finished(let pass):
                expected = ["end \(pass) \(finishedEnding(place, pass))"]
            }
            perform(event, expected, &place, events + [event])
            return place
        }

        /// What the rules say, in other words than the machine's.
        private func supersede(
            _ place: inout Place, _ previous: NumberMachine.Previous, _ expected: inout [String]
        ) {
            guard let pass = current(place) else { return }
            switch previous {
            case .droppable(let stage):
                expected.append("end \(pass) superseded(\(stage))")
                place.stale[pass] = .superseded
            case .drawing(isStoppingWorthwhile: true) where place.hasShown:
                place.hasShown = false
                stop(pass, .superseded, &place, &expected)
            case .drawing:
                place.stale[pass] = .interim
            }
        }

        private func stop(
            _ pass: NumberedPass, _ staleness: Staleness, _ place: inout Place, _ expected: inout [String]
        ) {
            place.stale[pass] = staleness
            place.stopping.insert(pass)
            if place.heldBack == pass { place.heldBack = nil }
            expected.append("stop \(pass)")
        }

        private func finishedEnding(_ place: Place, _ pass: NumberedPass) -> String {
            guard pass > place.shown else { return staleEnding(place, pass, at: .committing) }
            return switch place.stale[pass] {
            case nil: "committed"
            case .interim: "committed, interim"
            case .superseded, .cancelled: staleEnding(place, pass, at: .committing)
            }
        }

        private func staleEnding(_ place: Place, _ pass: NumberedPass, at stage: DisplayStage) -> String {
            place.stale[pass] == .cancelled ? "cancelled(\(stage))" : "superseded(\(stage))"
        }

        private mutating func perform(
            _ event: Event, _ expected: [String], _ place: inout Place, _ events: [Event]
        ) {
            var expected = expected
            for action in place.machine.handle(event) {
                switch action {
                case .stop(let pass):
                    if let index = expected.firstIndex(of: "stop \(pass)") {
                        expected.remove(at: index)
                    } else {
                        // An interim draw that a newer picture has overtaken.
                        check(
                            place.stale[pass] == .interim && pass < place.shown,
                            "stops a pass that is wanted", events)
                        place.stale[pass] = .superseded
                        check(place.stopping.insert(pass).inserted, "stops a pass twice", events)
                    }
                case .start(let pass):
                    check(
                        place.open.count { place.stale[$0] == .interim } < 2, "starts a third draw", events)
                    check(place.open.contains(pass), "starts a pass that has ended", events)
                    if place.heldBack == pass { place.heldBack = nil }
                case .end(let pass, let outcome):
                    check(place.open.remove(pass) != nil, "ends a pass that is not in flight", events)
                    let words = "end \(pass) \(description(outcome))"
                    let index = expected.firstIndex(of: words)
                    check(index != nil, "\(words) instead of \(expected)", events)
                    if let index { expected.remove(at: index) }
                    if place.heldBack == pass { place.heldBack = nil }
                    guard case .committed = outcome else { continue }
                    check(pass > place.shown, "shows an older picture", events)
                    place.shown = pass
                    place.hasShown = true
                }
            }
            check(expected.isEmpty, "leaves out \(expected)", events)
            checkBooks(place, events)
        }

        private func description(_ outcome: DisplayOutcome) -> String {
            switch outcome {
            case .committed(isInterim: true): "committed, interim"
            case .committed(isInterim: false): "committed"
            case .superseded(let stage): "superseded(\(stage))"
            case .cancelled(let stage): "cancelled(\(stage))"
            case .failed: "failed"
            }
        }

        private mutating func checkBooks(_ place: Place, _ events: [Event]) {
            check(place.machine.shown == place.shown.number, "loses count of what is shown", events)
            check(place.machine.mayStop == place.hasShown, "loses count of what it has stopped", events)
            check(Set(place.machine.passes) == place.open, "loses a pass", events)
            let interims = place.open.filter { place.stale[$0] == .interim }
            check(place.machine.interimCount == interims.count, "is wrong about interim draws", events)
            check(interims.count == 2 || place.heldBack == nil, "holds back a pass for nothing", events)
            for pass in place.open {
                check(
                    place.machine.isCurrent(pass) == (place.stale[pass] == nil),
                    "is wrong about whether a pass is current", events)
                if let staleness = place.stale[pass], staleness != .interim {
                    check(place.stopping.contains(pass), "does not stop a stale pass", events)
                }
            }
            check(place.machine.current == current(place), "is wrong about what is current", events)
        }

        mutating func check(
            _ condition: Bool, _ violation: @autoclosure () -> String, _ events: [Event]
        ) {
            if !condition { violations.append("\(violation()) after \(events)") }
        }
    }
}
