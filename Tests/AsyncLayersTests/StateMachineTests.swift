import Testing

@testable import AsyncLayers

@Suite("Display state machine")
struct StateMachineTests {
    typealias Action = DisplayStateMachine.Action

    @Test("a pass that is not disturbed is committed")
    func plain() {
        var machine = DisplayStateMachine()
        #expect(machine.handle(.began(1, isSynchronous: false)) == [])
        #expect(machine.handle(.finished(1)) == [.end(1, .committed)])
        #expect(machine.shown == 1)
        #expect(machine.isIdle)
    }

    @Test("a new pass marks the older ones once and asks for their dequeuing, oldest first")
    func newPass() {
        var machine = DisplayStateMachine()
        _ = machine.handle(.began(1, isSynchronous: false))
        #expect(machine.handle(.began(2, isSynchronous: false)) == [.dequeue(1)])
        #expect(machine.handle(.began(3, isSynchronous: false)) == [.dequeue(2)])
        #expect(machine.handle(.dequeued(2)) == [.end(2, .superseded(.waiting))])
        #expect(machine.handle(.finished(1)) == [.end(1, .superseded(.committing))])
        #expect(machine.handle(.cancelled) == [.dequeue(3)])
        #expect(machine.handle(.stopped(3, .drawing)) == [.end(3, .cancelled(.drawing))])
        #expect(machine.isIdle)
        #expect(machine.shown == 0)
    }

    @Test("what made a pass stale first is what it reports")
    func firstMarkCounts() {
        var machine = DisplayStateMachine()
        _ = machine.handle(.began(1, isSynchronous: false))
        #expect(machine.handle(.invalidated) == [.dequeue(1)])
        #expect(machine.handle(.cancelled) == [])
        #expect(machine.handle(.stopped(1, .drawing)) == [.end(1, .superseded(.drawing))])
    }

    @Test("a synchronous pass cannot be made stale, yet yields to a newer picture")
    func synchronous() {
        var machine = DisplayStateMachine()
        _ = machine.handle(.began(1, isSynchronous: true))
        #expect(machine.handle(.invalidated) == [])
        #expect(machine.handle(.began(2, isSynchronous: true)) == [])
        #expect(machine.handle(.finished(2)) == [.end(2, .committed)])
        #expect(machine.handle(.finished(1)) == [.end(1, .superseded(.committing))])
        #expect(machine.shown == 2)
    }

    @Test("a pass that was overtaken during its own preparations ends at once, asynchronous or not")
    func overtaken() {
        for isSynchronous in [false, true] {
            var machine = DisplayStateMachine()
            #expect(machine.handle(.began(2, isSynchronous: false)) == [])
            #expect(
                machine.handle(.began(1, isSynchronous: isSynchronous)) == [.end(1, .superseded(.waiting))])
            #expect(machine.handle(.finished(2)) == [.end(2, .committed)])
        }
    }

    @Test("a failure is reported as such, stale or not")
    func failures() {
        var machine = DisplayStateMachine()
        _ = machine.handle(.began(1, isSynchronous: false))
        _ = machine.handle(.began(2, isSynchronous: false))
        #expect(machine.handle(.failed(1)) == [.end(1, .failed)])
        #expect(machine.handle(.failed(2)) == [.end(2, .failed)])
    }

    @Test("events about passes that ended or never began do nothing")
    func strayEvents() {
        var machine = DisplayStateMachine()
        _ = machine.handle(.began(1, isSynchronous: false))
        _ = machine.handle(.finished(1))
        let before = machine
        for pass: UInt64 in [0, 1, 2] {
            for event in [
                DisplayStateMachine.Event.finished(pass), .failed(pass), .dequeued(pass),
                .stopped(pass, .drawing),
            ] {
                #expect(machine.handle(event) == [])
            }
        }
        #expect(machine == before)
    }
}
