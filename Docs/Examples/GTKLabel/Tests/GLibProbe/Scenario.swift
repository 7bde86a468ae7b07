import AsyncLayers
import CGTK4
import CairoRendering
import Dispatch
import Foundation
import MainLoopBridges
import QueuePoolsTransactions

/// What is tried under GLib's main loop.
enum Scenario: String {
    case hops, idle, endOfTurn, otherThread, coalescing, layer, storm
    case nestedInSource, nestedInBlock, nestedInTransaction, behind, invalidated, invalidatedInTransaction

    /// Runs it; the program ends when it is done.
    @MainActor
    func start(under source: GLibMainLoopSource) {
        switch self {
        case .hops: Thread.detachNewThread { hop() }
        case .idle: Thread.detachNewThread { rest() }
        case .endOfTurn: invoke { commitAmongOthers() }
        case .otherThread: Thread.detachNewThread { commitFromOtherThread() }
        case .coalescing: invoke { commitTwice() }
        case .layer: display()
        case .storm: weather()
        case .nestedInSource: invoke { nest(servesMainQueue: true) }
        case .nestedInBlock: DispatchQueue.main.async { nest(servesMainQueue: false) }
        case .nestedInTransaction:
            Transaction(Target(), "nest") { _ in nest(servesMainQueue: true) }.commit()
        case .behind: nestBeforeOthers()
        case .invalidated: invalidate(source)
        case .invalidatedInTransaction: invalidateInTransaction(source)
        }
    }
}

/// Something to commit transactions for.
final class Target: Sendable {}

/// Sends a block to the main queue and waits until it has run there.
private func sendBlock() {
    let ran = DispatchSemaphore(value: 0)
    DispatchQueue.main.async {
        MainActor.preconditionIsolated()
        ran.signal()
    }
    ran.wait()
}

/// Runs something on the main actor from a task elsewhere, and waits for it.
private func callMainActor() {
    let ran = DispatchSemaphore(value: 0)
    Task.detached {
        await MainActor.run { MainActor.preconditionIsolated() }
        ran.signal()
    }
    ran.wait()
}

/// Reports whether the loop has woken up more often than it had work, at best: of a block that
/// comes at the very end of a turn libdispatch may tell twice.
private func hop() {
    sendBlock()
    var best = Int.max
    for _ in 0..<3 {
        let before = SleepCounter.count
        for _ in 0..<20 { sendBlock() }
        for _ in 0..<20 { callMainActor() }
        best = min(best, SleepCounter.count - before)
    }
    report("120 hops")
    report(best <= 40 ? "no more wake-ups" : "\(best) wake-ups for 40")
    finish()
}

/// Reports how often the loop wakes up in a second in which nothing happens.
private func rest() {
    sendBlock()
    callMainActor()
    // The turn of that call may not be over yet. A loop that polls is never at rest.
    var before = SleepCounter.count
    for _ in 0..<20 {
        Thread.sleep(forTimeInterval: 0.05)
        let now = SleepCounter.count
        defer { before = now }
        if now == before { break }
    }
    Thread.sleep(forTimeInterval: 1)
    report("\(SleepCounter.count - before)")
    finish()
}

/// The flush comes behind all events, and before GTK would redraw.
@MainActor
private func commitAmongOthers() {
    invoke(priority: GLibMainLoopSource.servingPriority + 1) { report("after redrawing") }
    invoke(priority: G_PRIORITY_DEFAULT_IDLE) {
        report("idle")
        finish()
    }
    Transaction(Target(), "a") { _ in report("flush") }.commit()
    DispatchQueue.main.async {
        report("block")
        Transaction(Target(), "b") { _ in report("flush of the block's") }.commit()
    }
    invoke(priority: GLibMainLoopSource.flushingPriority - 1) { report("other event") }
    report("event")
}

/// Reports the microseconds, at best, from a commit to its run.
private func commitFromOtherThread() {
    var best = Duration.seconds(60)
    for _ in 0..<5 {
        // Lets the loop fall asleep; should it be awake still, it would just be quicker.
        Thread.sleep(forTimeInterval: 0.05)
        let ran = DispatchSemaphore(value: 0)
        let begin = ContinuousClock.now
        Transaction(Target(), "a") { _ in ran.signal() }.commit()
        ran.wait()
        best = min(best, ContinuousClock.now - begin)
    }
    report("\(best / .microseconds(1))")
    finish()
}

