import Synchronization
import Transactions

/// The end of a layer's turn. The transaction queue retains it, not the layer.
final class LayerTurn: TurnTarget {
    private let flag = Atomic<Bool>(false)
    /// Set when the layer is made.
    @MainActor var layer: () -> Void = {}

    nonisolated init() {}

    // Acquiring and releasing: who finds it requested wrote before what the update will read.
    nonisolated func request(_ transactions: TransactionQueue) {
        if !flag.exchange(true, ordering: .acquiringAndReleasing) { transactions.commit(self) }
    }

    func turnEnds() {
        _ = flag.exchange(false, ordering: .acquiringAndReleasing)
        layer()
    }
}
