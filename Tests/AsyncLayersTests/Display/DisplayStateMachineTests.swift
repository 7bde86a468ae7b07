import Testing

@testable import AsyncLayers

/// A pass that is nothing but its number.
struct NumberedPass: DisplayPass, Hashable, Comparable, ExpressibleByIntegerLiteral, CustomStringConvertible {
    let number: UInt64

    init(_ number: UInt64) { self.number = number }
    init(integerLiteral number: UInt64) { self.number = number }

    static func < (left: Self, right: Self) -> Bool { left.number < right.number }

    var description: String { "\(number)" }
}

typealias NumberMachine = DisplayStateMachine<NumberedPass>

extension NumberMachine.Event {
    static func began(_ pass: NumberedPass, _ previous: NumberMachine.Previous = .droppable(.waiting)) -> Self
    {
        .began(pass, previous: previous)
    }

    static func failed(_ pass: NumberedPass) -> Self { .failed(pass, CancellationError()) }
}

extension NumberMachine {
    /// What a machine wants to be done, in words.
    mutating func answer(_ event: Event) -> [String] {
        handle(event).map { action in
            switch action {
            case .stop(let pass): "stop \(pass)"
            case .start(let pass): "start \(pass)"
            case .end(let pass, .committed(isInterim: true)): "\(pass) committed, interim"
            case .end(let pass, .committed): "\(pass) committed"
            case .end(let pass, .superseded(let stage)): "\(pass) superseded while \(stage)"
            case .end(let pass, .cancelled(let stage)): "\(pass) cancelled while \(stage)"
            case .end(let pass, .failed): "\(pass) failed"
            }
        }
    }
}

@Suite("Display state machine")
struct DisplayStateMachineTests {
    let drawing = NumberMachine.Previous.drawing(isStoppingWorthwhile: true)
    let drawingInAStorm = NumberMachine.Previous.drawing(isStoppingWorthwhile: false)

    /// A machine whose layer shows a picture.
    func machineThatShows() -> NumberMachine {
        var machine = NumberMachine()
        _ = machine.handle(.began(1))
        _ = machine.handle(.finished(1))
        return machine
    }

    @Test("a pass that is not disturbed is committed")
    func plain() {
        var machine = NumberMachine()
        #expect(machine.answer(.began(1)) == [])
        #expect(machine.answer(.finished(1)) == ["1 committed"])
        #expect(machine.shown == 1)
        #expect(machine.isIdle)
    }

    @Test("what waits is replaced, always")
    func replaced() {
        var machine = NumberMachine()
        #expect(machine.answer(.began(1)) == [])
        #expect(machine.answer(.began(2)) == ["1 superseded while waiting"])
        #expect(machine.answer(.began(3)) == ["2 superseded while waiting"])
        #expect(machine.answer(.began(4)) == ["3 superseded while waiting"])
        #expect(machine.answer(.finished(4)) == ["4 committed"])
    }

    @Test("before the first picture no draw is stopped: it is finished, and the newer one is drawn after it")
    func firstDraw() {
        var machine = NumberMachine()
        _ = machine.handle(.began(1))
        #expect(machine.answer(.began(2, drawing)) == [])
        #expect(machine.interimCount == 1)
        #expect(machine.answer(.began(3)) == ["2 superseded while waiting"])
        #expect(machine.answer(.finished(1)) == ["1 committed, interim", "start 3"])
        #expect(machine.answer(.finished(3)) == ["3 committed"])
    }

    @Test("at most one draw is stopped for each picture shown")
    func oneStop() {
        var machine = machineThatShows()
        _ = machine.handle(.began(2))
        #expect(machine.answer(.began(3, drawing)) == ["stop 2"])
        #expect(machine.interimCount == 0)
        #expect(machine.answer(.began(4, drawing)) == [])
        #expect(machine.answer(.stopped(2, .drawing)) == ["2 superseded while drawing"])
        #expect(machine.answer(.finished(3)) == ["3 committed, interim", "start 4"])
        #expect(machine.answer(.began(5, drawing)) == ["stop 4"])
        #expect(machine.answer(.finished(4)) == ["4 superseded while committing"])
    }

    @Test("a draw is not stopped where that does not pay")
    func storm() {
        var machine = machineThatShows()
        _ = machine.handle(.began(2))
        #expect(machine.answer(.began(3, drawingInAStorm)) == [])
        #expect(machine.answer(.finished(2)) == ["2 committed, interim", "start 3"])
    }