/// Two threads commit the same while the loop is busy.
@MainActor
private func commitTwice() {
    let target = Target()
    let committed = DispatchGroup()
    for name in ["a", "b"] {
        DispatchQueue(label: name).async(group: committed) {
            Transaction(target, "a") { _ in report("run") }.commit()
        }
    }
    committed.wait()
    report("turn")
    invoke(priority: G_PRIORITY_LOW) { finish() }
}

/// A text is laid out and drawn on the pool and shown though nothing else wakes the loop.
@MainActor
private func display() {
    let label = TextLabel(RichText("Drawn under GLib"))
    label.layer.size = Size(width: 200, height: 30)
    label.layer.onContentsChange = { [unowned label] _ in
        let layer = label.layer
        report("\(layer.contents?.pixelWidth ?? 0) pixels wide")
        if layer.contentsScale == 2 { finish() }
        layer.contentsScale = 2
        layer.setNeedsDisplay()
    }
    label.layer.setNeedsDisplay()
    shown = label
}

/// Keeps the label.
@MainActor private var shown: TextLabel?

/// A block that enqueues itself forever, a task that yields forever, and a transaction that commits itself
/// forever let events, redrawing and new blocks happen.
@MainActor
private func weather() {
    @Sendable func again() { DispatchQueue.main.async { again() } }
    again()
    Task { @MainActor in while true { await Task.yield() } }
    let target = Target()
    @Sendable func commitAgain() { Transaction(target, "again") { _ in commitAgain() }.commit() }
    commitAgain()
    Thread.detachNewThread {
        for priority in [G_PRIORITY_DEFAULT, GDK_PRIORITY_REDRAW] {
            for _ in 0..<50 {
                let handled = DispatchSemaphore(value: 0)
                invoke(priority: priority) { handled.signal() }
                handled.wait()
                let ran = DispatchSemaphore(value: 0)
                DispatchQueue.main.async { ran.signal() }
                ran.wait()
            }
            report("50 at \(priority)")
        }
        finish()
    }
}

/// Ends the nested loop.
@MainActor private var isDone = false

/// What wakes the nested loop from another thread is done there, each when the loop sleeps; only blocks
/// have to wait while another block of the main queue runs.
@MainActor
private func nest(servesMainQueue: Bool) {
    Thread.detachNewThread {
        let handled = DispatchSemaphore(value: 0)
        invoke {
            report("event")
            handled.signal()
        }
        handled.wait()
        let ran = DispatchSemaphore(value: 0)
        DispatchQueue.main.async {
            report("block")
            ran.signal()
        }
        if servesMainQueue { ran.wait() }
        Transaction(Target(), "a") { _ in
            report("flush")
            isDone = true
        }.commit()
    }
    report("enter")
    runNestedLoop { isDone }
    report("leave")
    DispatchQueue.main.async {
        report("last block")
        finish()
    }
}

/// What is behind a transaction in its turn runs in the loop that this one runs.
@MainActor
private func nestBeforeOthers() {
    Transaction(Target(), "a") { _ in
        report("enter")
        runNestedLoop { isDone }
        report("leave")
        finish()
    }.commit()
    Transaction(Target(), "b") { _ in
        report("behind")
        isDone = true
    }.commit()
}

/// Without its source GLib's loop serves the main queue no longer; with another one it does again.
@MainActor
private func invalidate(_ source: GLibMainLoopSource) {
    source.invalidate()
    DispatchQueue.main.async { report("block") }
    invoke(priority: G_PRIORITY_LOW) {
        report("nothing served")
        do {
            try GLibMainLoopSource()
        } catch {
            report("\(error)")
        }
        DispatchQueue.main.async { finish() }
    }
}

/// Reports how many descriptors fewer the loop waits for when a transaction has taken the source out.
@MainActor
private func invalidateInTransaction(_ source: GLibMainLoopSource) {
    Transaction(Target(), "a") { _ in
        let before = polledDescriptors().count
        source.invalidate()
        invoke(priority: G_PRIORITY_LOW) {
            report("\(before - polledDescriptors().count) fewer")
            finish()
        }
    }.commit()
}
