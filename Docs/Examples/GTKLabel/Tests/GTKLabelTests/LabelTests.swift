import CairoRendering
import Foundation
import Testing

@Suite("The label in a GTK window", .serialized, .timeLimit(.minutes(5)))
struct LabelTests {
    private let display: VirtualDisplay

    init() throws { display = try VirtualDisplay() }

    /// The window's picture.
    private func screenshot(scale: Int) throws -> CairoImage {
        let path = NSTemporaryDirectory() + "gtk-label-\(UUID().uuidString).png"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try display.label(scale: scale).run(["--screenshot", path, "--quit-after", "60"])
        return try ImageDecoder().decode(contentsOfFile: path, scale: Double(scale))
    }

    @Test("shows its text, its links and its mentions")
    func picture() throws {
        let image = try screenshot(scale: 1)
        #expect(image.pixelWidth == 460)
        #expect(image.pixelHeight == 280)
        let text = image.pixels(above: 220)
        #expect(text.count { $0.isNear(31, 31, 31) } > 1_000)
        #expect(text.count { $0.isNear(13, 89, 217) } > 80)
        #expect(text.count { $0.isNear(166, 38, 115) } > 80)
        // Between the letters there is the window.
        #expect(text.count { $0.isNear(246, 245, 244) } > 60_000)
    }

    @Test("is drawn as finely as its screen is")
    func scale() throws {
        let coarse = try screenshot(scale: 1)
        let fine = try screenshot(scale: 2)
        #expect(fine.pixelWidth == 2 * coarse.pixelWidth)
        let (small, large) = (
            coarse.pixels(above: 220).count { $0.isNear(13, 89, 217) },
            fine.pixels(above: 440).count { $0.isNear(13, 89, 217) }
        )
        // Four times the area, of which less lies on a letter's edge.
        #expect(large > 4 * small)
    }

    @Test("does not flash when text and size change in every frame")
    func storm() throws {
        let lines = try display.label().run(["--storm", "--quit-after", "2", "--log"])
        let statistics = try #require(lines.last?.split(separator: " "))
        #expect(try #require(Int(statistics[0])) > 10)  // frames
        #expect(try #require(Int(statistics[2])) > 5)  // pictures
        #expect(try #require(Int(statistics[4])) == 0)  // blank frames
    }

    @Test("says which link was clicked, and none where the pointer was released elsewhere")
    func click() throws {
        let program = try display.label().start(["--log", "--quit-after", "60"])
        var places: [String: String] = [:]
        while let line = program.nextLine(), line != "shown" {
            let parts = line.components(separatedBy: " at ")
            if parts.count == 2 { places[parts[0]] = parts[1] }
        }
        let link = try #require(places["link https://pango.gnome.org"])
        let mention = try #require(places["mention anna"])
        try display.point("mousemove \(link) click 1")
        #expect(try program.waitForLine("clicked") == "clicked: link https://pango.gnome.org")
        try display.point("mousemove \(link) mousedown 1 mousemove 5 200 mouseup 1")
        try display.point("mousemove \(mention) click 1")
        #expect(try program.waitForLine("clicked") == "clicked: mention anna")
    }

    @Test("is drawn again when the window has got another size")
    func resize() throws {
        let program = try display.label().start(["--log", "--quit-after", "60"])
        #expect(try program.waitForLine("picture of").hasPrefix("picture of 428 ×"))
        try program.waitForLine("shown")
        try display.point("search --onlyvisible --name GTKLabel windowsize 700 400")
        try program.waitForLine("picture of 668 ×")
    }

    @Test("costs its main thread no wake-up in a second in which nothing happens")
    func idle() throws {
        let program = try display.label().start(["--log", "--quit-after", "60"])
        try program.waitForLine("shown")
        // What GTK still has to do for a new window; a loop that polls never comes to rest.
        var before = try program.mainThreadWaits()
        for _ in 0..<25 {
            Thread.sleep(forTimeInterval: 0.2)
            let now = try program.mainThreadWaits()
            defer { before = now }
            if now == before { break }
        }
        Thread.sleep(forTimeInterval: 1)
        #expect(try program.mainThreadWaits() == before)
    }

    @Test("is not shown where the command line makes no sense, or there is no display")
    func errors() throws {
        for arguments in [["--bogus"], ["--quit-after"], ["--quit-after", "soon"], ["--screenshot"]] {
            let lines = try display.label().run(arguments, status: 64)
            #expect(lines.contains { $0.hasPrefix("usage: GTKLabel") })
        }
        #expect(try display.label().run(["--help"]).first?.hasPrefix("usage: GTKLabel") == true)
        var program = try display.label()
        program.environment["DISPLAY"] = ":none"
        let lines = try program.run([], status: 1)
        #expect(lines.contains { $0.contains("no display") })
    }
}

extension RunningProgram {
    /// How often the main thread has left a processor because it waited for something.
    fileprivate func mainThreadWaits() throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(id)/task/\(id)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
        return try #require(line?.split(separator: "\t").last.flatMap { Int($0) })
    }
}

extension CairoImage {
    /// All pixels of the rows above one.
    fileprivate func pixels(above row: Int) -> [UInt32] {
        (0..<row).flatMap { y in (0..<pixelWidth).map { self[x: $0, y: y] } }
    }
}

extension UInt32 {
    /// Whether a pixel has this colour, but for rounding.
    fileprivate func isNear(_ red: Int, _ green: Int, _ blue: Int) -> Bool {
        let channels = [16, 8, 0].map { Int(self >> $0 & 0xFF) }
        return zip(channels, [red, green, blue]).allSatisfy { abs($0 - $1) <= 3 }
    }
}
