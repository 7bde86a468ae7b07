#if os(Linux)
    import CQueuePoolsEvents
    import Dispatch
    import Foundation
    import MainLoopBridges
    import QueuePoolsTransactions
    import TransactionScenarios

    /// Scenarios of runs and turns of a frame loop.
    enum FrameLoopScenario: String {
        case orderInTurn, transactions, badRates, stopBefore, stopWithin, stopFromThread, stopBySignal
        case stopByDescriptor, stopEndsWait, runWithinTimer, runWithinWatch, runWithinBlock, runWithinFrame
        case runWithinTransaction, runAfterInvalidate, invalidateWithin, invalidateWithinFrame

        /// Runs it; the program ends when it is done.
        @MainActor
        func run() throws -> Never {
            switch self {
            case .orderInTurn: try reportOrder()
            case .transactions: try commitInClosures()
            case .badRates: makeWithBadRates()
            case .stopBefore: try stopBeforeRun()
            case .stopWithin: try stopAmongOthers()
            case .stopFromThread: try stopFromThreads()
            case .stopBySignal: try stopOnSignal()
            case .stopByDescriptor: try stopOnDescriptor()
            case .stopEndsWait: try stopWait()
            case .runWithinTimer: try runWithin { loop, run in loop.perform(after: .zero, onTime: run) }
            case .runWithinWatch:
                try runWithin { loop, run in try loop.watch(signalledEvent()) { _ in run() } }
            case .runWithinBlock: try runWithin { _, run in Task { run() } }
            case .runWithinFrame: try runWithin { loop, run in loop.requestFrame { _ in run() } }
            case .runWithinTransaction:
                try runWithin { _, run in Transaction(Target(), "run") { _ in run() }.commit() }
            case .runAfterInvalidate:
                let loop = try FrameLoop()
                loop.invalidate()
                reportTraps()
                loop.run()
            case .invalidateWithin: try invalidateInTimer()
            case .invalidateWithinFrame: try invalidateInFrame()
            }
            finish()
        }
    }

    /// A descriptor that is readable until its event is taken.
    func signalledEvent() -> Int32 {
        let event = cqp_event_make()
        cqp_event_signal(event)
        return event
    }

    /// Keeps the processor busy, so that a time has passed whatever else the machine does.
    func spin(until time: ContinuousClock.Instant) {
        while ContinuousClock.now < time {}
    }

    /// Performs turns until nothing is left to be done at the moment.
    @MainActor
    func settle(_ loop: FrameLoop) {
        while loop.performTurn(timeout: .zero) {}
    }

    /// All that a turn can call is due in one turn.
    @MainActor
    private func reportOrder() throws {
        let loop = try FrameLoop(framesPerSecond: 1000)
        settle(loop)
        loop.requestFrame { _ in report("frame") }
        DispatchQueue.main.async { report("block") }
        let event = signalledEvent()
        try loop.watch(event) { _ in
            report("descriptor")
            _ = cqp_event_take(event)
        }
        Transaction(Target(), "a") { _ in report("transaction") }.commit()
        let now = ContinuousClock.now
        for offset in [2, 1, 3] {
            loop.perform(at: now.advanced(by: .nanoseconds(offset))) { report("timer \(offset)") }
        }
        spin(until: now.advanced(by: loop.frameInterval * 2))
        loop.performTurn()
        report("turn ended")
        settle(loop)
    }

    /// Each kind of closure commits in a turn of its own.
    @MainActor
    private func commitInClosures() throws {
        let loop = try FrameLoop(framesPerSecond: 1000)
        settle(loop)
        let target = Target()
        let commit = { (name: String) in
            report(name)
            Transaction(target, "a") { _ in report("transaction") }.commit()
        }
        let endTurn = {
            loop.performTurn()
            report("turn ended")
            settle(loop)
        }
        loop.perform(after: .zero) { commit("timer") }
        endTurn()
        let event = signalledEvent()
        try loop.watch(event) { _ in
            _ = cqp_event_take(event)
            commit("descriptor")
        }
        endTurn()
        loop.requestFrame { _ in commit("frame") }
        endTurn()
        DispatchQueue.main.async { MainActor.assumeIsolated { commit("block") } }
        endTurn()
    }

    @MainActor
    private func makeWithBadRates() {
        for rate in [0, -60, 0.99, 1000.1, .infinity, .nan] {
            reportError { _ = try FrameLoop(framesPerSecond: rate) }
        }
        // A loop that could not be made must not stay behind.
        reportError { _ = try FrameLoop(framesPerSecond: 1000) }
        reportError {
            let loop = try FrameLoop(framesPerSecond: 1)
            defer { withExtendedLifetime(loop) {} }
            _ = try FrameLoop()
        }
    }

    @MainActor
    private func stopBeforeRun() throws {
        let loop = try FrameLoop()
        loop.perform(after: .zero) { report("timer") }
        loop.stop()
        loop.stop()
        loop.run()
        report("ended")
        loop.perform(after: .zero) { loop.stop() }
        loop.run()
        report("ended")
    }

    /// What is due when the first closure of a turn stops the loop is called before the run ends.
    @MainActor
    private func stopAmongOthers() throws {
        let loop = try FrameLoop(framesPerSecond: 1000)
        settle(loop)
        let event = signalledEvent()
        loop.requestFrame { _ in report("frame") }
        let now = ContinuousClock.now
        loop.perform(at: now) {
            loop.stop()
            report("stop")
            loop.perform(after: .zero) { report("next turn") }
            Transaction(Target(), "a") { _ in report("transaction") }.commit()
        }
        loop.perform(at: now) { report("timer") }
        try loop.watch(event) { _ in
            _ = cqp_event_take(event)
            report("descriptor")
        }
        DispatchQueue.main.async { report("block") }
        spin(until: now.advanced(by: loop.frameInterval * 2))
        loop.run()
        report("ended")
        settle(loop)
    }

    /// Stops that come before the run, while it begins and while it sleeps, all end it.
    @MainActor
    private func stopFromThreads() throws {
        let loop = try FrameLoop()
        for _ in 0..<500 {
            let stopped = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                loop.stop()
                stopped.signal()
            }
            loop.run()
            stopped.wait()
        }
        report("500 runs")
    }

    @MainActor
    private func stopOnSignal() throws {
        let loop = try FrameLoop()
        signal(SIGTERM, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .main)
        source.setEventHandler {
            report("signal")
            loop.stop()
        }
        // The source must be there before the signal is.
        source.setRegistrationHandler { kill(getpid(), SIGTERM) }
        source.resume()
        loop.run()
        report("ended")
        withExtendedLifetime(source) {}
    }

    @MainActor
    private func stopOnDescriptor() throws {
        let loop = try FrameLoop()
        let event = cqp_event_make()
        try loop.watch(event) { _ in
            report("descriptor")
            loop.stop()
        }
        Thread.detachNewThread { cqp_event_signal(event) }
        loop.run()
        report("ended")
    }

    /// A stop ends the wait of a turn that the program performs by itself, and only one.
    @MainActor
    private func stopWait() throws {
        let loop = try FrameLoop()
        settle(loop)
        Thread.detachNewThread { loop.stop() }
        report("\(loop.performTurn())")
        report("\(loop.performTurn(timeout: .milliseconds(50)))")
    }

    /// Runs the loop in a closure that it calls.
    @MainActor
    private func runWithin(
        _ enqueue: @MainActor (FrameLoop, @escaping @MainActor @Sendable () -> Void) throws -> Void
    ) throws {
        let loop = try FrameLoop()
        try enqueue(loop) {
            reportTraps()
            loop.run()
        }
        loop.run()
    }

    /// A loop that is invalidated in a turn calls nothing more, releases its closures, and another can be
    /// made.
    @MainActor
    private func invalidateInTimer() throws {
        let loop = try FrameLoop()
        settle(loop)
        do {
            let target = Target { report("released") }
            let event = signalledEvent()
            let now = ContinuousClock.now
            loop.perform(at: now) {
                report("invalidate")
                loop.invalidate()
                loop.invalidate()
                reportError { _ = try FrameLoop() }
                // Registrations that are added now are not kept.
                let added = [
                    loop.perform(at: now) { report("timer") },
                    loop.perform(every: .seconds(1)) { report("timer") },
                    loop.requestFrame { _ in report("frame") },
                    try? loop.watch(event) { _ in report("descriptor") },
                ]
                report("\(added.count { $0?.isActive == true }) active")
            }
            loop.perform(at: now) { [target] in report("timer \(target)") }
            loop.perform(every: .seconds(1)) { [target] in report("timer \(target)") }
            try loop.watch(event) { [target] _ in report("descriptor \(target)") }
            loop.requestFrame { [target] _ in report("frame \(target)") }
        }
        loop.run()
        report("ended")
    }

    @MainActor
    private func invalidateInFrame() throws {
        let loop = try FrameLoop(framesPerSecond: 1000)
        loop.requestFrame { _ in
            report("invalidate")
            loop.invalidate()
        }
        let request = loop.requestFrame { _ in report("frame") }
        loop.run()
        report("ended, \(request.isActive)")
    }

    /// Has a failed precondition end the program with a line for the test, and without a core.
    private func reportTraps() {
        for number in [SIGILL, SIGTRAP] {
            signal(number) { _ in
                write(STDOUT_FILENO, "trap\n", 5)
                _exit(0)
            }
        }
    }
#endif
