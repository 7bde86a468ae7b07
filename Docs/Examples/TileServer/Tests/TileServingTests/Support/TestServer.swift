import QueuePools
import ServiceLifecycleTestKit
import TileServing

/// A server on a free port of this machine, for the time of a test.
struct TestServer: Sendable {
    let server: TileServer
    let port: Int
    /// As SIGTERM would.
    let shutdown: GracefulShutdownTestTrigger

    var store: TileStore { server.store }
    var pool: DefaultQueuePool { server.pool }

    /// Runs a server while `body` runs.
    static func run(
        _ picture: any TilePicture = TestPicture(), limits: TileStoreLimits = TileStoreLimits(),
        _ body: @Sendable (TestServer) async throws -> Void
    ) async throws {
        var settings = TileServerSettings()
        (settings.port, settings.threads, settings.picture, settings.limits) = (0, 1, picture, limits)
        let server = try TileServer(settings)
        let (ports, told) = AsyncStream<Int>.makeStream()
        try await testGracefulShutdown { shutdown in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    defer { told.finish() }
                    try await server.run { told.yield($0) }
                }
                for await port in ports {
                    defer { shutdown.triggerGracefulShutdown() }
                    try await body(TestServer(server: server, port: port, shutdown: shutdown))
                    break
                }
                try await group.waitForAll()
            }
        }
    }

    /// Gets a path by a connection of its own.
    func get(_ path: String) async throws -> Client.Answer {
        let client = try Client(port: port)
        return try await client.get(path)
    }
}
