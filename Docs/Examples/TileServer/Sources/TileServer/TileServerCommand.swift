import ArgumentParser
import Foundation
import TileServing

@main
struct TileServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "TileServer",
        abstract: "Serves tiles of the Mandelbrot set, and a page to look at them.",
        discussion: "Ends on SIGTERM and SIGINT, after those who wait got their tiles.")

    @Option(help: "The address to listen at.")
    var host = "127.0.0.1"

    @Option(help: "The port to listen at; 0 for any that is free.")
    var port = 8080

    @Option(help: "Threads that draw tiles in view, and as many for prefetched ones. (default: one per core)")
    var threads: Int?

    @Option(help: "Bytes that the cached tiles may take.")
    var cacheBytes = 64 << 20

    @Option(help: "Tiles in view that may wait to be drawn; of prefetched ones half as many.")
    var waitingTiles = 512

    @Option(help: "Seconds that a tile may wait to be drawn.")
    var patience = 10

    @Option(
        help: "Clients that may be connected at a time; fewer than the files that may be open (ulimit -n).")
    var maxConnections = 1_024

    @Option(help: "A file to write when which draw began, for the load test.")
    var journal: String?

    func validate() throws {
        func check(_ name: String, _ value: Int?, _ range: ClosedRange<Int>) throws {
            guard let value, !range.contains(value) else { return }
            throw ValidationError(
                "--\(name) is from \(range.lowerBound) to \(range.upperBound), not \(value).")
        }
        try check("port", port, 0...65_535)
        try check("threads", threads, 1...64)
        try check("cache-bytes", cacheBytes, 0...1 << 40)
        try check("waiting-tiles", waitingTiles, 1...1_000_000)
        try check("patience", patience, 1...86_400)
        try check("max-connections", maxConnections, 1...1_000_000)
    }

    func run() async throws {
        let openFiles = OpenFiles.raiseLimit()
        guard maxConnections <= openFiles - OpenFiles.reserve else {
            throw ValidationError(
                """
                --max-connections \(maxConnections) needs \(maxConnections + OpenFiles.reserve) open files, and this \
                process may have \(openFiles) (ulimit -n).
                """)
        }
        var settings = TileServerSettings()
        (settings.host, settings.port, settings.threads) = (host, port, threads)
        settings.limits = TileStoreLimits(
            cacheBytes: cacheBytes, waitingTiles: waitingTiles, patience: .seconds(patience))
        settings.maximumConnections = maxConnections
        let journal = try journal.map { try DrawJournal(path: $0) }
        let server = try TileServer(settings) { journal?.note($0) }
        try await server.run { port in
            print("listening at http://\(host):\(port)/")
            fflush(nil)
        }
    }
}
