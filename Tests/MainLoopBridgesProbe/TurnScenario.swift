#if os(Linux)
    import AsyncLayers
    import BitmapRendering
    import CoreFoundation
    import Dispatch
    import Foundation
    import Synchronization
    import TransactionScenarios
    import QueuePoolsTransactions

    /// What is tried with the end of the loop's turn.
    enum TurnScenario: String {
        case endOfTurn, coalescing, committedBefore, layer, runLoopWithin, invalidated

        /// Runs it; the program ends when it is done.
        @MainActor
        func start(on loop: ProbeLoop) {
            switch self {
            case .endOfTurn: commitAmongOthers(on: loop)
            case .coalescing: commitTwice(on: loop)
            case .committedBefore:
                // Only the commit wakes the loop that is going to run.
                Transaction(Target(), "a") { _ in
                    report("a")
                    finish()
                }.commit()
            case .layer: display(on: loop)
            case .runLoopWithin: loop.post { runRunLoop(within: loop) }
            case .invalidated: leaveLoop(loop)
            }
        }
    }

    /// An event, another event and a block of the main queue come before the flush, all in one turn.
    @MainActor
    private func commitAmongOthers(on loop: ProbeLoop) {
        let turn = { loop.wakeUps.load(ordering: .relaxed) }
        loop.post {
            let first = turn()
            Transaction(Target(), "a") { _ in
                report(turn() == first ? "flush" : "flush in another turn")
                finish()
            }.commit()
            DispatchQueue.main.async { report("block") }
            report("event")
        }
        loop.post { report("other event") }
    }

    /// Two threads commit the same while the loop is in a turn.
    @MainActor
    private func commitTwice(on loop: ProbeLoop) {
        let target = Target()
        loop.post {
            let committed = DispatchGroup()
            for name in ["a", "b"] {
                DispatchQueue(label: name).async(group: committed) {
                    Transaction(target, "a") { _ in report("run") }.commit()
                }
            }
            committed.wait()
            report("turn")
            // Behind this turn's flush, and another one.
            loop.post { loop.post { finish() } }
        }
    }

    /// A layer's picture is drawn on the pool and shown though nothing else wakes the loop; so is the one
    /// that the first asks for when it is shown.
    @MainActor
    private func display(on loop: ProbeLoop) {
        let layer = AsyncLayer(renderer: BitmapRenderer())
        layer.size = Size(width: 20, height: 20)
        let delegate = LayerDelegate(layer: layer)
        layer.delegate = delegate
        shown = delegate
        layer.setNeedsDisplay()
    }

    /// Keeps the layer on show.
    @MainActor private var shown: LayerDelegate?

    @MainActor
    private final class LayerDelegate: AsyncLayerDelegate {
        private let layer: AsyncLayer<BitmapRenderer>
        private var pictures = 0

        init(layer: AsyncLayer<BitmapRenderer>) { self.layer = layer }

        func displayTask(for layer: AsyncLayer<BitmapRenderer>) -> DisplayTask<BitmapRenderer>? {
            DisplayTask(onEnd: { self.hasDisplayed($0) }) { context, scope in
                context.fill(scope.bounds, with: .color(.black))
            }
        }

        private func hasDisplayed(_ outcome: DisplayOutcome) {
            report("\(outcome)")
            pictures += 1
            if pictures == 2 { finish() }
            layer.setNeedsDisplay()
        }
    }

    /// A Foundation run loop within a turn serves the main queue; afterwards the bridge does again.
    @MainActor
    private func runRunLoop(within loop: ProbeLoop) {
        DispatchQueue.main.async {
            report("block in the run loop")
            CFRunLoopStop(CFRunLoopGetMain())
        }
        CFRunLoopRunInMode(kCFRunLoopDefaultMode, 30, false)
        report("run loop ended")
        Thread.detachNewThread {
            DispatchQueue.main.async {
                report("block in the probe's loop")
                finish()
            }
        }
    }

    /// What is pending when the loop is left goes to the main run loop, and so does what comes later. A new
    /// loop takes over again.
    @MainActor
    private func leaveLoop(_ loop: ProbeLoop) {
        loop.post {
            Transaction(Target(), "a") { _ in
                report("a in the run loop")
                CFRunLoopStop(CFRunLoopGetMain())
            }.commit()
            loop.invalidate()
            CFRunLoopRunInMode(kCFRunLoopDefaultMode, 30, false)

            Transaction(Target(), "b") { _ in
                report("b in the run loop")
                CFRunLoopStop(CFRunLoopGetMain())
            }.commit()
            CFRunLoopRunInMode(kCFRunLoopDefaultMode, 30, false)

            Transaction(Target(), "c") { _ in
                report("c in the new loop")
                finish()
            }.commit()
            guard let next = try? ProbeLoop(.descriptors) else { fatalError("no new loop") }
            next.run { false }
        }
    }
#endif
