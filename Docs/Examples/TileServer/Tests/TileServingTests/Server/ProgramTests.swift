import Foundation
import Testing

@Suite("The program", .timeLimit(.minutes(5)))
struct ProgramTests {
    @Test(
        "serves at the address that it prints, and ends well on a signal",
        arguments: [SIGTERM, SIGINT])
    func serves(signal: Int32) async throws {
        let program = try Program("TileServer", "--port", "0", "--threads", "1")
        let port = try await program.port()
        #expect(try await Client(port: port).get("/tiles/0/0/0.png").status == 200)
        kill(program.identifier, signal)
        #expect(try await program.end() == 0)
    }

    @Test(
        "options without sense are usage errors that name them",
        arguments: [
            ["--port", "65536"], ["--port", "x"], ["--threads", "0"], ["--cache-bytes", "-1"],
            ["--waiting-tiles", "0"],
            ["--nonsense"],
        ])
    func usage(arguments: [String]) async throws {
        let program = try Program("TileServer", arguments)
        #expect(try await program.end() == 64)
        #expect(try #require(program.error).contains(arguments[0]))
    }

    @Test("an address that is taken, or that is none, is an error")
    func address() async throws {
        let first = try Program("TileServer", "--port", "0")
        let second = try Program("TileServer", "--port", String(try await first.port()))
        #expect(try await second.end() == 1)
        #expect(second.error != nil)
        let third = try Program("TileServer", "--host", "nowhere.invalid")
        #expect(try await third.end() == 1)
        #expect(third.error != nil)
        kill(first.identifier, SIGTERM)
        #expect(try await first.end() == 0)
    }

    @Test("more clients than the shell's soft limit of files are let in, all at a time")
    func softLimit() async throws {
        let program = try Program("TileServer", ["--port", "0", "--threads", "1"], limits: "ulimit -Sn 256")
        let port = try await program.port()
        let clients = try (0..<300).map { _ in try Client(port: port) }
        #expect(try await clients[299].get("/tiles/0/0/0.png").status == 200)
        withExtendedLifetime(clients) {}
        kill(program.identifier, SIGTERM)
        #expect(try await program.end() == 0)
    }

    @Test(
        "more clients than the system lets it have sockets for are a usage error that says how many files it has"
    )
    func hardLimit() async throws {
        let program = try Program("TileServer", ["--port", "0"], limits: "ulimit -n 256")
        #expect(try await program.end() == 64)
        let error = try #require(program.error)
        #expect(error.contains("--max-connections 1024") && error.contains("may have 256"))
    }

    @Test("help names the options", arguments: ["TileServer", "TileLoad"])
    func help(name: String) async throws {
        let program = try Program(name, "--help")
        #expect(try await program.end() == 0)
        #expect(program.output.contains("--port"))
    }
}
