import Foundation
import Testing

@testable import FeedDemo

@Suite("Tables", .timeLimit(.minutes(5)))
struct MarkdownTableTests {
    private func table(_ markdown: String) -> MarkdownTable? {
        MarkdownDocument.blocks(of: markdown).first?.table
    }

    @Test(
        "A table keeps its rows and their cells",
        arguments: [
            ("| a | *b* |\n|---|--:|\n| `c` | **d** |", ["a", "b"], [["c", "d"]]),
            ("a|b\n-|-\nc|d", ["a", "b"], [["c", "d"]]),
            ("| a | b |\n|---|---|", ["a", "b"], []),
            ("| a | b |\n|---|---|\n| c |\n| d | e | f |", ["a", "b"], [["c"], ["d", "e", "f"]]),
            ("| a | b |\n|---|---|\n| | c |\n| | |\n| d | |", ["a", "b"], [["", "c"], ["d"]]),
            ("| | |\n|---|---|\n| a | b |", [], [["a", "b"]]),
            (
                "| a \\| b | `c \\| d` |\n|---|---|\n| e<br>f | \u{5D0} |", ["a | b", "c | d"],
                [["e\nf", "\u{5D0}"]]
            ),
        ] as [(String, [String], [[String]])])
    func structure(markdown: String, header: [String], rows: [[String]]) {
        #expect(table(markdown) == MarkdownTable(header: header, rows: rows))
    }

    @Test("A table without any text is no block")
    func blank() {
        #expect(MarkdownDocument.blocks(of: "| | |\n|---|---|\n| | |\n\na").map(\.kind) == [.paragraph])
    }

    @Test("A quoted table keeps its rows")
    func quoted() {
        #expect(table("> | a |\n> |---|\n> | b |") == MarkdownTable(header: ["a"], rows: [["b"]]))
    }

    @Test("A table's cells of the feed have its text, without bars, and its characters are counted")
    func items() {
        let blocks = MarkdownDocument.blocks(of: "| a | b |\n|---|---|\n| c | d |")
        let items = FeedLoader.items(of: blocks, source: "s")
        #expect(items.map(\.text) == ["a\tb\nc\td"])
        #expect(items.first?.table == MarkdownTable(header: ["a", "b"], rows: [["c", "d"]]))
        #expect(Feed(items: items, fileCount: 1, isTruncated: false).characterCount == 7)
    }

    @Test("A short table is one piece, a long one is cut between rows, each piece with the header")
    func long() {
        let rows = (0..<70).map { ["name \($0)", "value \($0)"] }
        let short = MarkdownTable(header: ["Name", "Value"], rows: Array(rows.prefix(5)))
        #expect(short.pieces == [short])
        let pieces = MarkdownTable(header: ["Name", "Value"], rows: rows).pieces
        #expect(pieces.count == 3)
        #expect(pieces.allSatisfy { $0.header == ["Name", "Value"] })
        #expect(pieces.flatMap(\.rows) == rows)
    }

    @Test("A header that is too long to be repeated is a piece of its own")
    func longHeader() {
        let header = (0..<10).map { "\($0) " + String(repeating: "long ", count: 10) + "." }
        let rows = (0..<50).map { ["a\($0)", "b"] }
        let pieces = MarkdownTable(header: header, rows: rows).pieces
        #expect(pieces[0] == MarkdownTable(header: header, rows: []))
        #expect(pieces.dropFirst().allSatisfy { $0.header.isEmpty })
        #expect(pieces.flatMap(\.rows) == rows)
    }

    @Test("A huge cell continues in the next rows, in its own column")
    func hugeCell() {
        let words = (0..<2_000).map { "word\($0)" }
        let table = MarkdownTable(header: ["a", "b"], rows: [["x", words.joined(separator: " ")]])
        let pieces = table.pieces
        let rows = pieces.flatMap(\.rows)
        #expect(rows[0][0] == "x")
        #expect(rows.dropFirst().allSatisfy { $0[0] == "" })
        #expect(rows.map { $0[1] }.joined(separator: " ").split(separator: " ").map(String.init) == words)
        #expect(pieces.allSatisfy { $0.text.unicodeScalars.count <= TextPieces.maximumLength })
    }

