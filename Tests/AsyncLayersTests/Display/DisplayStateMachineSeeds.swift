import TestSupport
import Testing

@testable import AsyncLayers

/// Long random lives of the state machine, with more passes than an enumeration can have, watched by the
/// enumeration's onlooker.
///
/// Seeds differ in how often passes begin, are invalidated, cancelled and ended, so that in some of them many
/// passes are in flight and in others hardly one.
@Suite("Ten thousand lives of the state machine", .timeLimit(.minutes(15)))
struct DisplayStateMachineSeeds {
    typealias Walk = DisplayStateMachineEnumeration.Walk
    typealias Event = DisplayStateMachineEnumeration.Event

    @Test(
        "each pass ends once, pictures only get newer, one draw is stopped for each picture, wanted ones are shown"
    )
    func tenThousandSeeds() {
        var walk = Walk()
        var (passes, mostInFlight) = (0, 0)
        for seed: UInt64 in 1...10_000 {
            var life = Life(seed: seed)
            life.play(eventCount: 100, &walk)
            passes += Int(life.lastPass)
            mostInFlight = max(mostInFlight, life.mostInFlight)
            guard walk.violations.isEmpty else {
                // Once more, with the events that led there.
                var (life, walk) = (Life(seed: seed, isRecording: true), Walk())
                life.play(eventCount: 100, &walk)
                Issue.record("with seed \(seed): \(walk.violations.prefix(3))")
                return
            }
        }
        #expect(passes > 200_000, "the lives are as long as they should be")
        #expect(mostInFlight >= 20)
    }

    private struct Life {
        private(set) var lastPass: UInt64 = 0
        private(set) var mostInFlight = 0
        private var place = Walk.Place()
        private var events: [Event] = []
        private let isRecording: Bool
        private var generator: SeededGenerator
        private let beginWeight: Int
        private let invalidationWeight: Int
        private let endWeight: Int

        init(seed: UInt64, isRecording: Bool = false) {
            self.isRecording = isRecording
            generator = SeededGenerator(seed: seed)
            beginWeight = Int.random(in: 1...12, using: &generator)
            invalidationWeight = Int.random(in: 0...10, using: &generator)
            endWeight = Int.random(in: 5...20, using: &generator)
        }

        mutating func play(eventCount: Int, _ walk: inout Walk) {
            for _ in 0..<eventCount {
                switch pick(beginWeight, invalidationWeight, 1, endWeight, 2) {
                case 0: begin(&walk)
                case 1: if place.machine.current != nil { step(.invalidated, &walk) }
                case 2: step(.cancelled, &walk)
                case 3: endOne(&walk)
                default: tellOfTheDead(&walk)
                }
                mostInFlight = max(mostInFlight, place.open.count)
            }
            while !place.open.isEmpty { endOne(&walk) }
            walk.check(place.machine.isIdle, "a pass is left in flight", events)
        }

        private mutating func begin(_ walk: inout Walk) {
            lastPass += 1
            let previous = walk.previous(at: place).randomElement(using: &generator)!
            step(.began(NumberedPass(lastPass), previous: previous), &walk)
        }

        private mutating func endOne(_ walk: inout Walk) {
            guard
                let pass = place.open.subtracting([place.heldBack].compactMap(\.self)).sorted()
                    .randomElement(using: &generator)
            else { return }
            if place.stopping.contains(pass), chance(70) {
                return step(.stopped(pass, chance(50) ? .waiting : .drawing), &walk)
            }
            step(chance(10) ? .failed(pass) : .finished(pass), &walk)
        }

        /// Events about passes that are not in flight, late or mistaken, do nothing.
        private mutating func tellOfTheDead(_ walk: inout Walk) {
            let pass = NumberedPass(UInt64.random(in: 0...lastPass + 2, using: &generator))
            guard !place.open.contains(pass) else { return }
            let event: Event = [
                .stopped(pass, .waiting), .stopped(pass, .drawing), .finished(pass), .failed(pass),
            ].randomElement(using: &generator)!
            var machine = place.machine
            walk.check(
                machine.answer(event).isEmpty && machine == place.machine, "\(event) does something", events)
        }

        private mutating func step(_ event: Event, _ walk: inout Walk) {
            place = walk.step(place, event, events)
            if isRecording { events.append(event) }
        }

        private mutating func chance(_ percentage: Int) -> Bool {
            Int.random(in: 0..<100, using: &generator) < percentage
        }

        private mutating func pick(_ weights: Int...) -> Int {
            var number = Int.random(in: 0..<weights.reduce(0, +), using: &generator)
            return weights.firstIndex { weight in
                number -= weight
                return number < 0
            } ?? 0
        }
    }
}
