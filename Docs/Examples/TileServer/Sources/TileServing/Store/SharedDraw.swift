import QueuePools

/// A draw, waiting or running, and the requests that wait for its tile.
///
/// Unchecked: the store's lock protects all that changes, but `drawing`, which one job after the other has.
final class SharedDraw: @unchecked Sendable {
    typealias Waiter = CheckedContinuation<[UInt8], any Error>

    let address: TileAddress
    var urgency: Urgency
    /// Whether its job was cancelled only to continue on the tier of the urgency.
    var isRaised = false
    /// By the numbers of the requests.
    var waiters: [Int: Waiter] = [:]
    var job: PoolTask<[UInt8]>?
    /// The rows that are there, since the first job began.
    var drawing: TileDrawing?

    init(_ address: TileAddress, _ urgency: Urgency) {
        self.address = address
        self.urgency = urgency
    }
}
