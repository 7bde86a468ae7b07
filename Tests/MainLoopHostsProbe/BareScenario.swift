#if os(Linux)
    import Dispatch
    import Foundation
    import MainLoopHosts
    import TransactionScenarios

    /// What is tried without a loop.
    enum BareScenario: String {
        case secondHost, notOnMainThread, noGLib, isPolling, silentAfterInvalidation

        /// Runs it; the program ends when it is done.
        @MainActor
        func run() -> Never {
            switch self {
            case .secondHost:
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
                reportError { try GLibMainLoopSource.attach() }
                // What was made on the way must not stay behind.
                reportError { _ = try MainQueueSource() }
            case .isPolling:
                for polling in [false, true] {
                    let source = try? MainQueueSource(polling: polling)
                    report("\(source?.isPolling, default: "none")")
                }
            case .silentAfterInvalidation:
                wakeAndInvalidate()
            }
            finish()
        }
    }

    private func reportError(_ body: () throws -> Void) {
        do {
            try body()
            report("no error")
        } catch let error as MainLoopHostError {
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
#endif
