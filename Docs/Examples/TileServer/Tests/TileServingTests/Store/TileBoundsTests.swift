import QueuePools
import Testing
import TileServing

@Suite("The bounds of a store", .timeLimit(.minutes(5)))
struct TileBoundsTests {
    @Test("a tile is drawn once as long as it is cached")
    func cached() async throws {
        let bench = try StoreBench()
        let first = try await bench.store.tile(at: StoreBench.tile(1))
        #expect(try await bench.store.tile(at: StoreBench.tile(1), urgency: .prefetched) == first)
        let counts = bench.store.counts
        #expect((counts.drawsStarted, counts.cacheHits, counts.answered) == (1, 1, 2))
        #expect((bench.store.cachedTiles, bench.store.cachedBytes) == (1, first.count))
    }

    @Test("the cache keeps to its bytes, and the tile that was not wanted for longest goes first")
    func cacheBound() async throws {
        let size = try await StoreBench().store.tile(at: StoreBench.tile(1)).count
        let bench = try StoreBench(limits: TileStoreLimits(cacheBytes: 4 * size))
        for number in 1...20 {
            _ = try await bench.store.tile(at: StoreBench.tile(number))
            #expect(bench.store.cachedBytes <= 4 * size)
        }
        #expect((3...4).contains(bench.store.cachedTiles))
        _ = try await bench.store.tile(at: StoreBench.tile(20))
        #expect(bench.store.counts.cacheHits == 1)
        _ = try await bench.store.tile(at: StoreBench.tile(1))
        #expect(bench.store.counts.drawsStarted == 21)
    }

    @Test("a tile takes the memory that the cache counts for it, but for what the allocator rounds")
    func size() async throws {
        for number in 1...4 {
            let png = try await StoreBench(Mandelbrot()).store.tile(
                at: TileAddress(z: 2, x: number % 4, y: 1))
            #expect(png.capacity <= png.count + 4_096)
        }
    }

    @Test("without bytes nothing is cached, and all is drawn")
    func noCache() async throws {
        let bench = try StoreBench(limits: TileStoreLimits(cacheBytes: 0))
        for _ in 1...2 { _ = try await bench.store.tile(at: StoreBench.tile(1)) }
        #expect((bench.store.cachedBytes, bench.store.counts.drawsStarted) == (0, 2))
    }

    @Test("when many tiles wait, prefetched ones are refused first, then all")
    func waiting() async throws {
        let bench = try StoreBench(limits: TileStoreLimits(waitingTiles: 4))
        let gates = try [bench.pool.hold(.utility), bench.pool.hold(.userInitiated)]
        var requests: [Task<[UInt8], any Error>] = []
        for number in 1...2 { requests.append(try await bench.ask(number, .prefetched)) }
        await #expect(throws: TileStore.Refusal.busy) {
            try await bench.store.tile(at: StoreBench.tile(3), urgency: .prefetched)
        }
        for number in 4...5 { requests.append(try await bench.ask(number)) }
        await #expect(throws: TileStore.Refusal.busy) { try await bench.store.tile(at: StoreBench.tile(6)) }
        // What waits already may be shared, and who leaves makes room.
        requests.append(try await bench.ask(4))
        requests[0].cancel()
        try await eventually { bench.store.counts.waiting == 3 }
        requests.append(try await bench.ask(6))
        for gate in gates { gate.open() }
        for request in requests.dropFirst() { _ = try await request.value }
        let counts = bench.store.counts
        #expect((counts.refused, counts.answered, counts.abandoned, counts.waiting) == (2, 5, 1, 0))
    }

    @Test("requests that come and leave in any order are all counted")
    func storm() async throws {
        let pool = try DefaultQueuePool(label: "storm", queuesPerTier: .exactly(2))
        let store = TileStore(
            picture: TestPicture(), pool: pool, limits: TileStoreLimits(cacheBytes: 1 << 17, waitingTiles: 64)
        )
        await withTaskGroup(of: Void.self) { group in
            for client in 0..<8 {
                group.addTask {
                    for step in 0..<100 {
                        let number = (client * 31 + step * 7) % 40
                        let request = Task {
                            try await store.tile(
                                at: StoreBench.tile(number),
                                urgency: step % 3 == 0 ? .prefetched : .interactive)
                        }
                        for _ in 0..<(step * client) % 50 { await Task.yield() }
                        if step % 2 == 0 { request.cancel() }
                        _ = try? await request.value
                    }
                }
            }
        }
        await pool.shutdown()
        let counts = store.counts
        #expect(counts.requests == 800)
        #expect(counts.answered + counts.abandoned + counts.refused == 800)
        #expect(counts.failed == 0)
        #expect((counts.waiting, counts.drawing) == (0, 0))
        #expect(counts.drawsStarted == counts.drawsFinished + counts.cancelledWhileDrawing)
        #expect(store.cachedBytes <= 1 << 17)
    }
}
