import Foundation
import Testing

@Suite("The program", .timeLimit(.minutes(3)))
struct CanvasProgramTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "CanvasTests-\(UUID())").path

    /// Runs it without a display, and waits for its end.
    private func run(_ arguments: [String]) async throws -> (status: Int, output: String) {
        let (process, output) = (Process(), Pipe())
        // The tests' own program lies beside it.
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        process.executableURL = URL(filePath: tests).deletingLastPathComponent().appending(path: "Canvas")
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment
            .filter { !["DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"].contains($0.key) }
        (process.standardOutput, process.standardError) = (output, output)
        let (end, continuation) = AsyncStream<Void>.makeStream()
        process.terminationHandler = { _ in continuation.finish() }
        try process.run()
        for await _ in end {}
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        return (Int(process.terminationStatus), String(decoding: data, as: UTF8.self))
    }

    /// Makes a tour, and returns what it reported.
    private func tour(_ arguments: [String]) async throws -> String {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let result = try await run(["--screenshots", folder] + arguments)
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.split(separator: "\n").count { $0.contains(": ok") } == 6, "\(result.output)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 7)
        return result.output
    }

    @Test("makes a tour without a display, on which each stop at rest is as it should be")
    func tour() async throws { _ = try await tour(["--seed", "11"]) }

    @Test("makes a tour of a map")
    func map() async throws {
        let rings = (0..<200).map { "[[\($0), 0], [\($0 + 1), 90], [\($0 - 4), 100.5], [\($0), 0]]" }
        let input = folder + ".json"
        try #"{"type": "Polygon", "coordinates": [\#(rings.joined(separator: ", "))]}"#
            .write(toFile: input, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: input) }
        _ = try await tour(["--input", input])
    }

    @Test(
        "refuses a file that is no GeoJSON, and says why",
        arguments: [
            "", "{", "[]", #"{"type": "Point"}"#, #"{"type": "Point", "coordinates": [1]}"#,
            #"{"type": "Circle", "coordinates": [1, 1]}"#, #"{"type": "Point", "coordinates": [NaN, 1]}"#,
            #"{"type": "Point", "coordinates": [1e10, 0]}"#, #"{"type": "Point", "coordinates": [1e999, 0]}"#,
            #"{"type": "LineString", "coordinates": []}"#, #"{"type": "FeatureCollection", "features": []}"#,
            String(repeating: #"{"type": "Feature", "geometry": "#, count: 100_000), "\u{0}\u{1F}",
        ])
    func badInput(json: String) async throws {
        let input = folder + ".json"
        try json.write(toFile: input, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: input) }
        let result = try await run(["--input", input, "--screenshots", folder])
        #expect(result.status == 65 && result.output.hasPrefix("Canvas: '\(input)' "), "\(result.output)")
        #expect(result.output.count < 600 && result.output.split(separator: "\n").count == 1)
    }

    @Test(
        "ends with a status of its own if a file cannot be used, is endless, or cannot be written",
        arguments: [
            (["--input", "/nowhere"], 66), (["--input", "/"], 66), (["--input", "/dev/zero"], 65),
            (["--screenshots", "/proc/nowhere"], 73),
        ])
    func files(arguments: [String], status: Int) async throws {
        let result = try await run(arguments)
        #expect(result.status == status && result.output.contains("'\(arguments[1])'"), "\(result.output)")
    }

    @Test("does not wait for a pipe")
    func pipe() async throws {
        let input = folder + ".json"
        #expect(mkfifo(input, 0o600) == 0)
        defer { try? FileManager.default.removeItem(atPath: input) }
        let result = try await run(["--input", input])
        #expect(result.status == 66 && result.output.contains("is a pipe"), "\(result.output)")
    }

    @Test("shows a map but for a name that cannot be set, and says so")
    func name() async throws {
        let input = folder + ".json"
        let name = "a" + String(repeating: "\u{301}", count: 33)
        try """
        {"type": "Feature", "properties": {"name": "\(name)"},
        "geometry": {"type": "LineString", "coordinates": [[0, 0], [1, 1]]}}
        """.write(toFile: input, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: input) }
        let output = try await tour(["--input", input])
        #expect(output.contains("the name of shape 1 cannot be shown"))
    }

    @Test(
        "says what is wrong with its options, and helps",
        arguments: [
            ["--items", "0"], ["--items", "many"], ["--seed", "-1"], ["--screenshots", ""], ["--nonsense"],
        ])
    func usage(arguments: [String]) async throws {
        let result = try await run(arguments)
        #expect(result.status == 64)
        #expect(result.output.contains("Error: ") && result.output.contains(arguments[0]))
        let help = try await run(arguments + ["--help"])
        #expect(help.status == 0 && help.output.contains("ctrl and wheel to zoom"))
    }
}
