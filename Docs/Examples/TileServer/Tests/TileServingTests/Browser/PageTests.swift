import CairoRendering
import Foundation
import QueuePools
import Testing
import TileServing

@Suite("The page in a browser", .timeLimit(.minutes(5)))
struct PageTests {
    private static let (width, height) = (768, 512)

    /// Opens the page at a place, and waits until all of its tiles are shown.
    private func open(_ server: TestServer, at place: String) async throws -> Browser {
        let browser = try await Browser(width: Self.width, height: Self.height)
        try await browser.open("http://127.0.0.1:\(server.port)/#\(place)")
        try await ready(browser, at: place)
        return browser
    }

    private func ready(_ browser: Browser, at place: String) async throws {
        try await eventually {
            try await browser.evaluate("document.body?.dataset.state + document.body?.dataset.view")
                == "ready\(place)"
        }
    }

    /// Checks the pixels around the middle of the page, which no button covers, against the tiles that meet
    /// there.
    private func expectMiddle(_ browser: Browser, _ picture: Mandelbrot, z: Int, x: Int, y: Int) async throws
    {
        let png = try await browser.screenshot()
        let shown = try ImageDecoder().decode(png)
        #expect((shown.pixelWidth, shown.pixelHeight) == (Self.width, Self.height))
        let (middleX, middleY, reach) = (Self.width / 2, Self.height / 2, 150)
        for (dx, dy) in [(-1, -1), (0, -1), (-1, 0), (0, 0)] {
            let tile = picture.pixels(of: try TileAddress(z: z, x: x + dx, y: y + dy))
            func span(_ part: Int) -> Range<Int> { part < 0 ? 256 - reach..<256 : 0..<reach }
            let expected = span(dy).flatMap { row in span(dx).map { tile[row * 256 + $0] } }
            let found = shown.pixels(
                x: middleX + dx * reach..<middleX + (dx + 1) * reach,
                y: middleY + dy * reach..<middleY + (dy + 1) * reach)
            #expect(found == expected, "tile \(z)/\(x + dx)/\(y + dy)")
            #expect(Set(found).count > 50, "the page is blank")
        }
    }

    @Test("shows the tiles, pixel for pixel, and so it does when it was dragged and zoomed")
    func shows() async throws {
        let picture = Mandelbrot()
        try await TestServer.run(picture) { server in
            // A corner of four tiles is in the middle of the page.
            let browser = try await open(server, at: "3/0.375/0.375")
            try await expectMiddle(browser, picture, z: 3, x: 3, y: 3)
            if let path = ProcessInfo.processInfo.environment["SCREENSHOT"] {
                try await Data(browser.screenshot()).write(to: URL(fileURLWithPath: path))
            }

            try await browser.drag(from: (500, 300), by: (-256, -256))
            try await ready(browser, at: "3/0.5/0.5")
            try await expectMiddle(browser, picture, z: 3, x: 4, y: 4)

            // At the middle, which stays where it is.
            try await browser.turnWheel(1, at: (Self.width / 2, Self.height / 2))
            try await ready(browser, at: "4/0.5/0.5")
            try await expectMiddle(browser, picture, z: 4, x: 8, y: 8)
            try await eventually { try await browser.evaluate("location.hash") == "#4/0.5/0.5" }
            #expect(server.store.counts.failed == 0)
        }
    }

    @Test("shows the old tiles, larger, while those of a new zoom are missing")
    func doesNotFlash() async throws {
        let picture = Mandelbrot()
        try await TestServer.run(picture) { server in
            let browser = try await open(server, at: "3/0.375/0.375")
            // The neighbours too, so that all threads can be held.
            try await eventually { server.store.counts.drawsFinished == 24 }
            let gate = try await server.pool.hold(.userInitiated)
            try await browser.turnWheel(1, at: (Self.width / 2, Self.height / 2))
            try await eventually {
                try await browser.evaluate("document.body.dataset.view") == "4/0.375/0.375"
                    && server.pool.waiting > 0
            }
            let shown = try await ImageDecoder().decode(browser.screenshot())
            #expect(try await browser.evaluate("document.body.dataset.state") == "loading")
            gate.open()
            let tile = picture.pixels(of: try TileAddress(z: 3, x: 2, y: 2))
            // Two pixels for one, smoothed: of a smooth region the colours stay nearly the same.
            for part in stride(from: 10, to: 120, by: 10) {
                let (found, old) = (
                    shown[x: Self.width / 2 - 2 * part, y: Self.height / 2 - 240],
                    tile[(256 - 120) * 256 + 256 - part]
                )
                for shift in [0, 8, 16] as [UInt32] {
                    #expect(abs(Int(found >> shift & 0xFF) - Int(old >> shift & 0xFF)) < 24)
                }
            }
            try await ready(browser, at: "4/0.375/0.375")
        }
    }

    @Test("asks for the neighbours, but not before all in view is there")
    func prefetches() async throws {
        try await TestServer.run { server in
            let gate = try await server.pool.hold(.userInitiated)
            let browser = try await Browser(width: Self.width, height: Self.height)
            try await browser.open("http://127.0.0.1:\(server.port)/#6/0.5/0.5")
            try await eventually { server.pool.waiting == 6 }
            let status = try await browser.evaluate("document.getElementById('status').textContent")
            #expect(status == "zoom 6 · 8 tiles in view · 8 pending")
            gate.open()
            // 4 by 2 tiles are in view, 6 by 4 with their neighbours.
            try await eventually { server.store.counts.drawsFinished == 24 }
            try await ready(browser, at: "6/0.5/0.5")
            #expect(server.pool.statistics[.utility].finished > 0)
        }
    }

