import Foundation
import Testing

@testable import Canvas

@Suite("The program", .timeLimit(.minutes(3)))
struct CanvasProgramTests {
    /// Runs it without a display, and waits for its end.
    private func run(_ arguments: [String]) async throws -> (status: Int32, output: String, errors: String) {
        let (process, output, errors) = (Process(), Pipe(), Pipe())
        // The tests' own program lies beside it.
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        process.executableURL = URL(filePath: tests).deletingLastPathComponent().appending(path: "Canvas")
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment
            .filter { !["DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"].contains($0.key) }
        (process.standardOutput, process.standardError) = (output, errors)
        let (end, continuation) = AsyncStream<Void>.makeStream()
        process.terminationHandler = { _ in continuation.finish() }
        try process.run()
        for await _ in end {}
        func text(_ pipe: Pipe) throws -> String {
            String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        }
        return (process.terminationStatus, try text(output), try text(errors))
    }

    @Test("makes a tour without a display, on which each stop at rest is as it should be")
    func tour() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "CanvasTests-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let result = try await run(["--screenshots", folder.path, "--seed", "11"])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.split(separator: "\n").count { $0.contains(": ok") } == 6, "\(result.output)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        let stops = await MainActor.run { Tour.Stop.all.map { $0.name + ".png" } }
        #expect(names == stops)
    }

    @Test(
        "says what is wrong with its options",
        arguments: [
            ["--items", "0"], ["--items", "many"], ["--seed", "-1"], ["--screenshots", ""], ["--nonsense"],
        ])
    func usage(arguments: [String]) async throws {
        let result = try await run(arguments)
        #expect(result.status == 64)
        #expect(result.errors.contains("Error: ") && result.errors.contains(arguments[0]))
    }

    @Test("helps, and ends with a status of its own where it cannot write")
    func help() async throws {
        let help = try await run(["--items", "0", "--help"])
        #expect(help.status == 0 && help.output.contains("ctrl and wheel to zoom"))
        let result = try await run(["--screenshots", "/proc/nowhere"])
        #expect(result.status == 73)
        #expect(result.errors == "Canvas: the folder '/proc/nowhere' cannot be made\n")
    }
}
