import Dispatch
import Foundation
import Synchronization

/// The original's serial queues: as many as there are active processors, at most 16, handed out in turn.
final class OriginalQueues: Sendable {
    /// Those of the process.
    static let shared = OriginalQueues()

    private let queues: [DispatchQueue]
    private let counter = Atomic<UInt32>(0)

    init(count: Int = ProcessInfo.processInfo.activeProcessorCount) {
        queues = (0..<min(max(count, 1), 16)).map {
            DispatchQueue(label: "feed-demo.original.\($0)", qos: .userInitiated)
        }
    }

    /// The counter is increased first. Unsigned, where the original's is signed and goes wrong when it wraps.
    func next() -> DispatchQueue {
        let value = counter.wrappingAdd(1, ordering: .relaxed).newValue
        return queues[Int(value) % queues.count]
    }
}

/// Brings work to the main actor, in order.
func onMain(_ work: @escaping @MainActor @Sendable () -> Void) {
    DispatchQueue.main.async { work() }
}
