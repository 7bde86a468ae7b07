import CairoRendering
import QueuePools
import Testing
import TileServing

@Suite("The order in which tiles are drawn", .timeLimit(.minutes(5)))
struct TileOrderTests {
    @Test("a tile in view is drawn while prefetched ones wait that were asked for before")
    func interactiveFirst() async throws {
        let bench = try StoreBench()
        let gate = try await bench.pool.hold(.utility)
        var prefetched: [Task<[UInt8], any Error>] = []
        for number in 1...20 { prefetched.append(try await bench.ask(number, .prefetched)) }
        _ = try await bench.store.tile(at: StoreBench.tile(21))
        #expect(bench.pool.waiting == 20)
        gate.open()
        for request in prefetched { _ = try await request.value }
        #expect(try bench.begun == [StoreBench.tile(21)] + (1...20).map { try StoreBench.tile($0) })
    }

    @Test("draws of tiles in view have the higher claim to the processor")
    func tiers() {
        #expect(Urgency.interactive.tier > Urgency.prefetched.tier)
        #expect(Urgency.interactive > .prefetched)
    }

    @Test("equally wanted tiles are drawn in the order in which they were asked for")
    func inOrder() async throws {
        let bench = try StoreBench()
        let gate = try await bench.pool.hold(.userInitiated)
        var requests: [Task<[UInt8], any Error>] = []
        for number in 1...10 { requests.append(try await bench.ask(number)) }
        requests[4].cancel()
        try await eventually { bench.store.counts.abandoned == 1 }
        gate.open()
        for request in requests { _ = try? await request.value }
        #expect(try bench.begun == [1, 2, 3, 4, 6, 7, 8, 9, 10].map { try StoreBench.tile($0) })
    }

    @Test("a prefetched tile that comes into view is drawn with those in view")
    func raised() async throws {
        let bench = try StoreBench()
        let gate = try await bench.pool.hold(.utility)
        let prefetched = try await bench.ask(1, .prefetched)
        let wanted = try await bench.store.tile(at: StoreBench.tile(1))
        #expect(try await prefetched.value == wanted)
        let counts = bench.store.counts
        #expect((counts.raised, counts.shared, counts.drawsStarted) == (1, 1, 1))
        gate.open()
        try await bench.pool.shutdown()
        #expect(bench.begun.count == 1)
    }

    @Test("a prefetched tile that comes into view while it is drawn continues where tiles in view are drawn")
    func raisedInTheMiddle() async throws {
        let gate = Gate()
        let picture = TestPicture(heldAt: 100, by: gate)
        let bench = try StoreBench(picture)
        let prefetched = try await bench.ask(1, .prefetched)
        try await eventually { picture.rows.count == 101 }
        let wanted = try await bench.ask(1)
        gate.open()
        #expect(try await prefetched.value == wanted.value)
        #expect(picture.rows.map(\.row) == Array(0..<256))
        #expect(
            try await ImageDecoder().decode(wanted.value).allPixels == picture.pixels(of: StoreBench.tile(1)))
        try await bench.pool.shutdown()
        #expect(bench.pool.statistics[.utility].finished == 1)
        #expect(bench.pool.statistics[.userInitiated].finished == 1)
        let counts = bench.store.counts
        #expect((counts.drawsStarted, counts.drawsFinished, counts.raised) == (1, 1, 1))
    }

    @Test("a raised draw that every request leaves before it continues is gone, with its rows")
    func raisedAndAbandoned() async throws {
        let gate = Gate()
        let picture = TestPicture(heldAt: 100, by: gate)
        let bench = try StoreBench(picture)
        let upper = try await bench.pool.hold(.userInitiated)
        let requests = [try await bench.ask(1, .prefetched)]
        try await eventually { picture.rows.count == 101 }
        let wanted = try await bench.ask(1)
        gate.open()
        try await eventually { bench.pool.statistics[.userInitiated].waiting == 1 }
        for request in requests + [wanted] {
            request.cancel()
            await #expect(throws: CancellationError.self) { try await request.value }
        }
        upper.open()
        try await bench.pool.shutdown()
        #expect(picture.rows.count == 101)
        try await eventually { bench.store.counts.drawsStopped == 1 }
    }
}