    /// Tables that are meant to be slow, large or high. Each text in them occurs once, and has no spaces.
    static let hostile: [String: MarkdownTable] = [
        "one huge cell": MarkdownTable(header: ["h"], rows: [[String(repeating: "x", count: 200_000)]]),
        "a huge header": MarkdownTable(header: ["h", String(repeating: "x", count: 50_000)], rows: [["r"]]),
        "10,000 columns": MarkdownTable(
            header: (0..<10_000).map { "h\($0)" },
            rows: (0..<3).map { row in (0..<10_000).map { "r\(row)c\($0)" } }),
        "100,000 rows": MarkdownTable(header: ["h", "i"], rows: (0..<100_000).map { ["r\($0)", "s\($0)"] }),
        "a wide row among many": MarkdownTable(
            header: ["h"], rows: [(0..<20_000).map { "c\($0)" }] + (0..<20_000).map { ["r\($0)"] }),
        "mostly blank": MarkdownTable(
            header: [], rows: (0..<500).map { Array(repeating: "", count: $0) + ["r\($0)"] }),
        "24 long columns": MarkdownTable(
            header: (0..<24).map { "header\($0)" },
            rows: (0..<20).map { row in (0..<24).map { "r\(row)c\($0)" + String(repeating: "x", count: 99) } }
        ),
        "four long columns": MarkdownTable(
            header: (0..<4).map { "headerheader\($0)" },
            rows: (0..<20).map { row in ["r\(row)" + String(repeating: "x", count: 1_000), "a", "b", "c"] }),
        "many lines": MarkdownTable(
            header: ["h"],
            rows: (0..<10).map { row in (0..<24).map { _ in String(repeating: "\(row)\n", count: 50) + "." } }
        ),
        "long labels": MarkdownTable(
            header: (0..<7).map { "\($0)" + String(repeating: "l", count: 40) },
            rows: (0..<40).map { row in (0..<7).map { "r\(row)c\($0)" } }),
        "marks": MarkdownTable(
            header: ["h", "\u{5D0}\u{5D1}"],
            rows: [
                ["a" + String(repeating: "\u{301}", count: 10_000), "\u{65E5}\u{672C}"],
                [
                    String(repeating: "\u{65E5}\u{672C}\u{8A9E}", count: 2_000),
                    String(repeating: "\u{5D0}", count: 3_000),
                ],
            ]),
    ]

    @Test(
        "Every piece of a hostile table is within the limits, and nothing is lost",
        arguments: hostile.keys.sorted())
    func hostilePieces(name: String) throws {
        let table = try #require(Self.hostile[name])
        let pieces = table.pieces
        for piece in pieces {
            #expect(piece.text.unicodeScalars.count <= TextPieces.maximumLength)
            #expect(piece.rows.count <= TextPieces.maximumLineCount)
            #expect(piece.rows.allSatisfy { $0.count <= MarkdownTable.maximumColumnCount })
            #expect(!piece.isEmpty)
        }
        // Compared as counts of scalars, for cells are cut anywhere.
        func counts(_ texts: [String]) -> [Unicode.Scalar: Int] {
            var counts: [Unicode.Scalar: Int] = [:]
            for text in texts {
                for scalar in text.unicodeScalars where scalar != "\n" { counts[scalar, default: 0] += 1 }
            }
            return counts
        }
        #expect(counts(pieces.flatMap { $0.rows.joined() }) == counts(Array(table.rows.joined())))
        #expect(pieces.contains { !$0.header.isEmpty } == !table.header.isEmpty)
        #expect(Set(table.header.filter { $0.count < 300 }).isSubset(of: Set(pieces.flatMap(\.header))))
    }

    @Test(
        "Markdown of hostile tables takes linear time: four times the text less than ten times as long",
        arguments: ["|", "a|", "\\|", "|\\", "| |", "|`", "<br>|"])
    func hostileMarkdown(piece: String) {
        func texts(_ count: Int) -> [String] {
            let wide = String(repeating: piece, count: count)
            let rows = String(repeating: piece + "|\n", count: count)
            return [
                "|h|\n|-|\n|" + wide, wide + "|\n|-|\n", "|h|\n|-|\n" + rows,
                "|h|\n|-|\n" + wide + "|\n" + rows,
            ]
        }
        // The thread's own time, and the least of three: other tests run at the same time.
        func seconds(_ text: String) -> Double {
            (0..<3).map { _ in
                let start = threadSeconds()
                _ = FeedLoader.items(of: MarkdownDocument.blocks(of: text), source: "s")
                return threadSeconds() - start
            }.min() ?? 0
        }
        for (short, long) in zip(texts(5_000), texts(20_000)) {
            let (quick, slow) = (seconds(short), seconds(long))
            // Four times the text would take sixteen times as long in quadratic time.
            #expect(slow < 10 * max(quick, 0.001), "\(quick) s, \(slow) s")
        }
    }

    /// The processor time of the calling thread.
    private func threadSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
