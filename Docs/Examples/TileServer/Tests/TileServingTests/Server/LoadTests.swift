import Foundation
import Testing

@Suite("The program of the load test", .timeLimit(.minutes(5)))
struct LoadTests {
    /// A file for a journal, for the time of a test.
    private func withJournal(_ body: (String) async throws -> Void) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "tiles-\(UUID().uuidString)")
        try Data().write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await body(file.path)
    }

    @Test("who cannot connect does not try until the time is over")
    func noServer() async throws {
        try await withJournal { journal in
            // A port that no program listens at any more.
            let server = try Program("TileServer", "--port", "0")
            let port = try await server.port()
            kill(server.identifier, SIGTERM)
            #expect(try await server.end() == 0)
            let load = try Program("TileLoad", "--port", "\(port)", "--seconds", "3600", "--journal", journal)
            #expect(try await load.end() == 1)
            #expect(try #require(load.error).contains("8 requests could not be sent"))
        }
    }

    @Test("the draws of those who hung up are found in the server's journal")
    func journal() async throws {
        try await withJournal { journal in
            let server = try Program("TileServer", "--port", "0", "--journal", journal)
            let port = try await server.port()
            // On a busy machine the hasty clients might all leave before a draw begins.
            #expect(try await Client(port: port).get("/tiles/0/0/0.png").status == 200)
            let load = try Program(
                "TileLoad", "--port", "\(port)", "--seconds", "1", "--journal", journal, "--limit", "100")
            #expect(try await load.end() == 0, "\(load.error ?? "no error")")
            kill(server.identifier, SIGTERM)
            #expect(try await server.end() == 0)
        }
    }

    @Test("a journal without any draw shows nothing, and is an error")
    func emptyJournal() async throws {
        try await withJournal { journal in
            let server = try Program("TileServer", "--port", "0")
            let port = try await server.port()
            let load = try Program("TileLoad", "--port", "\(port)", "--seconds", "1", "--journal", journal)
            #expect(try await load.end() == 1)
            #expect(try #require(load.error).contains("no draw was noted"))
            kill(server.identifier, SIGTERM)
            #expect(try await server.end() == 0)
        }
    }
}