    @Test("a prefetched tile that comes into view is raised, not begun again")
    func raises() async throws {
        try await TestServer.run { server in
            let gate = try await server.pool.hold(.utility)
            let browser = try await open(server, at: "6/0.5/0.5")
            // A few at a time, so that connections are left for the view. The first are above the view, then
            // below.
            try await eventually { server.pool.waiting == 3 }
            try await browser.drag(from: (300, 200), by: (0, 256))
            try await ready(browser, at: "6/0.5/0.484375")
            // Two were above, and are jobs of another tier now; the third has left.
            #expect(server.store.counts.raised == 2)
            try await eventually { server.pool.total(\.cancelled) == 3 }
            gate.open()
        }
    }

    @Test("a tile that was refused to the neighbours is asked for at once when it comes into view")
    func asksAgain() async throws {
        try await TestServer.run(limits: TileStoreLimits(waitingTiles: 16)) { server in
            let gates = try await [server.pool.hold(.utility), server.pool.hold(.userInitiated)]
            // No more than these may be prefetched.
            let others = try (0..<8).map { number in
                let client = try Client(port: server.port)
                try client.send("/tiles/9/\(number)/0.png?prefetch=1")
                return client
            }
            try await eventually { server.pool.waiting == 8 }
            let browser = try await Browser(width: Self.width, height: Self.height)
            try await browser.open("http://127.0.0.1:\(server.port)/#6/0.5/0.5")
            try await eventually { server.pool.waiting == 14 }
            // What it would try again by itself, it does not.
            _ = try await browser.evaluate("window.setTimeout = () => 0")
            gates[1].open()
            try await eventually { server.store.counts.refused == 3 }
            try await ready(browser, at: "6/0.5/0.5")
            try await browser.drag(from: (300, 200), by: (0, 256))
            try await ready(browser, at: "6/0.5/0.484375")
            gates[0].open()
            withExtendedLifetime(others) {}
        }
    }

    @Test("the address is written when the view rests, not in every frame")
    func address() async throws {
        try await TestServer.run { server in
            let browser = try await open(server, at: "3/0.375/0.375")
            try await eventually { try await browser.evaluate("location.hash") == "#3/0.375/0.375" }
            _ = try await browser.evaluate(
                """
                (window.timers = [], window.setTimeout = (body) => timers.push(body), window.written = 0,
                 history.replaceState = (...all) => { written++; History.prototype.replaceState.apply(history, all); })
                """)
            try await browser.drag(from: (500, 300), by: (-256, -256))
            try await ready(browser, at: "3/0.5/0.5")
            #expect(try await browser.evaluate("[written, location.hash]") == "0,#3/0.375/0.375")
            // All of them: what has been written need not be again.
            _ = try await browser.evaluate("timers.forEach((body) => body())")
            #expect(try await browser.evaluate("[written, location.hash]") == "1,#3/0.5/0.5")
        }
    }

    @Test("an address that is typed as the view comes to rest is not written over")
    func typedAddress() async throws {
        try await TestServer.run { server in
            let browser = try await open(server, at: "3/0.375/0.375")
            _ = try await browser.evaluate(
                "(window.timers = [], window.setTimeout = (body) => timers.push(body), 0)")
            try await browser.drag(from: (500, 300), by: (-256, -256))
            try await ready(browser, at: "3/0.5/0.5")
            _ = try await browser.evaluate(
                "(location.hash = '#3/0.625/0.625', timers.forEach((body) => body()))")
            try await ready(browser, at: "3/0.625/0.625")
        }
    }

    @Test("a second finger does not move the map")
    func fingers() async throws {
        try await TestServer.run { server in
            let browser = try await open(server, at: "3/0.5/0.5")
            try await browser.touch("touchStart", [(300, 300)])
            try await browser.touch("touchStart", [(300, 300), (500, 200)])
            try await browser.touch("touchMove", [(300, 300), (600, 250)])
            try await browser.touch("touchMove", [(172, 300), (600, 250)])
            try await browser.touch("touchMove", [(44, 300), (500, 200)])
            try await browser.touch("touchEnd", [])
            try await ready(browser, at: "3/0.625/0.5")
        }
    }

    @Test("tiles that leave the view are abandoned, and the server draws none of them")
    func givesUp() async throws {
        let picture = TestPicture()
        try await TestServer.run(picture) { server in
            let gate = try await server.pool.hold(.userInitiated)
            // Four tiles: a browser asks one server for six at a time, so none is asked for later.
            let browser = try await Browser(width: 512, height: 512)
            try await browser.open("http://127.0.0.1:\(server.port)/#8/0.25/0.25")
            try await eventually { server.pool.waiting == 4 }
            _ = try await browser.evaluate("location.hash = '#8/0.75/0.75'")
            try await eventually {
                server.pool.total(\.cancelled) == 4 && server.pool.waiting == 4
            }
            gate.open()
            try await ready(browser, at: "8/0.75/0.75")
            #expect(picture.rows.allSatisfy { $0.tile.x > 128 })
        }
    }
}
