import BenchmarkHarness
import CairoRendering

/// How long does a text hold a worker whose author wants it held?
struct HostileText: Benchmark {
    let metrics = [
        Metric(
            "text-hostile", unit: "ms", ours: contender,
            summary:
                "The longest processor time that any of the hostile texts takes until its layout or an error: 100,000 marks on a letter, 40,000 short lines with and without a limit of one line, 16,000 runs, 600,000 characters in one line, letters that join in a column of one letter, another script at each character, in lines of usual and of great width, letters that make clusters, flags, long words and piles of marks in narrow columns, 500 sizes. Bar: 100 ms."
        ),
        Metric(
            "text-hostile-piece", unit: "ms", ours: contender,
            summary:
                "The longest processor time in these layouts between two moments at which a stale draw ends. Bar: 20 ms."
        ),
    ]

    let plan = Plan(rounds: (3, 9))

    private static let contender = "TextLayout"

    let trials = [
        Trial(contender, threads: .own) { _ in
            let cases = HostileText.cases
            return Session(measure: {
                var (longest, piece) = (UInt64(0), UInt64(0))
                for text in cases {
                    let start = Clock.threadTime
                    var last = start
                    do {
                        _ = try TextLayout(text.text, width: text.width, options: text.options) {
                            let now = Clock.threadTime
                            piece = max(piece, now - last)
                            last = now
                            return false
                        }
                    } catch is TextLayoutError {
                    }
                    let end = Clock.threadTime
                    piece = max(piece, end - last)
                    longest = max(longest, end - start)
                }
                return [longest, piece].map { Reading(Double($0) / 1e6) }
            })
        }
    ]

    private struct Case {
        let text: RichText
        var width = 300.0
        var options = TextLayoutOptions()
    }

    private static var cases: [Case] {
        func repeated(_ text: String, _ count: Int) -> RichText {
            RichText(String(repeating: text, count: count))
        }
        var oneLine = TextLayoutOptions()
        oneLine.lineLimit = 1
        var fiftyLines = TextLayoutOptions()
        fiftyLines.lineLimit = 50
        var (runs, fewerRuns, zeros, sizes) = (RichText(), RichText(), RichText(), RichText())
        for index in 0..<500 { sizes.append("ab", style: TextStyle(size: 10 + Double(index) / 1_024)) }
        for index in 0..<16_000 {
            let style = TextStyle(weight: index % 2 == 0 ? .regular : .bold)
            runs.append("a ", style: style)
            zeros.append("a\0", style: style)
            if index < 1_300 { fewerRuns.append("a ", style: style) }
        }
        // Those that are laid out have about as much work as their bounds allow.
        return [
            Case(text: RichText("e" + String(repeating: "\u{301}", count: 100_000))),
            // As many as are allowed on each letter.
            Case(text: repeated("e" + String(repeating: "\u{301}", count: 31), 2_000)),
            Case(text: repeated("e" + String(repeating: "\u{301}", count: 30) + " ", 96)),
            Case(text: repeated("e" + String(repeating: "\u{301}", count: 12) + " ", 200), width: 60),
            Case(text: repeated("e" + String(repeating: "\u{301}", count: 30) + " ", 9_000), width: 60),
            Case(text: repeated("ab\n", 40_000), options: oneLine),
            Case(text: repeated("ab\n", 40_000)),
            Case(text: repeated("a\n", 1_400)),
            Case(text: runs),
            Case(text: fewerRuns),
            Case(text: zeros, options: oneLine),
            Case(text: repeated("w", 600_000), width: .infinity),
            Case(text: repeated("word ", 120_000), options: oneLine),
            Case(text: repeated("words ", 3_100)),
            Case(text: repeated(" ", 19_000)),
            Case(text: repeated("\u{633}\u{644}", 640), width: 0),
            // A change of script, or of direction, at each character.
            Case(text: repeated("aα\u{436}\u{5D0}\u{6F22}", 710)),
            Case(text: repeated("a\u{5D0} ", 1_500)),
            Case(text: repeated("a\u{5D0} ", 200_000), width: 100_000, options: oneLine),
            // Letters that make clusters, or join in a column; digits between them; flags; no font at all.
            Case(text: repeated("\u{915}\u{94D}\u{937}", 2_500)),
            Case(text: repeated("\u{6CC}\u{6D2}", 2_700), width: 100),
            Case(text: repeated("\u{5D0}1", 5_000)),
            Case(text: repeated("\u{1F1E9}\u{1F1EA}", 5_300)),
            Case(text: repeated("\u{F0000}", 10_000)),
            // Long words and piles of marks in narrow columns, marks of direction alone, many sizes.
            Case(text: repeated("i", 11_000), width: 60),
            Case(text: repeated("fi", 6_900), width: 100),
            Case(text: repeated("\u{20D0} ", 5_000), width: 60),
            Case(text: repeated("e\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}\u{307}", 1_500), width: 20),
            Case(text: repeated("\u{200E}\u{200F}", 2_000)),
            Case(text: sizes, options: fiftyLines),
        ]
    }
}
