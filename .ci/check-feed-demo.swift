import Foundation

// Checks what FeedDemo has written: `check-feed-demo <folder> <frames per mode>`.

struct Summary: Decodable {
    struct Mode: Decodable {
        let mode: String
        let scenario: String
        let hitchMillisecondsPerSecond: Double
        let drawnButNeverShownRatio: Double
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

    let modes: [Mode]
}

nonisolated(unsafe) var failures = 0

func expect(_ condition: Bool, _ message: @autoclosure () -> String) {
    guard !condition else { return }
    failures += 1
    print("error: \(message())")
}

func checkSummary(_ data: Data, frames: Int) throws {
    let modes = try JSONDecoder().decode(Summary.self, from: data).modes
    let names = modes.map(\.mode)
    let expected = [
        "baseline", "synchronous", "original", "layered", "filtered", "cached", "storm-original", "storm",
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
        if !name.hasSuffix("original") {
            expect(passes.unreported == 0, "\(name) kept silent about \(passes.unreported) passes")
        }
        let ratio = mode.drawnButNeverShownRatio
        expect((0...1).contains(ratio), "\(name) has shown nothing of \(ratio) of its draws")
        expect((mode.storm != nil) == (mode.scenario == "storm"), "\(name) is half a storm")
    }
    checkComparisons(Dictionary(uniqueKeysWithValues: zip(names, modes)))
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
    if let original = modes["storm-original"]?.storm, let ours = modes["storm"]?.storm {
        expect(
            ours.newPicturesPerSecond > 2 * original.newPicturesPerSecond,
            "in a storm \(ours.newPicturesPerSecond) new pictures a second are shown, "
                + "\(original.newPicturesPerSecond) by the original")
    }
    if let original = modes["original"], let filtered = modes["filtered"] {
        expect(
            filtered.passes.drawn < original.passes.drawn,
            "filtered draws \(filtered.passes.drawn) times, the original \(original.passes.drawn) times")
    }
}

func checkPNG(_ data: Data) {
    let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    expect(data.starts(with: signature), "feed.png has no PNG signature")
    expect(data.dropFirst(12).starts(with: "IHDR".utf8), "feed.png does not begin with its header")
    expect(data.dropLast(4).suffix(4).elementsEqual("IEND".utf8), "feed.png is cut off")
}

/// A page is self-contained if it loads nothing: namespaces and links that a reader follows are no loads.
func checkPage(_ page: String) {
    expect(page.contains("<svg"), "report.html has no chart")
    expect(page.contains("<table"), "report.html has no table")
    expect(page.contains("data:image/png;base64,"), "report.html has no screenshot inside")
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

guard CommandLine.arguments.count == 3, let frames = Int(CommandLine.arguments[2]) else {
    print("usage: check-feed-demo <folder> <frames per mode>")
    exit(64)
}
let folder = URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true)

func contents(_ name: String) throws -> Data {
    try Data(contentsOf: folder.appendingPathComponent(name))
}

do {
    try checkSummary(contents("summary.json"), frames: frames)
    try checkPNG(contents("feed.png"))
    try checkPage(String(decoding: contents("report.html"), as: UTF8.self))
} catch {
    expect(false, "\(error)")
}
exit(failures == 0 ? 0 : 1)
