import AsyncLayers
import CairoRendering
import FeedKit
import Foundation
import Testing

@testable import SDLFeed

@MainActor
@Suite("The program's window", .serialized, .timeLimit(.minutes(3)))
struct WindowTests {
    private let server: XServer
    private let folder: ProgramFiles
    private static let cells = 300

    init() throws {
        server = try XServer()
        folder = try ProgramFiles()
    }

    /// Runs a script and returns the window's last picture and the figures.
    private func play(
        _ script: String, _ more: [String] = []
    ) async throws -> (picture: CairoImage, figures: Figures) {
        let result = try await FeedProgram.run(
            [
                "--cells", "\(Self.cells)", "--script", script, "--screenshot", folder.path("window.png"),
                "--json",
                folder.path("figures.json"),
            ] + more, display: server.display)
        try #require(result.status == 0, "\(result.errors)")
        let picture = try ImageDecoder().decode(contentsOfFile: folder.path("window.png"))
        return (picture, try folder.figures("figures.json"))
    }

    /// Compares the window's picture with what its rows look like when they are drawn alone.
    private func expectRows(
        in picture: CairoImage, at offset: Double, of feed: ExampleFeed, liked: Set<Int> = []
    ) throws {
        let top = Int(WindowMeasures.titleHeight)
        let offset = Int(offset.rounded())
        let height = picture.pixelHeight - top
        let column = feed.column
        let rows = column.rows(at: Double(offset), viewportHeight: Double(height))
        #expect(!rows.isEmpty)
        for row in rows {
            let cell = try feed.picture(of: row, isLiked: liked.contains(row))
            let first = Int(column.top(of: row)) - offset
            let visible = max(first, 0)..<min(first + cell.pixelHeight, height)
            let shown = picture.rows(visible.lowerBound + top..<visible.upperBound + top)
            let expected = cell.rows(visible.lowerBound - first..<visible.upperBound - first)
            #expect(shown == expected, "row \(row)")
            #expect(Set(expected.joined()).count > 1)
        }
    }

    @Test("shows every post in view after a flick, pixel by pixel, and no blank cell once it rests")
    func flick() async throws {
        let feed = try ExampleFeed(cells: Self.cells)
        let (picture, figures) = try await play("flick:-5000,rest")
        #expect(picture.pixelWidth == 420)
        #expect(figures.offset > 2_000)
        #expect(figures.blankCellsAtRest == 0)
        #expect(figures.flashes == 0)
        try expectRows(in: picture, at: figures.offset, of: feed)

        // Text is dark on white, photos have many colours.
        let pixels = picture.rows(Int(WindowMeasures.titleHeight)..<picture.pixelHeight).joined()
        #expect(pixels.count { $0 >> 16 < 0x40 && $0 & 0xFF < 0x50 } > 500)
        #expect(Set(pixels).count > 1_000)
        // The bar above has its title and the meter.
        let bar = picture.rows(0..<Int(WindowMeasures.titleHeight))
        #expect(bar.contains { $0[..<100].contains { $0 >> 16 < 0x40 } })
        #expect(bar.contains { $0[250...].contains { $0 >> 16 < 0x80 } })
    }

    @Test("goes by the wheel, by drags and by keys, to the other end without drawing what lies between")
    func input() async throws {
        let feed = try ExampleFeed(cells: Self.cells)
        #expect(try await play("wheel:-20,wait").figures.offset == 1_200)
        #expect(try await play("drag:-250,wait").figures.offset == 250)
        #expect(try await play("key:pagedown,wait,key:up,wait").figures.offset == 600)
        let (picture, figures) = try await play("key:end,wait")
        #expect(figures.offset == feed.column.contentHeight - WindowMeasures.feed.height)
        // Those in view at times on the way, but not all.
        #expect(figures.picturesDrawn < Self.cells / 2)
        #expect(figures.blankCellsAtRest <= 4)
        try expectRows(in: picture, at: figures.offset, of: feed)
    }

    @Test("draws a post again that is liked, without a flash")
    func like() async throws {
        let feed = try ExampleFeed(cells: Self.cells)
        let heart = feed.layouts[0].heart
        let (x, y) = (heart.minX + 20, heart.minY + 12 + WindowMeasures.titleHeight)
        let (picture, figures) = try await play("wait,click:\(x):\(y)")
        #expect(figures.flashes == 0)
        #expect(figures.offset == 0)
        try expectRows(in: picture, at: 0, of: feed, liked: [0])
    }

    @Test("counts the pictures of cells, and not those of the bar above")
    func counts() async throws {
        let figures = try await play("wait", ["--cells", "1"]).figures
        #expect(figures.rowsShown == 1)
        #expect(figures.picturesDrawn == 1)
    }

    @Test("shows the same in twice the pixels", arguments: [DrawMode.layers, .synchronous])
    func scale(mode: DrawMode) async throws {
        let (picture, figures) = try await play("wait", ["--scale", "2", "--mode", mode.rawValue])
        #expect(picture.pixelWidth == 840)
        #expect(figures.scale == 2)
        #expect(figures.mode == mode.rawValue)
        let pixels = picture.rows(100..<600).joined()
        #expect(Set(pixels).count > 1_000)
    }

    @Test("sleeps while nothing happens, and ends at a signal")
    func idle() async throws {
        let program = try FeedProgram(
            ["--cells", "40", "--json", folder.path("figures.json")], display: server.display)
        let id = program.process.processIdentifier
        defer { if program.process.isRunning { program.process.terminate() } }
        /// How often the main thread has gone to sleep.
        func sleeps() -> Int? {
            let status = try? String(contentsOfFile: "/proc/\(id)/task/\(id)/status", encoding: .utf8)
            let line = status?.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
            return line?.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) }
        }
        // There comes a half second in which nothing wakes it. One that polls wakes up thirty times.
        let deadline = Date(timeIntervalSinceNow: 60)
        var last = sleeps()
        var isAsleep = false
        while !isAsleep, Date.now < deadline, program.process.isRunning {
            try await Task.sleep(for: .milliseconds(500))
            let now = sleeps()
            isAsleep = now != nil && now == last && (now ?? 0) > 5
            last = now
        }
        #expect(isAsleep)
        program.process.terminate()  // SDL makes of it what closing the window is
        #expect(try await program.result().status == 0)
        #expect(try folder.figures("figures.json").rowsShown > 1)
    }
}
