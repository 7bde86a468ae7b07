@testable import MainLoopBridges
import Testing

@Suite("A frame loop's schedule")
struct FrameLoopScheduleTests {
    private let begin = ContinuousClock.now

    private func time(_ milliseconds: Int) -> ContinuousClock.Instant {
        begin.advanced(by: .milliseconds(milliseconds))
    }

    @Test("returns timers in the order of their times, and equal ones in the order of their addition")
    func order() {
        var timers = TimerList<String>()
        for (number, milliseconds) in [30, 10, 20, 10, 20].enumerated() {
            timers.add(
                "\(milliseconds) \(number)", number: UInt64(number), time: time(milliseconds), interval: nil)
        }
        #expect(timers.nextTime == time(10))
        #expect(timers.takeDue(at: time(9)).isEmpty)
        #expect(timers.takeDue(at: time(20)) == ["10 1", "10 3", "20 2", "20 4"])
        #expect(timers.nextTime == time(30))
        timers.remove(number: 0)
        #expect(timers.nextTime == nil)
    }

    @Test("repeats a timer at multiples of its interval, without drift")
    func drift() {
        var timers = TimerList<String>()
        timers.add("a", number: 1, time: time(10), interval: .milliseconds(10))
        // Each turn is 3 ms late.
        for multiple in 1...1000 {
            #expect(timers.nextTime == time(10 * multiple))
            #expect(timers.takeDue(at: time(10 * multiple + 3)) == ["a"])
        }
    }

    @Test("makes one call of the times that have passed, also if the last of them is now")
    func coalescing() {
        var timers = TimerList<String>()
        timers.add("a", number: 1, time: time(10), interval: .milliseconds(10))
        #expect(timers.takeDue(at: time(95)) == ["a"])
        #expect(timers.nextTime == time(100))
        #expect(timers.takeDue(at: time(200)) == ["a"])
        #expect(timers.nextTime == time(210))
        // As after a month of suspension.
        #expect(timers.takeDue(at: time(2_678_400_000)) == ["a"])
        #expect(timers.nextTime == time(2_678_400_010))
    }

    @Test("finds the times of a beat whose interval is no whole number of nanoseconds")
    func beat() {
        let beat = Beat(origin: begin, interval: .seconds(1.0 / 60))
        for number in [0, 1, 2, 59, 60, 61, 1_000_003, 5_184_000_000] {
            let exact = begin.advanced(by: beat.interval * number)
            let instant = Duration(secondsComponent: 0, attosecondsComponent: 1)
            #expect(beat.time(before: exact) == exact)
            #expect(beat.time(after: exact) == exact.advanced(by: beat.interval))
            #expect(
                beat.time(after: exact.advanced(by: beat.interval - instant))
                    == exact.advanced(by: beat.interval))
            #expect(beat.time(before: exact.advanced(by: beat.interval - instant)) == exact)
        }
    }

    @Test("calls a frame at the first beat after its first request, for the last beat that has passed")
    func frames() {
        var frames = FrameRequests<String>(beat: Beat(origin: begin, interval: .milliseconds(10)))
        #expect(frames.takeDue(at: time(5)) == nil)
        frames.add("a", at: time(12))
        #expect(frames.nextTime == time(20))
        frames.add("b", at: time(31))
        #expect(frames.takeDue(at: time(19)) == nil)
        let late = frames.takeDue(at: time(47))
        #expect(late?.time == time(40))
        #expect(late?.requests == ["a", "b"])
        #expect(frames.nextTime == nil)
        // A request exactly at a beat is for the next one.
        frames.add("c", at: time(50))
        #expect(frames.nextTime == time(60))
        frames.remove { $0 == "c" }
        #expect(frames.nextTime == nil)
    }
}
