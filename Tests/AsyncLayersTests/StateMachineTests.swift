import Testing

@testable import AsyncLayers

@Suite("Display state machine")
struct StateMachineTests {
    typealias Action = DisplayStateMachine.Action

    @Test("a pass that is not disturbed is committed")
    func plain() {
        var machine = DisplayStateMachine()
        #expect(machine.handle(.began(1, isSynchronous: false, isOverdue: false)) == [])
        #expect(machine.handle(.finished(1)) == [.end(1, .committed(isInterim: false))])
        #expect(machine.shown == 1)
        #expect(machine.isIdle)
    }

    @Test("a new pass marks the older ones once and asks to stop them, oldest first")
    func newPass() {
        var machine = DisplayStateMachine()
        _ = machine.handle(.began(1, isSynchronous: false, isOverdue: false))
        #expect(machine.handle(.began(2, isSynchronous: false, isOverdue: false)) == [.stop(1)])
        #expect(machine.handle(.began(3, isSynchronous: false, isOverdue: false)) == [.stop(2)])
        #expect(machine.handle(.dequeued(2)) == [.end(2, .superseded(.waiting))])
        #expect(machine.handle(.finished(1)) == [.end(1, .superseded(.committing))])
        #expect(machine.handle(.cancelled) == [.stop(3)])
        #expect(machine.handle(.stopped(3, .drawing)) == [.end(3, .cancelled(.drawing))])
        #expect(machine.isIdle)
        #expect(machine.shown == 0)
    }

    @Test("what made a pass stale first is what it reports")
    func firstMarkCounts() {
        var machine = DisplayStateMachine()
        _ = machine.handle(.began(1, isSynchronous: false, isOverdue: false))
        #expect(machine.handle(.invalidated(isOverdue: false)) == [.stop(1)])
        #expect(machine.handle(.cancelled) == [])
        #expect(machine.handle(.stopped(1, .drawing)) == [.end(1, .superseded(.drawing))])
    }

    @Test("a synchronous pass cannot be made stale, yet yields to a newer picture")
    func synchronous() {
        var machine = DisplayStateMachine()
        _ = machine.handle(.began(1, isSynchronous: true, isOverdue: false))
        #expect(machine.handle(.invalidated(isOverdue: false)) == [])
        #expect(machine.handle(.began(2, isSynchronous: true, isOverdue: false)) == [])
        #expect(machine.handle(.finished(2)) == [.end(2, .committed(isInterim: false))])
        #expect(machine.handle(.finished(1)) == [.end(1, .superseded(.committing))])
        #expect(machine.shown == 2)
    }

    @Test("a pass that was overtaken during its own preparations ends at once, asynchronous or not")
    func overtaken() {
        for isSynchronous in [false, true] {
            var machine = DisplayStateMachine()
            #expect(machine.handle(.began(2, isSynchronous: false, isOverdue: false)) == [])
            #expect(
                machine.handle(.began(1, isSynchronous: isSynchronous, isOverdue: false)) == [
                    .end(1, .superseded(.waiting))
                ])
            #expect(machine.handle(.finished(2)) == [.end(2, .committed(isInterim: false))])
        }
    }

    @Test("when time presses a stale pass is kept and committed as an interim one, one at a time")
    func interim() {
        var machine = DisplayStateMachine()
        _ = machine.handle(.began(1, isSynchronous: false, isOverdue: false))
        #expect(machine.handle(.invalidated(isOverdue: true)) == [.keep(1)])
        #expect(!machine.isCatchingUp)
        #expect(machine.handle(.began(2, isSynchronous: false, isOverdue: true)) == [])
        #expect(machine.isCatchingUp)
        #expect(machine.handle(.invalidated(isOverdue: true)) == [.stop(2)])
        #expect(machine.handle(.finished(1)) == [.end(1, .committed(isInterim: true))])
        #expect(!machine.isCatchingUp)
        #expect(machine.handle(.dequeued(2)) == [.end(2, .superseded(.waiting))])
    }

    @Test("a cancellation stops an interim pass, and a newer picture makes it needless")
    func endsOfInterimPasses() {
        var machine = DisplayStateMachine()
        _ = machine.handle(.began(1, isSynchronous: false, isOverdue: false))
        _ = machine.handle(.began(2, isSynchronous: false, isOverdue: true))
        var cancelled = machine
        #expect(cancelled.handle(.cancelled) == [.stop(1), .stop(2)])
        #expect(cancelled.handle(.finished(1)) == [.end(1, .cancelled(.committing))])
        // Nobody will see an interim picture that is older than what is shown.
        #expect(machine.handle(.finished(2)) == [.end(2, .committed(isInterim: false)), .stop(1)])
        #expect(!machine.isCatchingUp)
        #expect(machine.handle(.finished(1)) == [.end(1, .superseded(.committing))])
    }

    @Test("a failure is reported as such, stale or not")
    func failures() {
        var machine = DisplayStateMachine()
        _ = machine.handle(.began(1, isSynchronous: false, isOverdue: false))
        _ = machine.handle(.began(2, isSynchronous: false, isOverdue: false))
        #expect(machine.handle(.failed(1)) == [.end(1, .failed)])
        #expect(machine.handle(.failed(2)) == [.end(2, .failed)])
    }

    @Test("events about passes that ended or never began do nothing")
    func strayEvents() {
        var machine = DisplayStateMachine()
        _ = machine.handle(.began(1, isSynchronous: false, isOverdue: false))
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
