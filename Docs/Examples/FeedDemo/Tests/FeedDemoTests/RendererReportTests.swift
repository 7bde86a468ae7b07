import FeedKit
import Foundation
import Testing

@testable import FeedDemo

@Suite("Report of several renderers", .timeLimit(.minutes(5)))
struct RendererReportTests {
    private let report = SampleReport.report(renderers: FeedRenderer.allCases, screenshot: [1, 2, 3])

    @Test("summary.json has the figures of each, and how high its cells are")
    func json() throws {
        let decoded = try JSONDecoder().decode(Summary.self, from: report.summary.json())
        #expect(decoded == report.summary)
        #expect(decoded.layouts.map(\.renderer) == [.bitmap, .cairo])
        #expect(decoded.layouts.map(\.contentHeight) == [90_000, 120_000])
        let modes = FeedMode.allCases
        #expect(decoded.modes.map(\.mode) == modes + modes)
        #expect(decoded.modes.map(\.renderer) == modes.map { _ in .bitmap } + modes.map { _ in .cairo })
    }

    @Test("each figure has a row for each renderer, the name before the first only")
    func rows() throws {
        let table = try #require(FigureTable(of: .scroll, from: report.summary.modes))
        #expect(table.modes == FeedMode.allCases.filter { $0.scenario == .scroll })
        #expect(table.results.map(\.renderer) == [.bitmap, .cairo])
        let page = FigureTableMarkup.html(table)
        for figure in table.figures {
            let name = "<th scope=\"rowgroup\" rowspan=\"2\">\(Markup.escape(figure.name))<span>"
            let start = try #require(page.range(of: name)).upperBound
            let rows = page[start...].split(separator: "\n").prefix(2)
            for (row, results) in zip(rows, table.results) {
                let cells = results.modes.map { "<td>\(Markup.escape(figure.value($0)))</td>" }.joined()
                #expect(row.contains(">\(results.renderer.name)</th>\(cells)</tr>"))
            }
        }
    }

    @Test("in a terminal too, all lines of one length")
    func lines() throws {
        let table = try #require(FigureTable(of: .storm, from: report.summary.modes))
        let lines = TextTable.text(table).split(separator: "\n")
        #expect(lines.count == 2 * table.figures.count + 1)
        #expect(Set(lines.map(\.count)).count == 1)
        for (index, line) in lines.dropFirst().enumerated() {
            #expect(line.contains(index.isMultiple(of: 2) ? " bitmap " : " cairo "))
            #expect((line.first == " ") == !index.isMultiple(of: 2))
        }
    }

    @Test("cards, headline, charts and screenshots are there for each, and the page says why they differ")
    func page() {
        let page = HTMLReport.page(report)
        func count(_ text: String) -> Int { page.components(separatedBy: text).count - 1 }
        for renderer in FeedRenderer.allCases {
            // A card for each mode, and two charts.
            #expect(count("<h4>\(renderer.name)</h4>") == FeedMode.allCases.count + 2)
            #expect(page.contains("<p>With \(renderer.name): The scroll hitches for"))
            #expect(page.contains("<figcaption>\(renderer.name)</figcaption>"))
        }
        // In the end, and of two modes during the scroll.
        #expect(count("data:image/png") == 2 * 3)
        #expect(page.contains("<figcaption>cairo, layered: "))
        #expect(page.contains("90000 points high") && page.contains("120000 points high"))
        #expect(page.contains("lead past other cells"))
    }

    @Test("of one renderer it compares nothing, and names it unless it is the embedded one")
    func one() {
        let bitmap = HTMLReport.page(SampleReport.report(screenshot: [1]))
        #expect(!bitmap.contains("<h4>") && !bitmap.contains("bitmap, "))
        #expect(!bitmap.contains("points high"))
        let cairo = HTMLReport.page(SampleReport.report(renderers: [.cairo], screenshot: [1]))
        #expect(!cairo.contains("<h4>") && !cairo.contains("other cells"))
        #expect(cairo.contains("The feed is drawn with cairo (Cairo: text by Pango"))
    }

    @Test("charts that are compared have one scale, that of the slowest")
    func scale() throws {
        let slow = try run(work: 30_000_000)
        let fast = try run(work: 1_000_000)
        func chart(_ run: ModeRun, _ others: [ModeRun]) -> String {
            let journey = ReadingJourney(frames: 10, contentHeight: 1, viewportHeight: 1, hz: 100)
            return FrameTimeChart(runs: [run], journey: journey, hz: 100, comparedWith: others).svg()
        }
        // The labels at the budget and above it.
        #expect(!chart(fast, []).contains(">40</text>"))
        #expect(chart(fast, [fast, slow]).contains(">40</text>"))
        #expect(chart(slow, [fast, slow]).contains(">40</text>"))
    }

    private func run(work: UInt64) throws -> ModeRun {
        var recorder = FrameRecorder(grid: FrameGrid(hz: 100, origin: 0), frameCount: 10)
        for _ in 0..<10 {
            let begin = recorder.nextFrameTime
            recorder.record(begin: begin, end: begin + work)
        }
        return ModeRun(
            renderer: .bitmap, mode: .baseline, recorder: recorder, passes: PassCounts(), peakThreads: nil,
            peakBytesInFlight: 0, finalOffset: 0)
    }

    @Test("each has a screenshot of its own among the files")
    func files() throws {
        let folder = try TemporaryFolder()
        try report.write(to: OutputFolder(path: folder.path))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let pictures = FeedRenderer.allCases.flatMap { renderer in
            [nil, .yyAsyncLayer, .layered].map { renderer.screenshotName($0) }
        }
        #expect(pictures.contains("feed.png") && pictures.contains("feed-cairo-layered.png"))
        #expect(Set(names) == Set(pictures + ["report.html", "summary.json"]))
    }

    @Test("last pictures are compared with one another, and the page warns when one differs")
    func lastPictures() {
        func picture(_ red: UInt8) -> Screenshot {
            Screenshot(pixelWidth: 1, pixelHeight: 1, rgba: [red, 0, 0, 255])
        }
        var pictures = LastPictures()
        #expect(pictures.areEqual && pictures.last == nil)
        for _ in 0..<3 { pictures.add(picture(7)) }
        #expect(pictures.areEqual)
        pictures.add(picture(8))
        pictures.add(picture(8))
        #expect(!pictures.areEqual)
        #expect(pictures.last?.rgba.first == 8)
        let warning = "the last picture is not the same"
        #expect(!HTMLReport.page(report).contains(warning))
        #expect(HTMLReport.page(SampleReport.report(lastPicturesAreEqual: false)).contains(warning))
    }

    @Test("the command that is shown builds the renderers in")
    func command() {
        #expect(
            FeedRenderer.command([.bitmap])
                == "swift run -c release --package-path Docs/Examples/FeedDemo FeedDemo")
        #expect(
            FeedRenderer.command([.bitmap, .cairo])
                == "swift run -c release --package-path Docs/Examples/FeedDemo --traits Cairo FeedDemo")
        #expect(HTMLReport.page(report).contains(FeedRenderer.command()))
    }
}
