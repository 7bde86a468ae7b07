import CoreFoundation
import Dispatch
import Foundation
import QueuePoolsTransactions

/// What is tried on the main thread where a run loop begins, ends or changes its mode: the scenario runs the
/// loop.
package enum TurnScenario: String, CaseIterable, Sendable {
    case endOfTurn, beforeFirstRun, exit, exitThenRun, exitThenMainQueue, beforeMainQueue,
        mainQueueFromCallout
    case privateMode, privateModeAsleep, laterCommonMode, twoQueues, flushedByHand

    /// Runs it; the program ends when it is done.
    @MainActor
    package func run() -> Never {
        switch self {
        case .endOfTurn: endTurn()
        case .beforeFirstRun:
            commit("a", thenFinish: true)
            CFRunLoopRun()
        case .exit:
            leaveLoopAfterCommit()
        case .exitThenRun:
            leaveLoopAfterCommit()
            commit("b", thenFinish: true)
            CFRunLoopRun()
        case .exitThenMainQueue:
            leaveLoopAfterCommit()
            commit("b", thenFinish: true)
            dispatchMain()
        case .beforeMainQueue:
            commit("a", thenFinish: true)
            dispatchMain()
        case .mainQueueFromCallout:
            inTimer(mode: .default) { dispatchMain() }
            commit("a", thenFinish: false) { commit("b", thenFinish: true) }
            CFRunLoopRun()
        case .privateMode: commitInPrivateMode()
        case .privateModeAsleep: commitWhileAsleepInPrivateMode()
        case .laterCommonMode: commitInLaterCommonMode()
        case .twoQueues: commitToTwoQueues()
        case .flushedByHand: flushByHand()
        }
        report("loop returned")
        finish()
    }
}

@MainActor
private func commit(_ name: String, thenFinish: Bool, then: @escaping @MainActor @Sendable () -> Void = {}) {
    Transaction(Target(), "a") { _ in
        report(name)
        if thenFinish { finish() }
        then()
    }.commit()
}

private func inTimer(mode: RunLoop.Mode, _ work: @escaping @MainActor @Sendable () -> Void) {
    RunLoop.main.add(
        Timer(timeInterval: 0, repeats: false) { _ in MainActor.assumeIsolated(work) }, forMode: mode)
}

/// All that the loop has to do in this turn comes first, whatever the order in which it was asked for.
@MainActor
private func endTurn() -> Never {
    let due = Date(timeIntervalSinceNow: 0.01)
    RunLoop.main.add(
        Timer(fire: due, interval: 0, repeats: false) { _ in
            MainActor.assumeIsolated {
                commit("flush", thenFinish: true)
                DispatchQueue.main.async { report("main queue") }
                RunLoop.main.perform { report("performed") }
                addObserver()
                addSignalledSource()
                // So that the other timer is due when this one returns.
                while Date() <= due.addingTimeInterval(0.01) {}
                report("timer")
            }
        }, forMode: .common)
    RunLoop.main.add(
        Timer(fire: due.addingTimeInterval(0.001), interval: 0, repeats: false) { _ in report("other timer")
        },
        forMode: .common)
    while Date() <= due.addingTimeInterval(0.01) {}
    CFRunLoopRun()
    finish()
}

/// As late as Core Animation's.
private func addObserver() {
    let observer = CFRunLoopObserverCreateWithHandler(
        nil, CFRunLoopActivity.beforeWaiting.rawValue, false, 2_000_000
    ) { _, _ in report("observer") }
    CFRunLoopAddObserver(CFRunLoopGetMain(), observer, kCFRunLoopCommonModes)
}

private func addSignalledSource() {
    var context = CFRunLoopSourceContext()
    context.perform = { _ in report("source") }
    let source = CFRunLoopSourceCreate(nil, 0, &context)
    CFRunLoopAddSource(CFRunLoopGetMain(), source, kCFRunLoopCommonModes)
    CFRunLoopSourceSignal(source)
}

/// The loop is stopped in the turn of the commit, so it never gets to sleep.
@MainActor
private func leaveLoopAfterCommit() {
    inTimer(mode: .default) {
        commit("a", thenFinish: false)
        CFRunLoopStop(CFRunLoopGetMain())
    }
    CFRunLoopRun()
    report("returned")
}

private let privateMode = RunLoop.Mode("private")

@MainActor
private func commitInPrivateMode() {
    inTimer(mode: privateMode) { commit("a", thenFinish: true) }
    _ = RunLoop.main.run(mode: privateMode, before: .distantFuture)
    report("private mode ended")
    CFRunLoopRun()
}

/// Another thread commits while the loop sleeps in a mode that knows nothing of us.
@MainActor
private func commitWhileAsleepInPrivateMode() {
    let end = Timer(timeInterval: 0.2, repeats: false) { _ in CFRunLoopStop(CFRunLoopGetMain()) }
    RunLoop.main.add(end, forMode: privateMode)
    Thread.detachNewThread {
        Transaction(Target(), "a") { _ in
            report("a")
            finish()
        }.commit()
    }
    while end.isValid { _ = RunLoop.main.run(mode: privateMode, before: .distantFuture) }
    report("private mode ended")
    _ = RunLoop.main.run(mode: .default, before: .distantFuture)
}

@MainActor
private func commitInLaterCommonMode() {
    commit("a", thenFinish: true)
    inTimer(mode: privateMode) { report("timer") }
    CFRunLoopAddCommonMode(
        CFRunLoopGetMain(),
        CFStringCreateWithCString(nil, privateMode.rawValue, CFStringBuiltInEncodings.UTF8.rawValue))
    _ = RunLoop.main.run(mode: privateMode, before: .distantFuture)
    report("private mode ended")
}

/// One queue's transaction runs the loop until the other's has run.
@MainActor
private func commitToTwoQueues() {
    let driver = MainLoopTurnDriver()
    let second = TransactionQueue(driver: driver)
    Transaction(Target(), "a") { _ in
        report("enter")
        CFRunLoopRun()
        report("leave")
        finish()
    }.commit(to: TransactionQueue(driver: driver))
    Transaction(Target(), "b") { _ in
        report("other queue")
        CFRunLoopStop(CFRunLoopGetMain())
    }.commit(to: second)
    CFRunLoopRun()
}

/// A program that flushes by itself, and never runs the loop, gathers nothing.
@MainActor
private func flushByHand() {
    let target = Target()
    func flush(times: Int) {
        for _ in 0..<times {
            Transaction(target, "a") { _ in }.commit()
            TransactionQueue.main.flush()
        }
    }
    flush(times: 1_000)
    let pages = residentPages()
    flush(times: 50_000)
    report(residentPages() - pages < 2_000 ? "gathers nothing" : "gathers \(residentPages() - pages) pages")
    commit("a", thenFinish: false)
    _ = RunLoop.main.run(mode: .default, before: .distantFuture)
    finish()
}
