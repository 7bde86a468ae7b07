import QueuePools
import Sentinels

/// A draw, queued or running, and the requests that wait for its tile.
///
/// Unchecked: what can change is protected by the store's lock, but for `drawing`, which belongs to the job.
final class SharedDraw: @unchecked Sendable {
    typealias Waiter = CheckedContinuation<[UInt8], any Error>

    /// Tells waiters apart.
    final class WaiterName: Hashable, Sendable {
        static func == (left: WaiterName, right: WaiterName) -> Bool { left === right }

        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    let address: TileAddress

    /// Raised when the job is out of date: every request has left, or the draw is to continue on another
    /// tier. The job looks at its ticket between two rows.
    let sentinel = Sentinel()

    var urgency: Urgency
    var waiters: [WaiterName: Waiter] = [:]
    /// Takes the draw off its queue, as long as it has not begun there.
    var job: PoolJob?
    var hasBegun = false
    /// The rows that are there, since the first job began.
    var drawing: TileDrawing?

    init(_ address: TileAddress, _ urgency: Urgency) {
        self.address = address
        self.urgency = urgency
    }
}