    @Test("what made a pass stale first is what it reports")
    func firstMarkCounts() {
        var machine = machineThatShows()
        _ = machine.handle(.began(2))
        _ = machine.handle(.began(3, drawing))
        #expect(machine.answer(.cancelled) == ["stop 3"])
        #expect(machine.answer(.stopped(2, .drawing)) == ["2 superseded while drawing"])
        #expect(machine.answer(.stopped(3, .waiting)) == ["3 cancelled while waiting"])
    }

    @Test("a cancellation stops an interim draw, and what waits for it")
    func cancelledInterim() {
        var machine = NumberMachine()
        _ = machine.handle(.began(1))
        _ = machine.handle(.began(2, drawing))
        #expect(machine.answer(.cancelled) == ["stop 1", "stop 2"])
        #expect(machine.answer(.stopped(2, .waiting)) == ["2 cancelled while waiting"])
        #expect(machine.answer(.finished(1)) == ["1 cancelled while committing"])
    }

    @Test("a newer picture that is there first stops an interim draw, and lets the next one begin")
    func needlessInterim() {
        var machine = NumberMachine()
        _ = machine.handle(.began(1))
        _ = machine.handle(.began(2, drawing))
        _ = machine.handle(.began(3, drawing))
        #expect(machine.answer(.finished(2)) == ["2 committed, interim", "start 3", "stop 1", "start 3"])
        #expect(machine.interimCount == 0)
        #expect(machine.answer(.finished(1)) == ["1 superseded while committing"])
    }

    @Test("a picture that waits for its group and is invalidated is superseded")
    func invalidated() {
        var machine = NumberMachine()
        _ = machine.handle(.began(1))
        #expect(machine.answer(.invalidated) == ["stop 1"])
        #expect(machine.answer(.stopped(1, .committing)) == ["1 superseded while committing"])
    }

    @Test("a failure is reported as such, stale or not, and lets the next draw begin")
    func failures() {
        var machine = NumberMachine()
        _ = machine.handle(.began(1))
        _ = machine.handle(.began(2, drawing))
        #expect(machine.answer(.failed(1)) == ["1 failed", "start 2"])
        #expect(machine.answer(.failed(2)) == ["2 failed"])
    }

    @Test("events about passes that ended or never began do nothing")
    func strayEvents() {
        var machine = machineThatShows()
        for pass: NumberedPass in [0, 1, 2] {
            for event in [NumberMachine.Event.finished(pass), .failed(pass), .stopped(pass, .drawing)] {
                #expect(machine.answer(event) == [])
            }
        }
        #expect(machine.shown == 1)
        #expect(machine.isIdle)
    }
}

@Suite("Pace of draws")
struct DrawPaceTests {
    @Test("stopping pays if requests come more slowly than the layer draws")
    func rule() {
        var pace = DrawPace()
        #expect(pace.requested(at: .seconds(5)) > .seconds(1 << 40), "nothing was asked for before")
        #expect(pace.requested(at: .seconds(6)) == .seconds(1))
        pace.drew(in: .milliseconds(30))
        #expect(pace.isStoppingWorthwhile(quietTime: .milliseconds(30)))
        #expect(!pace.isStoppingWorthwhile(quietTime: .milliseconds(29)))
    }

    @Test("before a draw's time is known, none is stopped")
    func unknown() {
        #expect(!DrawPace().isStoppingWorthwhile(quietTime: .seconds(Int64.max)))
    }

    @Test(
        "a layer whose draws are short may have two at a time, another one, or one that has not drawn yet, has one"
    )
    func drawsAtATime() {
        var pace = DrawPace()
        #expect(pace.drawsAtATime == 1)
        pace.drew(in: .milliseconds(100))
        #expect(pace.drawsAtATime == 2)
        pace.drew(in: .milliseconds(101))
        #expect(pace.drawsAtATime == 1)
    }

    @Test("the time of a draw rises at once and falls slowly; what is below zero is zero")
    func drawTime() {
        var pace = DrawPace()
        pace.drew(in: .milliseconds(80))
        #expect(pace.drawTime == .milliseconds(80))
        pace.drew(in: .milliseconds(-3))
        #expect(pace.drawTime == .milliseconds(70))
    }
}
