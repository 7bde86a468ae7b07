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

    @Test("when many tiles wait, others are refused, of the prefetched ones half as many")
    func waiting() async throws {
        let bench = try StoreBench(limits: TileStoreLimits(waitingTiles: 4))
        let gates = try await [bench.pool.hold(.utility), bench.pool.hold(.userInitiated)]
        func refusal(of number: Int, _ urgency: Urgency) async throws -> PoolError.Code? {
            let tile = try StoreBench.tile(number)
            return await #expect(throws: PoolError.self) {
                try await bench.store.tile(at: tile, urgency: urgency)
            }?.code
        }
        var requests: [Task<[UInt8], any Error>] = []
        for number in 1...4 { requests.append(try await bench.ask(number)) }
        #expect(try await refusal(of: 5, .interactive) == .full)
        for number in 6...7 { requests.append(try await bench.ask(number, .prefetched)) }
        #expect(try await refusal(of: 8, .prefetched) == .full)
        // Waiting tiles can be shared, and a request that leaves makes room.
        requests.append(try await bench.ask(4))
        requests[0].cancel()
        try await eventually { bench.pool.waiting == 5 }
        requests.append(try await bench.ask(5))
        for gate in gates { gate.open() }
        for request in requests.dropFirst() { _ = try await request.value }
        let counts = bench.store.counts
        #expect((counts.refused, counts.answered, counts.abandoned, bench.pool.waiting) == (2, 7, 1, 0))
    }

    @Test("a prefetched tile that comes into view is refused to all its requests if the upper tier is full")
    func raisedIntoAFullTier() async throws {
        let bench = try StoreBench(limits: TileStoreLimits(waitingTiles: 1))
        let gates = try await [bench.pool.hold(.utility), bench.pool.hold(.userInitiated)]
        let first = try await bench.ask(1)
        let others = [try await bench.ask(2, .prefetched), try await bench.ask(2)]
        for request in others {
            let error = await #expect(throws: PoolError.self) { try await request.value }
            #expect(error?.code == .full)
        }
        #expect((bench.store.counts.refused, bench.pool.waiting) == (2, 1))
        for gate in gates { gate.open() }
        _ = try await first.value
    }

    @Test("a tile whose draw does not begin in time is refused")
    func patience() async throws {
        let bench = try StoreBench(limits: TileStoreLimits(patience: .milliseconds(1)))
        let gate = try await bench.pool.hold(.userInitiated)
        let error = await #expect(throws: PoolError.self) {
            try await bench.store.tile(at: StoreBench.tile(1))
        }
        #expect(error?.code == .expired)
        #expect((bench.store.counts.refused, bench.pool.waiting) == (1, 0))
        gate.open()
    }

    @Test("requests that come and leave in any order are all counted")
    func storm() async throws {
        let limits = TileStoreLimits(cacheBytes: 1 << 17, waitingTiles: 64)
        let pool = try limits.makePool(threads: .exactly(2))
        let store = TileStore(picture: TestPicture(), pool: pool, limits: limits)
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
        try await pool.shutdown()
        let counts = store.counts
        #expect(counts.requests == 800)
        #expect(counts.answered + counts.abandoned + counts.refused == 800)
        #expect(counts.failed == 0)
        try await eventually {
            let counts = store.counts
            return counts.drawsStarted == counts.drawsFinished + counts.drawsStopped
        }
        #expect(store.cachedBytes <= 1 << 17)
    }
}
