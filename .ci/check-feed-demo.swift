import Foundation

// Checks what FeedDemo has written: `check-feed-demo <folder> <frames per mode> <renderers>`; the renderers
// that it was to run with are separated by commas.

struct Summary: Decodable {
    struct Mode: Decodable {
        let renderer: String
        let mode: String
        let scenario: String
        let hitchMillisecondsPerSecond: Double
        let drawnButNeverShownRatio: Double
        let emptyCellRatio: Double
        let draftCellRatio: Double
        let frames: Int
        let passes: Passes
        let passesAgain: Passes?
        let storm: Storm?
    }

    struct Storm: Decodable {
        let cells: Int
        let newPicturesPerSecond: Double
    }

    struct Passes: Decodable {
        struct Superseded: Decodable {
            let waiting: Int
            let drawing: Int
            let committing: Int
        }

        let begun: Int
        let committed: Int
        let superseded: Superseded
        let cancelled: Int
        let failed: Int
        let unreported: Int
        let committedInSameTurn: Int
        let drawn: Int

        var ended: Int {
            committed + superseded.waiting + superseded.drawing + superseded.committing + cancelled + failed
        }
    }

    struct Layout: Decodable {
        let renderer: String
        let contentHeight: Double
        let lastPicturesAreEqual: Bool
    }

    let layouts: [Layout]
    let modes: [Mode]
}

nonisolated(unsafe) var failures = 0

func expect(_ condition: Bool, _ message: @autoclosure () -> String) {
    guard !condition else { return }
    failures += 1
    print("error: \(message())")
}

func checkSummary(_ data: Data, frames: Int, renderers: [String]) throws {
    let summary = try JSONDecoder().decode(Summary.self, from: data)
    expect(summary.layouts.map(\.renderer) == renderers, "summary.json has the layouts \(summary.layouts)")
    for layout in summary.layouts {
        expect(layout.lastPicturesAreEqual, "the last pictures with \(layout.renderer) differ")
        let height = layout.contentHeight
        expect(height > 10_000, "\(layout.renderer) has laid out \(height) points")
    }
    for renderer in renderers {
        print("checking what was drawn with \(renderer)")
        checkModes(summary.modes.filter { $0.renderer == renderer }, frames: frames)
    }
    let others = summary.modes.filter { !renderers.contains($0.renderer) }.map(\.renderer)
    expect(others.isEmpty, "summary.json has figures of \(others)")
}

func checkModes(_ modes: [Summary.Mode], frames: Int) {
    let names = modes.map(\.mode)
    let expected = [
        "baseline", "synchronous", "yyasynclayer", "layered", "filtered", "cached", "storm-yyasynclayer",
        "storm",
    ]
    expect(names == expected, "summary.json has the modes \(names)")
    for mode in modes {
        let (name, passes) = (mode.mode, mode.passes)
        expect(mode.frames == frames, "\(name) has \(mode.frames) frames instead of \(frames)")
        let hitches = mode.hitchMillisecondsPerSecond
        expect(hitches >= 0, "\(name) has hitches of \(hitches) ms/s")
        expect(passes.begun == passes.ended, "\(name) began \(passes.begun) passes and ended \(passes.ended)")
        expect(passes.failed == 0, "\(name) has \(passes.failed) failed passes")
        if name != "baseline" { expect(passes.committed > 0, "\(name) has shown nothing") }
        if !name.hasSuffix("yyasynclayer") {
            expect(passes.unreported == 0, "\(name) kept silent about \(passes.unreported) passes")
        }
        let ratio = mode.drawnButNeverShownRatio
        expect((0...1).contains(ratio), "\(name) has shown nothing of \(ratio) of its draws")
        for share in [mode.emptyCellRatio, mode.draftCellRatio] {
            expect((0...1).contains(share), "\(name) has shown \(share) of its cells empty or as drafts")
        }
        expect((mode.storm != nil) == (mode.scenario == "storm"), "\(name) is half a storm")
    }
    checkComparisons(Dictionary(zip(names, modes)) { first, _ in first })
}

