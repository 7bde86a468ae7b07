import Dispatch

/// Where serial queues get their threads from.
enum Target: String, CaseIterable {
    /// A root of Dispatch's own for serial queues.
    case none
    /// The root that `DispatchQueue.global` uses.
    case global

    func queues(count: Int) -> [DispatchQueue] {
        (0..<count).map { index in
            switch self {
            case .none: DispatchQueue(label: "queue \(index)", qos: .userInitiated)
            case .global:
                DispatchQueue(
                    label: "queue \(index)", qos: .userInitiated, target: .global(qos: .userInitiated))
            }
        }
    }
}
