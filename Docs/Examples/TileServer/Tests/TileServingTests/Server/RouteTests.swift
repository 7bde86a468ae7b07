import CairoRendering
import QueuePools
import Testing
import TileServing

@Suite("What the server answers", .timeLimit(.minutes(5)))
struct RouteTests {
    @Test("a tile comes as a PNG file that shows the picture")
    func tile() async throws {
        let picture = Mandelbrot()
        try await TestServer.run(picture) { server in
            let answer = try await server.get("/tiles/3/2/3.png")
            #expect((answer.status, answer.headers["content-type"]) == (200, "image/png"))
            let image = try ImageDecoder().decode(answer.body)
            #expect((image.pixelWidth, image.pixelHeight) == (256, 256))
            #expect(try image.allPixels == picture.pixels(of: TileAddress(z: 3, x: 2, y: 3)))
        }
    }

    @Test("a connection gets one tile after the other")
    func keptAlive() async throws {
        try await TestServer.run { server in
            let client = try Client(port: server.port)
            for x in 0..<4 {
                let answer = try await client.get("/tiles/2/\(x)/0.png")
                #expect(answer.status == 200)
            }
            #expect(server.store.counts.answered == 4)
        }
    }

    @Test(
        "what is no tile is answered with what is wrong with it",
        arguments: [
            ("/tiles/37/0/0.png", 404), ("/tiles/0/1/0.png", 404), ("/tiles/3/0/8.png", 404),
            ("/tiles/a/0/0.png", 400), ("/tiles/0/0/0.jpg", 400), ("/tiles/0/-1/0.png", 400),
            ("/tiles/0/0/0.png?prefetch=yes", 400), ("/tiles/0/0/%F0%9F%97%BA.png", 400),
        ])
    func badInput(path: String, status: Int) async throws {
        try await TestServer.run { server in
            let answer = try await server.get(path)
            #expect((answer.status, answer.headers["content-type"]) == (status, "text/plain; charset=utf-8"))
            #expect(answer.text.count > 10 && answer.text.hasSuffix("\n"))
            #expect(server.store.counts.requests == 0)
        }
    }

    @Test("a server that has too much to do says when to come again")
    func busy() async throws {
        try await TestServer.run(limits: TileStoreLimits(waitingTiles: 1)) { server in
            let gate = try await server.pool.hold(.userInitiated)
            defer { gate.open() }
            let waiting = try Client(port: server.port)
            try waiting.send("/tiles/1/0/0.png")
            try await eventually { server.pool.waiting == 1 }
            let refused = try await server.get("/tiles/1/0/1.png")
            #expect((refused.status, refused.headers["retry-after"]) == (503, "1"))
        }
    }

    @Test("a tile that waits for too long is answered with when to come again")
    func expired() async throws {
        try await TestServer.run(limits: TileStoreLimits(patience: .milliseconds(1))) { server in
            let gate = try await server.pool.hold(.userInitiated)
            defer { gate.open() }
            let expired = try await server.get("/tiles/1/0/0.png")
            #expect((expired.status, expired.headers["retry-after"]) == (503, "1"))
        }
    }

    @Test(
        "prefetched tiles wait on their own tier",
        arguments: [("?prefetch=1", 1), ("?prefetch=0", 0), ("", 0)])
    func prefetched(query: String, count: Int) async throws {
        try await TestServer.run { server in
            let answer = try await server.get("/tiles/0/0/0.png\(query)")
            #expect(answer.status == 200)
            #expect(server.pool.statistics[.utility].submitted == count)
            #expect(server.pool.statistics[.userInitiated].submitted == 1 - count)
        }
    }

    @Test("the page and its program are there, and so is health")
    func page() async throws {
        try await TestServer.run { server in
            let page = try await server.get("/")
            #expect(page.headers["content-type"] == "text/html; charset=utf-8")
            #expect(page.text.contains("viewer.js"))
            #expect(
                try await server.get("/viewer.js").headers["content-type"] == "text/javascript; charset=utf-8"
            )
            #expect(try await server.get("/healthz").text == "ok\n")
            #expect(try await server.get("/nothing").status == 404)
        }
    }

    @Test("a server that is ending answers the clients that wait, and no new ones")
    func shutdown() async throws {
        try await TestServer.run { server in
            let gate = try await server.pool.hold(.userInitiated)
            async let answer = server.get("/tiles/1/0/0.png")
            try await eventually { server.pool.waiting == 1 }
            server.shutdown.triggerGracefulShutdown()
            try await eventually { (try? Client(port: server.port)) == nil }
            gate.open()
            #expect(try await answer.status == 200)
        }
    }
}
