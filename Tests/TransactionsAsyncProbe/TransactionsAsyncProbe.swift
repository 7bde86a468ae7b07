import Dispatch
import TransactionScenarios
import QueuePoolsTransactions

/// A scenario in a program whose main function is asynchronous: `TransactionsAsyncProbe asyncMain SCENARIO`.
@main
struct TransactionsAsyncProbe {
    static func main() async {
        startWatchdog()
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let scenario = CommonScenario(rawValue: arguments[2]) else { failUsage() }
        scenario.start(on: MainLoop(queue: .main) { work in Task { @MainActor in work() } })
        // The program ends in the scenario; until then main stays suspended, which leaves the main queue
        // free.
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
}
