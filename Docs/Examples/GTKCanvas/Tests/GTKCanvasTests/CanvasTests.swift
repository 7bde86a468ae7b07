import AsyncLayers
import CairoRendering
import Foundation
import Testing

@testable import GTKCanvas

@Suite("A board in a GTK window", .serialized, .timeLimit(.minutes(2)))
struct CanvasTests {
    /// Runs the program on a display of its own; returns its status and what it printed.
    private func run(_ arguments: [String], _ scale: Int = 1) async throws -> (status: Int32, output: String)
    {
        let (process, output) = (Process(), Pipe())
        // The tests' own program lies beside it.
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let program = URL(filePath: tests).deletingLastPathComponent().appending(path: "GTKCanvas").path
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            ["xvfb-run", "-a", "-s", "-screen 0 1800x1200x24", "timeout", "60", program] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging([
            "GDK_BACKEND": "x11", "GDK_SCALE": "\(scale)", "GSK_RENDERER": "cairo",
            "LIBGL_ALWAYS_SOFTWARE": "1",
        ]) { $1 }
        (process.standardOutput, process.standardError) = (output, output)
        let (end, continuation) = AsyncStream<Void>.makeStream()
        process.terminationHandler = { _ in continuation.finish() }
        try process.run()
        for await _ in end {}
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }

    /// What the window shows at the end of the tour, drawn at once, without tiles.
    @MainActor
    private func expected(width: Int, height: Int, scale: Int) throws -> CairoImage {
        let (ball, origin, zoom) = CanvasProgram.tour.last!
        let (renderer, scale) = (CairoRenderer(), zoom * Double(scale))
        let context = try renderer.makeContext(
            ContextDescription(
                pixelWidth: width, pixelHeight: height, scale: scale, pixelOriginX: Int(origin.x * scale),
                pixelOriginY: Int(origin.y * scale)))
        let size = Size(width: Double(width), height: Double(height)) * (1 / scale)
        context.fill(Rect(origin: origin, size: size), with: Board.background)
        try Board(ball: ball).draw(in: context, area: Rect(origin: origin, size: size))
        return try renderer.makeContents(from: context)
    }

    @Test(
        "shows after edits, a pan and a zoom what one picture would",
        arguments: [([], 1), ([], 2), (["--gl"], 1), (["--gl"], 2)])
    func picture(arguments: [String], scale: Int) async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "GTKCanvas-\(UUID()).png").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let result = try await run(arguments + ["--screenshot", path], scale)
        try #require(result.status == 0, "\(result.output)")
        let picture = try ImageDecoder().decode(contentsOfFile: path)
        #expect(picture.pixelWidth == 800 * scale && picture.pixelHeight == 500 * scale)
        let expected = try await expected(width: 800 * scale, height: 500 * scale, scale: scale)
        var (count, largest) = (0, 0)
        for y in 0..<picture.pixelHeight {
            for x in 0..<picture.pixelWidth where picture[x: x, y: y] != expected[x: x, y: y] {
                let channels = [0, 8, 16].map { (shift: UInt32) in
                    Int(picture[x: x, y: y] >> shift & 0xFF) - Int(expected[x: x, y: y] >> shift & 0xFF)
                }
                largest = max(largest, channels.map(abs).max()!)
                if channels.contains(where: { abs($0) > 3 }) { count += 1 }
            }
        }
        // Blending in another order rounds otherwise, and Cairo does where a tile's edge cuts a curve.
        #expect(
            largest <= 20 && count * 5_000 <= 400_000, "\(count) pixels differ, by up to \(largest) of 255")
    }

    @Test("is not shown where the command line makes no sense")
    func usage() async throws {
        for arguments in [["--bogus"], ["--screenshot"]] {
            let result = try await run(arguments)
            #expect(result.status == 64 && result.output.contains("usage: GTKCanvas"), "\(result.output)")
        }
    }
}
