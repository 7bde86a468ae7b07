import FeedKit
import Foundation
import Testing

@testable import FeedDemo

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite("Report", .timeLimit(.minutes(5)))
struct ReportTests {
    @Test("summary.json has the machine, the input, and an array of modes with the promised names")
    func json() throws {
        let report = SampleReport.report()
        let data = try report.summary.json()
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let machine = try #require(object["machine"] as? [String: Any])
        #expect(Set(machine.keys) == ["operatingSystem", "architecture", "activeProcessors", "isRoot"])
        let input = try #require(object["input"] as? [String: Any])
        #expect(input["cells"] as? Int == 600)
        #expect(input["files"] as? Int == 9)
        #expect(object["hz"] as? Int == 120)
        let modes = try #require(object["modes"] as? [[String: Any]])
        #expect(modes.map { $0["mode"] as? String } == FeedMode.allCases.map(\.name))
        for mode in modes {
            for name in [
                "hz", "frames", "framesOverBudget", "hitchMillisecondsPerSecond", "drawnButNeverShownRatio",
                "emptyCellRatio", "draftCellRatio", "peakThreads", "peakBytesInFlight", "finalOffset",
            ] {
                #expect(mode[name] is NSNumber, "\(name)")
            }
            #expect(mode["frames"] as? Int == 900)
            let mainThread = try #require(mode["mainThreadMilliseconds"] as? [String: Any])
            #expect(Set(mainThread.keys) == ["p50", "p99", "max"])
            let passes = try #require(mode["passes"] as? [String: Any])
            #expect(
                Set(passes.keys).isSuperset(of: ["begun", "committed", "superseded", "cancelled", "failed"]))
            let superseded = try #require(passes["superseded"] as? [String: Any])
            #expect(Set(superseded.keys) == ["waiting", "drawing", "committing"])
            let storm = mode["storm"] as? [String: Any]
            #expect((storm != nil) == (mode["scenario"] as? String == "storm"))
            #expect((mode["passesAgain"] == nil) == (storm != nil))
            if let storm {
                let names = ["cells", "newPicturesPerSecond", "longestWithoutNewPictureMilliseconds"]
                #expect(Set(storm.keys) == Set(names))
            }
        }
        #expect(try JSONDecoder().decode(Summary.self, from: data) == report.summary)
        #expect(try JSONDecoder().decode(Summary.self, from: data) == report.summary)
    }

    @Test("summary.json names no host, no user and no path")
    func anonymous() throws {
        let text = String(decoding: try SampleReport.report().summary.json(), as: UTF8.self)
        #expect(!text.contains(ProcessInfo.processInfo.hostName) || ProcessInfo.processInfo.hostName.isEmpty)
        #expect(!text.contains(FileManager.default.currentDirectoryPath))
    }

    @Test("A mode without frames, and figures that are not finite, still make JSON")
    func finite() throws {
        let run = ModeRun(
            renderer: .bitmap, mode: .layered,
            recorder: FrameRecorder(grid: FrameGrid(hz: 60, origin: 0), frameCount: 0),
            passes: PassCounts(), peakThreads: nil, peakBytesInFlight: -1, finalOffset: .nan)
        let data = try JSONEncoder().encode(run.result)
        let decoded = try JSONDecoder().decode(ModeResult.self, from: data)
        #expect(decoded.hitchMillisecondsPerSecond == 0)
        #expect(decoded.drawnButNeverShownRatio == 0)
        #expect(decoded.peakThreads == nil)
        #expect(decoded.finalOffset == 0)
    }

    @Test(
        "The page is well-formed, after any modes",
        arguments: [
            (900, FeedMode.allCases), (1, [.layered]), (7, [.baseline]), (20_000, [.baseline, .layered]),
            (20_000, [.storm]), (1, [.storm]), (0, []), (0, FeedMode.allCases),
        ], [[FeedRenderer.bitmap], FeedRenderer.allCases])
    func wellFormed(run: (frames: Int, modes: [FeedMode]), renderers: [FeedRenderer]) {
        let page = HTMLReport.page(
            SampleReport.report(
                frames: run.frames, modes: run.modes, renderers: renderers, screenshot: [1, 2, 3]))
        let parser = XMLParser(data: Data(page.utf8))
        #expect(parser.parse(), "line \(parser.lineNumber): \(String(describing: parser.parserError))")
        #expect(page.count < 1_500_000)
        for forbidden in ["http:", "https:", "<script", "nan", "inf ms"] {
            let text = page.replacingOccurrences(of: "http://www.w3.org/", with: "")
            #expect(!text.contains(forbidden))
        }
    }

    @Test("The page shows every figure of every mode, the budget, the picture and the explanations")
    func content() {
        let report = SampleReport.report(screenshot: Array("picture".utf8))
        let page = HTMLReport.page(report)
        #expect(report.summary.tables.count == 2)
        for table in report.summary.tables {
            for figure in table.figures {
                #expect(page.contains(Markup.escape(figure.name)))
                #expect(page.contains(Markup.escape(figure.explanation)))
                for result in table.results.flatMap(\.modes) {
                    #expect(page.contains("<td>\(Markup.escape(figure.value(result)))</td>"))
                }
            }
        }
        for mode in FeedMode.allCases {
            #expect(page.contains("<section class=\"card \(mode.name)\"><h3>\(mode.name)</h3>"))
            #expect(page.contains("--\(mode.name): \(mode.accent.onLight);"))
            #expect(page.contains("--\(mode.name): \(mode.accent.onDark);"))
        }
        #expect(page.contains("<h2>The scroll</h2>") && page.contains("<h2>The storm</h2>"))
        let scrollOnly = HTMLReport.page(SampleReport.report(modes: [.layered]))
        #expect(!scrollOnly.contains("<h2>The storm</h2>"))
        #expect(page.contains("budget, 8.33 ms"))
        #expect(page.contains("data:image/png;base64,\(Data("picture".utf8).base64EncodedString())"))
        for mode in ["yyasynclayer", "layered"] {
            #expect(page.contains("<figcaption>\(mode): of 7 cells 6 empty, 1 drafts</figcaption>"))
        }
        #expect(page.components(separatedBy: "<img").count - 1 == 3)
        #expect(page.contains("drafts</p>"), "the card of a mode that has shown any")
        #expect(page.contains("prefers-color-scheme: dark"))
        #expect(!HTMLReport.page(SampleReport.report()).contains("<img"))
    }

    @Test("Each lane draws the budget, and marks exactly the bars that hold missed frames")
    func chart() {
        let report = SampleReport.report(frames: 250, modes: [.baseline, .synchronous])
        let runs = report.renderers[0].runs
        let svg = FrameTimeChart(runs: runs, journey: report.renderers[0].journey, hz: 120).svg()
        func count(_ text: String) -> Int { svg.components(separatedBy: text).count - 1 }
        #expect(count("class=\"budget\"") == 2)
        #expect(count("<title>") == 500)
        let missed = runs.flatMap(\.frames).count { $0.isOverBudget }
        #expect(missed > 10)
        #expect(count("class=\"missed\"") == missed)
    }

    @Test("What was typed is escaped, in the page and for the shell")
    func escaped() {
        let arguments = ["--input", "<script>alert('1')</script> & \"x\"\u{1B}", "a.md"]
        let page = HTMLReport.page(SampleReport.report(arguments: arguments))
        #expect(!page.contains("<script"))
        #expect(page.contains("&lt;script&gt;alert("))
        #expect(XMLParser(data: Data(page.utf8)).parse())
        #expect(
            HTMLReport.command(["a b", "it's", "", "x.md"])
                == FeedRenderer.command() + #" 'a b' 'it'\''s' '' x.md"#)
        #expect(Markup.escape("<a href='x'>&\"\u{0}\n") == "&lt;a href=&#39;x&#39;&gt;&amp;&quot;\n")
    }

    @Test("Each cell of a storm has a row with a tick for each new picture, or an empty one")
    func stormChart() {
        let report = SampleReport.report(frames: 240, modes: [.stormYYAsyncLayer, .storm])
        let svg = StormChart(runs: report.renderers[0].runs, hz: 120).svg()
        #expect(XMLParser(data: Data(svg.utf8)).parse())
        func count(_ text: String) -> Int { svg.components(separatedBy: text).count - 1 }
        #expect(count("class=\"track\"") == 4)
        #expect(count("<path class=\"storm-yyasynclayer\" d=\"\"/>") == 2)
        // Every 11th frame of 240.
        #expect(count("h1.5v") == 2 * 21)
        #expect(svg.contains(">0.0 new pictures a second of each cell<"))
    }

    @Test(
        "The headline says what ran",
        arguments: [
            ([FeedMode](), "No mode was run."),
            ([.baseline], "A loop that draws nothing shows"),
            ([.synchronous], "The scroll hitches for"),
            ([.storm], "Invalidated in every frame, a cell shows"),
            (FeedMode.allCases, "The scroll hitches for"),
        ])
    func headline(modes: [FeedMode], start: String) {
        let text = Headline.text(SampleReport.report(modes: modes).summary.modes)
        #expect(text.hasPrefix(start))
        for case let manner? in modes.map(\.manner) { #expect(text.contains("drawn " + manner)) }
        #expect(text.contains("machine's own noise") == modes.contains(.baseline))
    }

    @Test(
        "A table has a column for each mode of its scenario, all lines of one length",
        arguments: FeedMode.Scenario.allCases)
    func table(scenario: FeedMode.Scenario) throws {
        let results = SampleReport.report().summary.modes
        let table = try #require(FigureTable(of: scenario, from: results))
        let lines = TextTable.text(table).split(separator: "\n")
        #expect(lines.count == table.figures.count + 1)
        #expect(Set(lines.map(\.count)).count == 1)
        let expected = FeedMode.allCases.filter { $0.scenario == scenario }.map(\.name)
        #expect(lines[0].split(separator: " ").map(String.init) == expected)
        #expect(lines.contains { $0.hasPrefix("Frames over budget ") })
        #expect(FigureTable(of: scenario, from: []) == nil)
        #expect(table.figures.allSatisfy { $0.name.count <= 22 })
        #expect(Set(table.figures.map(\.name)).count == table.figures.count)
    }

    @Test("Numbers are spelled the same everywhere")
    func spelling() {
        #expect(Spelling.text(1.005, digits: 1) == "1.0")
        #expect(Spelling.text(.nan, digits: 1) == "–")
        #expect(Spelling.percent(0.256) == "25.6 %")
        #expect(Spelling.percent(0) == "0.0 %")
        #expect(Spelling.percent(0.000_1) == "< 0.1 %")
        #expect(Spelling.bytes(1_023) == "1023 B")
        #expect(Spelling.bytes(1_536) == "1.5 KiB")
        #expect(Spelling.bytes(3 << 20) == "3.0 MiB")
        #expect(Spelling.coordinate(12) == "12")
        #expect(Spelling.coordinate(100) == "100")
        #expect(Spelling.coordinate(-0.001) == "0")
        #expect(Spelling.coordinate(0.5) == "0.5")
    }

    @Test("The files are written, over what was there before")
    func files() throws {
        let folder = try TemporaryFolder()
        try folder.write("old", to: "out/deep/report.html")
        let png = try PNG.encode(width: 2, height: 2, rgba: [UInt8](repeating: 0x7F, count: 16))
        let report = SampleReport.report(frames: 10, screenshot: png)
        try report.write(to: OutputFolder(path: folder.path + "/out/deep"))
        func read(_ name: String) throws -> Data {
            try Data(contentsOf: folder.url.appendingPathComponent("out/deep/" + name))
        }
        #expect(try read("summary.json") == report.summary.json())
        for name in ["feed.png", "feed-yyasynclayer.png", "feed-layered.png"] {
            #expect(try read(name) == Data(png))
        }
        #expect(try read("report.html") == Data(HTMLReport.page(report).utf8))
    }

    @Test("An output that cannot be made is an error of its own")
    func badOutput() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("a file", to: "taken")
        for path in [file, file + "/below"] {
            #expect(throws: ProgramError(.cannotCreate, "cannot make the folder '\(path)'")) {
                try OutputFolder(path: path)
            }
        }
        let output = try OutputFolder(path: folder.path)
        try FileManager.default.createDirectory(
            at: folder.url.appendingPathComponent("feed.png/x"), withIntermediateDirectories: true)
        #expect(throws: ProgramError(.cannotCreate, "cannot write '\(folder.path)/feed.png'")) {
            try output.write(Data(), as: "feed.png")
        }
    }
}
