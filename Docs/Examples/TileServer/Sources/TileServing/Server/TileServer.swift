import Hummingbird
import Logging
import NIOCore
import QueuePools
import ServiceLifecycle

/// A web server of tiles, and of a page that shows them.
///
///     let server = try TileServer()
///     try await server.run { port in print("http://127.0.0.1:\(port)") }
public struct TileServer: Sendable {
    /// The threads that draw.
    public let pool: DefaultQueuePool
    /// The tiles.
    public let store: TileStore
    private let settings: TileServerSettings

    /// Makes a server that does not listen yet.
    ///
    /// - Parameters:
    ///   - settings: what can be chosen.
    ///   - drawBegan: called by each draw as it begins, on a pool's thread. Default: nothing.
    /// - Throws: `PoolError` where there cannot be that many threads.
    public init(
        _ settings: TileServerSettings = TileServerSettings(),
        drawBegan: @escaping @Sendable (TileAddress) -> Void = { _ in }
    ) throws {
        pool = try settings.limits.makePool(
            threads: settings.threads.map { .exactly($0) } ?? .automatic)
        store = TileStore(
            picture: settings.picture, pool: pool, limits: settings.limits, drawBegan: drawBegan)
        self.settings = settings
    }

    /// Serves until SIGTERM or SIGINT: then no new client is accepted, and those that wait are answered, for
    /// as long as 10 seconds. A connection closes once its answer is written; a slow client may miss the end
    /// of a large one.
    ///
    /// Where the task is cancelled it ends at once, and those who wait get nothing.
    ///
    /// - Parameter listening: called with the port once the server listens.
    /// - Throws: an error where it cannot listen.
    public func run(listening: @escaping @Sendable (_ port: Int) -> Void) async throws {
        var logger = Logger(label: "tiles")
        logger.logLevel = .warning
        let application = Application(
            router: TileRoutes(store: store, metrics: TileMetrics(store: store, pool: pool)).router(),
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: [HangUpHandler()], idleTimeout: .seconds(60))),
            configuration: ApplicationConfiguration(
                address: .hostname(settings.host, port: settings.port),
                availableConnectionsDelegate: .maximum(settings.maximumConnections, logger: logger)),
            onServerRunning: { channel in
                if let port = channel.localAddress?.port { listening(port) }
            },
            logger: logger)
        var services = ServiceGroupConfiguration(
            services: [PoolService(pool: pool), application], gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger)
        services.maximumGracefulShutdownDuration = .seconds(10)
        services.maximumCancellationDuration = .seconds(5)
        try await ServiceGroup(configuration: services).run()
    }
}