/// What must hold between the modes on any machine, however busy it is.
func checkComparisons(_ modes: [String: Summary.Mode]) {
    guard let again = modes["cached"]?.passesAgain else {
        return expect(false, "cached says nothing of cells that came back")
    }
    expect(again.begun > 0, "no cell came back")
    expect(again.drawn == 0, "\(again.drawn) cells were drawn again although their pictures were kept")
    expect(
        again.committedInSameTurn == again.begun,
        "\(again.begun - again.committedInSameTurn) kept pictures were not shown at once")
    if let theirs = modes["storm-yyasynclayer"]?.storm, let ours = modes["storm"]?.storm {
        expect(
            ours.newPicturesPerSecond > 2 * theirs.newPicturesPerSecond,
            "in a storm \(ours.newPicturesPerSecond) new pictures a second are shown, "
                + "\(theirs.newPicturesPerSecond) by YYAsyncLayer's algorithm")
    }
    if let theirs = modes["yyasynclayer"], let filtered = modes["filtered"] {
        expect(
            filtered.passes.drawn < theirs.passes.drawn,
            "filtered draws \(filtered.passes.drawn) times, YYAsyncLayer's algorithm \(theirs.passes.drawn) times"
        )
    }
}

func checkPNG(_ data: Data, _ name: String) {
    let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    expect(data.starts(with: signature), "\(name) has no PNG signature")
    expect(data.dropFirst(12).starts(with: "IHDR".utf8), "\(name) does not begin with its header")
    expect(data.dropLast(4).suffix(4).elementsEqual("IEND".utf8), "\(name) is cut off")
}

/// A page is self-contained if it loads nothing: namespaces and links that a reader follows are no loads.
func checkPage(_ page: String, renderers: [String]) {
    expect(page.contains("<svg"), "report.html has no chart")
    expect(page.contains("<table"), "report.html has no table")
    let screenshots = page.components(separatedBy: "data:image/png;base64,").count - 1
    // Of each renderer one in the end, and two during the scroll.
    expect(screenshots == 3 * renderers.count, "report.html has \(screenshots) screenshots inside")
    for renderer in renderers where renderers.count > 1 {
        expect(page.contains(">\(renderer)</th>"), "report.html has no figures of \(renderer)")
    }
    let loads = [
        #"<link\b"#, #"@import\b"#, #"\ssrcset\s*="#,
        #"<[a-z]+\b[^>]*\s(src|data|poster)\s*=\s*["']?(?!["']?data:)"#,
        #"<(image|use)\b[^>]*\shref\s*=\s*["']?(?!["']?(data:|#))"#,
        #"url\(\s*["']?(?!["']?\s*(data:|#))"#,
    ]
    for load in loads {
        guard let range = page.range(of: load, options: [.regularExpression, .caseInsensitive]) else {
            continue
        }
        let context = page[range.lowerBound...].prefix(120)
        expect(false, "report.html loads something from outside: \(context)")
    }
}

guard CommandLine.arguments.count == 4, let frames = Int(CommandLine.arguments[2]) else {
    print("usage: check-feed-demo <folder> <frames per mode> <renderers, separated by commas>")
    exit(64)
}
let renderers = CommandLine.arguments[3].split(separator: ",").map(String.init)
let folder = URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true)

func contents(_ name: String) throws -> Data {
    try Data(contentsOf: folder.appendingPathComponent(name))
}

do {
    try checkSummary(contents("summary.json"), frames: frames, renderers: renderers)
    for renderer in renderers {
        for mode in ["", "-yyasynclayer", "-layered"] {
            let name = (renderer == "bitmap" ? "feed" : "feed-\(renderer)") + mode + ".png"
            try checkPNG(contents(name), name)
        }
    }
    try checkPage(String(decoding: contents("report.html"), as: UTF8.self), renderers: renderers)
} catch {
    expect(false, "\(error)")
}
exit(failures == 0 ? 0 : 1)
