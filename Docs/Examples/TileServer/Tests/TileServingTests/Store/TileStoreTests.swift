import CairoRendering
import QueuePools
import Testing
import TileServing

@Suite("A store of tiles", .timeLimit(.minutes(5)))
struct TileStoreTests {
    @Test("a tile is a PNG file of 256 × 256 pixels that shows the picture")
    func picture() async throws {
        let tile = try TileAddress(z: 3, x: 2, y: 3)
        let png = try await StoreBench(Mandelbrot()).store.tile(at: tile)
        let image = try ImageDecoder().decode(png)
        #expect((image.pixelWidth, image.pixelHeight) == (256, 256))
        #expect(image.allPixels == Mandelbrot().pixels(of: tile))
    }

    @Test(
        "a tile that no request waits for is not drawn", arguments: [Urgency.interactive, .prefetched])
    func abandoned(urgency: Urgency) async throws {
        let bench = try StoreBench()
        let gate = try await bench.pool.hold(urgency.tier)
        let request = try await bench.ask(1, urgency)
        #expect(bench.pool.waiting == 1)
        request.cancel()
        await #expect(throws: CancellationError.self) { try await request.value }
        #expect(bench.pool.waiting == 0)
        gate.open()
        try await bench.pool.shutdown()
        #expect(bench.begun == [])
        let counts = bench.store.counts
        #expect((counts.abandoned, counts.drawsStarted) == (1, 0))
        #expect(bench.pool.statistics[urgency.tier].cancelled == 1)
    }

    @Test("a draw that every request has left ends after the row that it is at")
    func abandonedInTheMiddle() async throws {
        let gate = Gate()
        let picture = TestPicture(heldAt: 100, by: gate)
        let bench = try StoreBench(picture)
        let request = try await bench.ask(1)
        try await eventually { picture.rows.count == 101 }
        request.cancel()
        await #expect(throws: CancellationError.self) { try await request.value }
        gate.open()
        try await bench.pool.shutdown()
        #expect(picture.rows.count == 101)
        try await eventually { bench.store.counts.drawsStopped == 1 }
        #expect(bench.store.counts.drawsFinished == 0)
        #expect(bench.store.cachedTiles == 0)
    }

    @Test("a tile that is requested again while its old draw stops is drawn")
    func askedAnew() async throws {
        let gate = Gate()
        let picture = TestPicture(heldAt: 100, by: gate)
        let bench = try StoreBench(picture)
        let request = try await bench.ask(1)
        try await eventually { picture.rows.count == 101 }
        request.cancel()
        let again = try await bench.ask(1)
        gate.open()
        #expect(
            try await ImageDecoder().decode(again.value).allPixels == picture.pixels(of: StoreBench.tile(1)))
        #expect(bench.store.counts.drawsStarted == 2)
    }

    @Test("who has been cancelled before it asks gets nothing, and nothing is drawn")
    func cancelledBefore() async throws {
        let bench = try StoreBench()
        let request = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await bench.store.tile(at: StoreBench.tile(1))
        }
        await #expect(throws: CancellationError.self) { try await request.value }
        let counts = bench.store.counts
        #expect((counts.requests, counts.abandoned, bench.pool.waiting, counts.drawsStarted) == (1, 1, 0, 0))
    }

    @Test("all who want a tile share one draw, and it stays until the last one leaves")
    func shared() async throws {
        let bench = try StoreBench()
        let gate = try await bench.pool.hold(.userInitiated)
        let requests = [try await bench.ask(1), try await bench.ask(1), try await bench.ask(1)]
        #expect(bench.pool.waiting == 1)
        requests[0].cancel()
        requests[1].cancel()
        await #expect(throws: CancellationError.self) { try await requests[0].value }
        await #expect(throws: CancellationError.self) { try await requests[1].value }
        #expect(bench.pool.waiting == 1)
        gate.open()
        _ = try await requests[2].value
        let counts = bench.store.counts
        #expect((counts.shared, counts.drawsStarted, counts.answered, counts.abandoned) == (2, 1, 1, 2))
    }

    @Test("with the last of several who leave, their draw goes")
    func sharedAndAbandoned() async throws {
        let bench = try StoreBench()
        let gate = try await bench.pool.hold(.userInitiated)
        let requests = [try await bench.ask(1), try await bench.ask(1, .prefetched), try await bench.ask(1)]
        for request in requests {
            request.cancel()
            await #expect(throws: CancellationError.self) { try await request.value }
        }
        #expect(bench.pool.waiting == 0)
        gate.open()
        try await bench.pool.shutdown()
        #expect(bench.begun == [])
    }

    @Test("a tile that cannot be queued is an error, and leaves nothing behind")
    func shutDown() async throws {
        let bench = try StoreBench()
        try await bench.pool.shutdown()
        let error = await #expect(throws: PoolError.self) {
            try await bench.store.tile(at: StoreBench.tile(1))
        }
        #expect(error?.code == .shutDown)
        #expect((bench.store.counts.requests, bench.store.counts.refused) == (1, 1))
    }
}
