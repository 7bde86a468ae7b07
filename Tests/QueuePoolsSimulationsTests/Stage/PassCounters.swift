import AsyncLayers
import QueuePoolsLocks

/// Watches that each pass that begins ends, once. *Thread-safe.*
final class PassCounters: DisplayMetricsHandler {
    private let state = Lock((open: Set<UInt64>(), begun: UInt64(0), mistakes: [String]()))

    @MainActor
    func passBegan(_ pass: UInt64) {
        state.withLock { state in
            state.begun += 1
            if pass != state.begun { state.mistakes.append("pass \(state.begun) is called \(pass)") }
            state.open.insert(pass)
        }
    }

    @MainActor
    func passEnded(_ report: DisplayReport) {
        state.withLock { state in
            if state.open.remove(report.pass) == nil {
                state.mistakes.append("pass \(report.pass) ends twice, or never began")
            }
        }
    }

    var openCount: Int { state.withLock { $0.open.count } }
    var mistakes: [String] { state.withLock { $0.mistakes } }
}
