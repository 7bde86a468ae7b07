import Foundation
import Testing

@Suite("The program", .timeLimit(.minutes(5)))
struct ProgramTests {
    @Test(
        "serves at the address that it prints, and ends well when it is told to",
        arguments: [SIGTERM, SIGINT])
    func serves(signal: Int32) async throws {
        let program = try Program("TileServer", "--port", "0", "--threads", "1")
        let line = try await program.line { $0.contains("listening") }
        let port = try #require(line.split(separator: ":").last.flatMap { Int($0.dropLast()) })
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
        #expect(program.output.contains(arguments[0].dropFirst(2)))
    }

    @Test("an address that is taken, or that is none, is an error")
    func address() async throws {
        let first = try Program("TileServer", "--port", "0")
        let port = try await first.line { $0.contains("listening") }.split(separator: ":").last?.dropLast()
        let second = try Program("TileServer", "--port", String(port ?? ""))
        #expect(try await second.end() == 1)
        #expect(second.output.contains("Error"))
        let third = try Program("TileServer", "--host", "nowhere.invalid")
        #expect(try await third.end() == 1)
        kill(first.identifier, SIGTERM)
        #expect(try await first.end() == 0)
    }

    @Test("help names the options", arguments: ["TileServer", "TileLoad"])
    func help(name: String) async throws {
        let program = try Program(name, "--help")
        #expect(try await program.end() == 0)
        #expect(program.output.contains("--port"))
    }
}
