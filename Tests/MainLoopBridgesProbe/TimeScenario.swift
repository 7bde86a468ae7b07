#if os(Linux)
    import CQueuePoolsEvents
    import Foundation
    import MainLoopBridges
    import TransactionScenarios

    /// Scenarios of the timers and frames of a frame loop.
    enum TimeScenario: String {
        case timerTimes, badTimes, timerInTimer, cancelledTimers, lateTimer
        case frameInFrame, steadyFrames, lateFrame, sharedFrame, cancelledFrame, idleAfterwards

        /// Runs it; the program ends when it is done.
        @MainActor
        func run() throws -> Never {
            let loop = try FrameLoop(framesPerSecond: 200)
            settle(loop)
            switch self {
            case .timerTimes: waitForTimes(loop)
            case .badTimes: addBadTimes(loop)
            case .timerInTimer: addTimerInTimer(loop)
            case .cancelledTimers: cancelTimers(loop)
            case .lateTimer: delayTimer(loop)
            case .frameInFrame: requestInFrame(loop)
            case .steadyFrames: animate(loop)
            case .lateFrame: delayFrame(loop)
            case .sharedFrame: shareFrame(loop)
            case .cancelledFrame: cancelFrame(loop)
            case .idleAfterwards: try rest(loop)
            }
            finish()
        }
    }

    // MARK: Timers

    /// No timer is called before its time, and a sleeping loop wakes up for each.
    @MainActor
    private func waitForTimes(_ loop: FrameLoop) {
        let delays = [30_000, 7, 1_500, 10_000, 999, 30_000].map { Duration.microseconds($0) }
        let begin = ContinuousClock.now
        var called: [Duration] = []
        for delay in delays {
            loop.perform(at: begin.advanced(by: delay)) {
                if ContinuousClock.now - begin < delay { report("too early") }
                called.append(delay)
                if called.count == delays.count { loop.stop() }
            }
        }
        loop.run()
        report("\(called == delays.sorted())")
    }

    @MainActor
    private func addBadTimes(_ loop: FrameLoop) {
        let huge = Duration.seconds(Int64.max)
        let now = ContinuousClock.now
        loop.perform(after: huge) { report("huge") }
        loop.perform(at: now.advanced(by: huge)) { report("huge") }
        loop.perform(every: huge) { report("huge") }
        loop.perform(at: now.advanced(by: .zero - huge)) { report("long ago") }
        loop.perform(after: .zero - huge) { report("negative") }
        loop.perform(after: .zero) { report("zero") }
        loop.performTurn()
        report("turn ended")
        report("\(loop.performTurn(timeout: .zero - huge))")
        for interval in [Duration.zero, .seconds(-1), .nanoseconds(1)] {
            let begin = ContinuousClock.now
            let timer = loop.perform(every: interval) {
                report("\(ContinuousClock.now - begin >= .milliseconds(1))")
            }
            loop.performTurn()
            timer.cancel()
        }
    }

    /// A timer that is added in a timer does not belong to the same turn, so that it cannot starve the
    /// others.
    @MainActor
    private func addTimerInTimer(_ loop: FrameLoop) {
        func add(_ number: Int) {
            loop.perform(after: .zero) {
                report("\(number)")
                if number < 3 { add(number + 1) }
            }
        }
        add(1)
        while loop.performTurn(timeout: .zero) { report("turn ended") }
    }

    /// Those that a timer cancels.
    @MainActor private var others: [FrameLoop.Registration] = []

    @MainActor
    private func cancelTimers(_ loop: FrameLoop) {
        let now = ContinuousClock.now
        var count = 0
        let repeating = loop.perform(every: .milliseconds(1)) { count += 1 }
        let once = loop.perform(at: now) {
            for other in others { other.cancel() }
            repeating.cancel()
            report("once")
        }
        others = [
            loop.perform(at: now) { report("other") },
            loop.perform(after: .milliseconds(1)) { report("later") },
        ]
        spin(until: now.advanced(by: .milliseconds(2)))
        loop.performTurn()
        report("\(once.isActive) \(repeating.isActive), \(count) calls")
        // Of a timer within its own call.
        var own: FrameLoop.Registration?
        own = loop.perform(every: .milliseconds(1)) {
            report("own")
            own?.cancel()
        }
        loop.performTurn()
        report("\(loop.performTurn(timeout: .milliseconds(20)))")
    }

    /// A turn that comes late calls a repeating timer once, and the next call is at a later time.
    @MainActor
    private func delayTimer(_ loop: FrameLoop) {
        let interval = Duration.milliseconds(5)
        let begin = ContinuousClock.now
        var calls: [ContinuousClock.Instant] = []
        let timer = loop.perform(every: interval) { calls.append(.now) }
        let added = ContinuousClock.now
        spin(until: added.advanced(by: interval * 10))
        loop.performTurn()
        report("\(calls.count)")
        loop.performTurn()
        // The call that was late stands for ten times, so the next one is the eleventh.
        report("\(calls.count), \(calls[1] >= begin.advanced(by: interval * 11))")
        timer.cancel()
    }

    // MARK: Frames

    @MainActor
    private func requestInFrame(_ loop: FrameLoop) {
        loop.requestFrame { first in
            loop.requestFrame { second in
                let steps = (second - first) / loop.frameInterval
                report("second, \(steps >= 1 && steps == steps.rounded())")
            }
            report("first")
        }
        loop.performTurn()
        report("turn ended")
        loop.performTurn()
        report("turn ended")
    }

    /// Frames that take up to three intervals keep to the beat.
    @MainActor
    private func animate(_ loop: FrameLoop) {
        var times: [ContinuousClock.Instant] = []
        func request() {
            loop.requestFrame { time in
                let now = ContinuousClock.now
                if time > now { report("too early") }
                if let last = times.last, time - last < loop.frameInterval { report("twice") }
                times.append(time)
                if times.count == 20 { return loop.stop() }
                spin(until: now.advanced(by: loop.frameInterval * (times.count % 4) / 1.3))
                request()
            }
        }
        request()
        loop.run()
        let isSteady = times.allSatisfy { time in
            let steps = Int(((time - times[0]) / loop.frameInterval).rounded())
            return time == times[0].advanced(by: loop.frameInterval * steps)
        }
        report("\(times.count), \(isSteady)")
    }

    /// A frame of a turn whose timers take ten intervals.
    @MainActor
    private func delayFrame(_ loop: FrameLoop) {
        var end = ContinuousClock.now
        loop.requestFrame { time in report("\(end - time < loop.frameInterval && time <= .now)") }
        loop.perform(after: .zero) {
            spin(until: .now.advanced(by: loop.frameInterval * 10))
            end = .now
        }
        spin(until: .now.advanced(by: loop.frameInterval * 2))
        loop.performTurn()
    }

    @MainActor
    private func shareFrame(_ loop: FrameLoop) {
        var times: [ContinuousClock.Instant] = []
        for _ in 0..<3 { loop.requestFrame { times.append($0) } }
        // Before the frame begins, in its turn.
        loop.perform(after: loop.frameInterval) { loop.requestFrame { times.append($0) } }
        spin(until: .now.advanced(by: loop.frameInterval * 2))
        loop.performTurn()
        report("\(times.count), \(Set(times).count)")
    }

    @MainActor
    private func cancelFrame(_ loop: FrameLoop) {
        let request = loop.requestFrame { _ in report("frame") }
        request.cancel()
        report("\(loop.performTurn(timeout: loop.frameInterval * 4))")
        // In the frame itself.
        var second: FrameLoop.Registration?
        loop.requestFrame { _ in
            report("first")
            second?.cancel()
        }
        second = loop.requestFrame { _ in report("second") }
        loop.performTurn()
        report("\(loop.performTurn(timeout: loop.frameInterval * 4))")
    }

    /// Nothing wakes a loop in which everything has been called or waits for others.
    @MainActor
    private func rest(_ loop: FrameLoop) throws {
        let event = cqp_event_make()
        try loop.watch(event) { _ in _ = cqp_event_take(event) }
        cqp_event_signal(event)
        loop.perform(after: .seconds(3600)) {}
        loop.perform(after: .milliseconds(1)) {}
        loop.perform(every: .milliseconds(1)) {}.cancel()
        loop.requestFrame { _ in }
        loop.performTurn(timeout: .milliseconds(1))
        spin(until: .now.advanced(by: loop.frameInterval * 2))
        settle(loop)
        // On a busy machine a thread may also wait for memory, so the best of a few counts.
        let counts = (0..<4).map { _ in
            let begin = (time: ContinuousClock.now, sleeps: sleeps())
            let hasPerformed = loop.performTurn(timeout: .milliseconds(150))
            let end = (time: ContinuousClock.now, sleeps: sleeps())
            if hasPerformed || end.time - begin.time < .milliseconds(150) { report("early") }
            return end.sleeps - begin.sleeps
        }
        report("at most one sleep: \(counts.contains { $0 <= 1 })")
    }

    /// How often the calling thread has left a processor because it waited for something.
    private func sleeps() -> Int {
        var usage = rusage()
        getrusage(1, &usage)  // RUSAGE_THREAD, which Glibc does not show
        return usage.ru_nvcsw
    }
#endif
