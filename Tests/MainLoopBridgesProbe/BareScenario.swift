#if os(Linux)
    import Dispatch
    import Foundation
    import MainLoopBridges
    import TransactionScenarios
    import QueuePoolsTransactions

    /// What is tried without a loop.
    enum BareScenario: String {
        case secondBridge, notOnMainThread, noGLib, isPolling, silentAfterInvalidation, committedBeforeBridge

        /// Runs it; the program ends when it is done.
        @MainActor
        func run() -> Never {
            switch self {
            case .secondBridge:
                let first = try? MainQueueSource()
                reportError { _ = try MainQueueSource() }
                first?.invalidate()
                reportError { _ = try MainLoopWaker(wake: {}) }
            case .notOnMainThread:
                DispatchQueue.main.async {
                    reportError { _ = try MainQueueSource() }
                    finish()
                }
                dispatchMain()
            case .noGLib:
                reportError { try GLibMainLoopSource() }
                // What it had made by then must not stay behind.
                reportError { _ = try MainQueueSource() }
            case .isPolling:
                for polling in [false, true] {
                    let source = try? MainQueueSource(polling: polling)
                    report("\(source?.isPolling, default: "none")")
                }
            case .silentAfterInvalidation:
                wakeAndInvalidate()
            case .committedBeforeBridge:
                commitBeforeBridge()
            }
            finish()
        }
    }

    /// Reports the kind of error that a closure throws.
    @MainActor
    func reportError(_ body: @MainActor () throws -> Void) {
        do {
            try body()
            report("no error")
        } catch let error as MainLoopBridgeError {
            report("\(error.code)")
        } catch {
            report("\(error)")
        }
    }

    /// A waker that was invalidated has no thread left, and releases what its closure holds.
    @MainActor
    private func wakeAndInvalidate() {
        let woken = DispatchSemaphore(value: 0)
        var waker: MainLoopWaker?
        do {
            let target = Target { report("released") }
            waker = try? MainLoopWaker { [target] in
                _ = target
                woken.signal()
            }
        }
        DispatchQueue.main.async { report("block") }
        woken.wait()
        report("woken")
        waker?.performTurn()
        waker?.invalidate()
        report("invalidated")
        withExtendedLifetime(waker) {}
    }

    /// Turns that are opened after a commit, by a loop that does not serve the main queue, flush it.
    @MainActor
    private func commitBeforeBridge() {
        let target = Target()
        Transaction(target, "a") { _ in report("a") }.commit()
        let turns = ManualTurns { report("woken") }
        Transaction(target, "b") { _ in report("b") }.commit()
        turns?.endTurn()
        report("turn ended")
        Transaction(target, "c") { _ in report("c") }.commit()
        turns?.endTurn()
    }
#endif
