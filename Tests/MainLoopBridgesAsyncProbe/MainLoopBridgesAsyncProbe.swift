#if os(Linux)
    import Dispatch
    import Foundation
    import MainLoopBridges
    import TransactionScenarios
    import QueuePoolsTransactions

    /// A bridge in a program whose main function is asynchronous:
    /// `MainLoopBridgesAsyncProbe asyncMain SCENARIO`.
    @main
    struct MainLoopBridgesAsyncProbe {
        private enum Scenario: String {
            case loopBeforeSuspension, invalidatedBeforeSuspension, madeAfterSuspension
            case drainAfterSuspension, endTurnAfterSuspension, wakerTurnAfterSuspension
        }

        @MainActor
        static func main() async throws {
            startWatchdog()
            let arguments = CommandLine.arguments
            guard arguments.count == 3, let scenario = Scenario(rawValue: arguments[2]) else { failUsage() }
            switch scenario {
            case .loopBeforeSuspension:
                try runLoop()
            case .invalidatedBeforeSuspension:
                let source = try MainQueueSource()
                let target = Target()
                Transaction(target, "flush") { _ in report("flush") }.commit()
                source.invalidate()
                await suspend()
            case .madeAfterSuspension:
                await suspend()
                do {
                    _ = try MainQueueSource()
                    report("no error")
                } catch {
                    report("\(error.code)")
                }
            case .drainAfterSuspension, .endTurnAfterSuspension:
                let source = try MainQueueSource()
                await suspend()
                reportTrap()
                if scenario == .drainAfterSuspension { source.drain() } else { source.endTurn() }
                report("a turn")
            case .wakerTurnAfterSuspension:
                let waker = try MainLoopWaker {}
                await suspend()
                reportTrap()
                waker.performTurn()
                report("a turn")
            }
            finish()
        }

        /// Returns on a thread of Dispatch's.
        private static func suspend() async {
            await withUnsafeContinuation { continuation in
                DispatchQueue.main.async { continuation.resume() }
            }
        }

        @MainActor private static var count = 0

        /// Runs a loop until a block, a task of the main actor and a transaction have run.
        @MainActor
        private static func runLoop() throws {
            let source = try MainQueueSource()
            let target = Target()
            DispatchQueue.global().async {
                DispatchQueue.main.async {
                    report("block")
                    count += 1
                    Task { @MainActor in
                        report("task")
                        count += 1
                        Transaction(target, "flush") { _ in
                            report("flush")
                            count += 1
                        }.commit()
                    }
                }
            }
            while count < 3 {
                var wait = pollfd(fd: source.descriptor, events: Int16(POLLIN), revents: 0)
                poll(&wait, 1, -1)
                source.performTurn()
            }
        }

        /// Has a failed precondition end the program with a line for the test, and without a core.
        private static func reportTrap() {
            for number in [SIGILL, SIGTRAP] {
                signal(number) { _ in
                    write(STDOUT_FILENO, "trap\n", 5)
                    _exit(0)
                }
            }
        }
    }
#endif
