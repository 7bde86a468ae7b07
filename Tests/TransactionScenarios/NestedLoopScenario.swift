import CoreFoundation
import Foundation
import QueuePoolsTransactions

/// What is tried where a run loop runs within the main run loop.
package enum NestedLoopScenario: String, CaseIterable, Sendable {
    case nestedInTimer, nestedInMainQueueBlock, nestedInBody, nestedAsleepInTimer,
        nestedAsleepInMainQueueBlock
    case nestedAsleepInBody, duringFlushOfNested, behindNested

    /// Runs it; the program ends when it is done.
    package func start(on loop: MainLoop) {
        switch self {
        case .nestedInTimer:
            performInTimer { commitAndNest(on: loop) }
        case .nestedInMainQueueBlock:
            loop.perform { commitAndNest(on: loop) }
        case .nestedInBody:
            loop.perform { nestInBody(depth: 1, on: loop) }
        case .nestedAsleepInTimer:
            performInTimer { sleepNested(on: loop) }
        case .nestedAsleepInMainQueueBlock:
            loop.perform { sleepNested(on: loop) }
        case .nestedAsleepInBody:
            loop.perform {
                Transaction(Target(), "sleep") { _ in sleepNested(on: loop) }.commit(to: loop.queue)
            }
        case .duringFlushOfNested:
            loop.perform { commitDuringNestedFlush(on: loop) }
        case .behindNested:
            loop.perform { commitBehindNested(on: loop) }
        }
    }
}

/// Has work done by a timer of the main loop.
private func performInTimer(_ work: @escaping @MainActor @Sendable () -> Void) {
    RunLoop.main.add(
        Timer(timeInterval: 0, repeats: false) { _ in MainActor.assumeIsolated(work) }, forMode: .default)
}

/// Runs the main loop until the program ends or the condition holds.
@MainActor
private func runNestedLoop(until isDone: () -> Bool) {
    // A mode with nothing in it would return at once, and the main queue does not count within its own
    // blocks.
    let idle = Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }
    RunLoop.main.add(idle, forMode: .default)
    while !isDone() { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
    idle.invalidate()
}

@MainActor private var depthReached = 0

/// Leaves the nested loop, which takes a wake-up: an observer alone does not make it return.
@MainActor
private func reach(depth: Int) {
    depthReached = depth
    CFRunLoopStop(CFRunLoopGetMain())
}

@MainActor
private func commitAndNest(on loop: MainLoop) {
    Transaction(Target(), "a") { _ in
        report("flush")
        reach(depth: 1)
    }.commit(to: loop.queue)
    report("enter")
    runNestedLoop { depthReached == 1 }
    report("leave")
    finish()
}

@MainActor
private func nestInBody(depth: Int, on loop: MainLoop) {
    Transaction(Target(), "a") { _ in
        report("enter \(depth)")
        if depth < 5 {
            nestInBody(depth: depth + 1, on: loop)
            runNestedLoop { depthReached > depth }
        }
        report("leave \(depth)")
        reach(depth: max(depth, depthReached))
        if depth == 1 { finish() }
    }.commit(to: loop.queue)
}

@MainActor
private func sleepNested(on loop: MainLoop) {
    Thread.detachNewThread { reportBestLatency(on: loop.queue) }
    runNestedLoop { false }
}

/// Within a block of the main queue the loop does not serve that queue: the next flush must come without it.
@MainActor
private func commitDuringNestedFlush(on loop: MainLoop) {
    Transaction(Target(), "a") { _ in
        report("a")
        Transaction(Target(), "b") { _ in
            report("b")
            reach(depth: 1)
        }.commit(to: loop.queue)
    }.commit(to: loop.queue)
    runNestedLoop { depthReached == 1 }
    report("leave")
    finish()
}

/// Two transactions of a turn run a loop each, in which nothing is committed, until the last one has run.
@MainActor
private func commitBehindNested(on loop: MainLoop) {
    for name in ["a", "b"] {
        Transaction(Target(), "nest") { _ in
            report("enter \(name)")
            runNestedLoop { depthReached == 2 }
            report("leave \(name)")
            reach(depth: 2)
            if name == "a" { finish() }
        }.commit(to: loop.queue)
    }
    Transaction(Target(), "c") { _ in
        report("c")
        reach(depth: 2)
    }.commit(to: loop.queue)
}
