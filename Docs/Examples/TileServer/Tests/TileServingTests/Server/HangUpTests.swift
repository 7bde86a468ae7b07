import NIOEmbedded
import QueuePools
import Testing

import TileServing

@Suite("Clients that hang up", .timeLimit(.minutes(5)))
struct HangUpTests {
    @Test(
        "a tile whose client has gone is not drawn, in any way it went",
        arguments: Client.HangUp.allCases)
    func waiting(way: Client.HangUp) async throws {
        let picture = TestPicture()
        try await TestServer.run(picture) { server in
            let gate = try await server.pool.hold(.userInitiated)
            let client = try Client(port: server.port)
            try client.send("/tiles/5/1/1.png")
            try await eventually { server.pool.waiting == 1 }
            client.hangUp(way)
            try await eventually { server.store.counts.abandoned == 1 }
            #expect((server.pool.waiting, server.pool.total(\.cancelled)) == (0, 1))
            gate.open()
            #expect(try await server.get("/tiles/5/2/2.png").status == 200)
            #expect(server.store.counts.drawsStarted == 1)
            #expect(try picture.rows.allSatisfy { try $0.tile == TileAddress(z: 5, x: 2, y: 2) })
        }
    }

    @Test("a draw whose client goes stops after its row", arguments: Client.HangUp.allCases)
    func drawing(way: Client.HangUp) async throws {
        let gate = Gate()
        let picture = TestPicture(heldAt: 50, by: gate)
        try await TestServer.run(picture) { server in
            let client = try Client(port: server.port)
            try client.send("/tiles/5/1/1.png")
            try await eventually { picture.rows.count == 51 }
            client.hangUp(way)
            try await eventually { server.store.counts.abandoned == 1 }
            gate.open()
            try await eventually { server.store.counts.drawsStopped == 1 }
            #expect(picture.rows.count == 51)
        }
    }

    @Test("a tile that another client waits for is drawn all the same")
    func shared() async throws {
        try await TestServer.run { server in
            let gate = try await server.pool.hold(.userInitiated)
            let (goes, stays) = (try Client(port: server.port), try Client(port: server.port))
            try goes.send("/tiles/5/1/1.png")
            try await eventually { server.store.counts.requests == 1 }
            async let answer = stays.get("/tiles/5/1/1.png")
            try await eventually { server.store.counts.requests == 2 }
            goes.hangUp(.close)
            try await eventually { server.store.counts.abandoned == 1 }
            gate.open()
            #expect(try await answer.status == 200)
            #expect(server.store.counts.drawsStarted == 1)
        }
    }

    @Test("of a tile that was answered the connection keeps nothing")
    func answered() async throws {
        final class Tile: Sendable {}
        let channel = await NIOAsyncTestingChannel(handler: HangUpHandler())
        weak var kept: Tile?
        do {
            let tile = try await channel.cancellingOnHangUp { Tile() }
            kept = tile
            #expect(kept === tile)
        }
        // The task may be a moment longer on its thread.
        try await eventually { kept == nil }
        _ = try await channel.finish()
    }
}
