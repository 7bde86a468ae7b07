import QueuePools
import Synchronization
import TileServing

/// A store on a pool of one thread a tier, whose draws are noted as they begin.
struct StoreBench: Sendable {
    let pool: DefaultQueuePool
    let store: TileStore
    private let notes = Notes()

    init(_ picture: any TilePicture = TestPicture(), limits: TileStoreLimits = TileStoreLimits()) throws {
        pool = try limits.makePool(threads: .exactly(1))
        store = TileStore(picture: picture, pool: pool, limits: limits) { [notes] tile in
            notes.tiles.withLock { $0.append(tile) }
        }
    }

    /// The tiles whose draws began, in order.
    var begun: [TileAddress] { notes.tiles.withLock { $0 } }

    /// A tile of the row 0 at zoom 8.
    static func tile(_ number: Int) throws -> TileAddress { try TileAddress(z: 8, x: number, y: 0) }

    /// Asks for a tile in a task of its own, and returns once the store knows of it.
    func ask(_ number: Int, _ urgency: Urgency = .interactive) async throws -> Task<[UInt8], any Error> {
        let before = store.counts.requests
        let task = Task { [store] in try await store.tile(at: Self.tile(number), urgency: urgency) }
        try await eventually { store.counts.requests == before + 1 }
        return task
    }

    private final class Notes: Sendable {
        let tiles = Mutex<[TileAddress]>([])
    }
}
