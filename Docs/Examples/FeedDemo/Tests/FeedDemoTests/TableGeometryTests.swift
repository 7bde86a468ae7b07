import AsyncLayers
import Testing

@testable import FeedDemo

@Suite("The geometry of tables", .timeLimit(.minutes(5)))
struct TableGeometryTests {
    /// Letters 10 points wide and lines 10 points high, broken anywhere.
    private func measure(_ text: String, isBold: Bool, width: Double) -> Size {
        let perLine = width.isFinite ? max(1, Int(width / 10)) : .max
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(\.count)
        let count = lines.reduce(0) { $0 + max(1, $1 / perLine + ($1 % perLine == 0 ? 0 : 1)) }
        return Size(width: Double(min(lines.max() ?? 0, perLine)) * 10, height: Double(count) * 10)
    }

    private func geometry(_ header: [String], _ rows: [[String]], width: Double) -> TableGeometry {
        TableGeometry(MarkdownTable(header: header, rows: rows), width: width, measure: measure)
    }

    @Test("Columns that fit are as wide as their widest texts, rows as high as their highest")
    func natural() {
        let table = geometry(["ab", "c"], [["d", "e\nf"], ["gh", "ijk"]], width: 200)
        let frames = table.cells.map(\.frame)
        #expect(table.cells.map(\.text) == ["ab", "c", "d", "e\nf", "gh", "ijk"])
        #expect(table.cells.map(\.isBold) == [true, true, false, false, false, false])
        #expect(frames.map(\.minX) == [0, 32, 0, 32, 0, 32])
        #expect(frames.map(\.size.width) == [20, 30, 20, 30, 20, 30])
        #expect(frames.map(\.minY) == [0, 0, 18, 18, 46, 46])
        #expect(table.rules.map(\.minY) == [14, 42])
        #expect(table.rules.allSatisfy { $0.size.width == 200 && $0.size.height < 1 })
        #expect(table.size == Size(width: 200, height: 56))
    }

    @Test("Narrow columns keep their widths, and wide ones share the rest and wrap")
    func wrapping() {
        let long = Array(repeating: "word", count: 20).joined(separator: " ")
        let table = geometry(["n", "text", "more"], [["1", long, long + long + long + long]], width: 400)
        let widths = table.cells.prefix(3).map(\.frame.size.width)
        #expect(widths[0] == 10)
        #expect(widths[2] > widths[1] * 1.5 && widths[2] < widths[1] * 2.5)
        #expect(widths.reduce(0, +) + 24 <= 400)
        #expect(widths.reduce(0, +) + 24 > 395)
        #expect(table.cells[4].frame.size.height > 10)
        #expect(table.size.height == table.cells[5].frame.maxY)
    }

    @Test("A column is as wide as its longest word where there is room for that")
    func words() {
        let table = geometry(
            ["a", "b"], [["incomplete x x x", String(repeating: "word ", count: 100)]], width: 300)
        #expect(table.cells[0].frame.size.width == 100)
        #expect(table.cells[1].frame.size.width == 188)
    }

    @Test("A long name is not broken, and does not keep the other columns from wrapping")
    func longNames() {
        let name = "Sources/MainLoopBridges"
        let text = String(repeating: "word ", count: 100)
        let table = geometry(
            ["folder", "what it is"], [[name, text], ["Sources/Locks", text]], width: 400)
        #expect(table.cells.prefix(2).map(\.frame.size.width) == [230, 158])
    }

    @Test("A word that is far too long is broken, so that the other columns can be read")
    func farTooLong() {
        let text = String(repeating: "word ", count: 20)
        let table = geometry(
            ["address", "what it is"], [[String(repeating: "x", count: 60), text]], width: 500)
        #expect(table.cells.count == 4)
        #expect(table.cells[0].frame.size.width < 400)
        #expect(table.cells[1].frame.size.width > 44)
    }

    @Test("Where words have to be broken, those are the longest")
    func brokenWords() {
        let long = Array(repeating: "incomprehensible", count: 10).joined(separator: " ")
        let table = geometry(["abcdef", "b"], [["abcdefgh", long]], width: 200)
        #expect(table.cells.prefix(2).map(\.frame.size.width) == [80, 108])
    }

    @Test("Columns that would be too narrow become a list with the header's texts as labels")
    func list() {
        let header = (0..<6).map { "head \($0)" }
        let row = (0..<6).map { "some value \($0)" }
        let table = geometry(header, [row, ["only"]], width: 220)
        let labels = table.cells.filter(\.isBold)
        let values = table.cells.filter { !$0.isBold }
        #expect(labels.map(\.text) == header + ["head 0"])
        #expect(values.map(\.text) == row + ["only"])
        #expect(labels.map(\.frame.minY) == values.map(\.frame.minY))
        #expect(labels.allSatisfy { $0.frame.minX == 0 && $0.frame.maxX <= values[0].frame.minX - 10 })
        #expect(table.rules.count == 1)
    }

    @Test("In a list, the text of a first column without a label names its row")
    func rowNames() {
        let header = [""] + (1..<6).map { "head \($0)" }
        let row = ["the name of a row"] + (1..<6).map { "some value \($0)" }
        let table = geometry(header, [row], width: 220)
        #expect(table.cells[0].text == row[0])
        #expect(table.cells[0].isBold && table.cells[0].frame.size.width == 220)
        #expect(table.cells[1].text == "head 1")
        #expect(table.cells[1].frame.minY == table.cells[0].frame.maxY)
    }

    @Test("In a very narrow cell, labels stand above their texts")
    func narrowList() {
        let table = geometry(["head", "more"], [["value", "other value"]], width: 66)
        #expect(table.cells.map(\.text) == ["head", "value", "more", "other value"])
        #expect(table.cells.allSatisfy { $0.frame.minX == 0 })
        #expect(zip(table.cells, table.cells.dropFirst()).allSatisfy { $0.frame.maxY <= $1.frame.minY })
    }

    @Test("A table that would be much higher than a list is a list")
    func high() {
        let table = geometry(
            ["aaaa", "bbbb", "cccc", "dddd"],
            [[String(repeating: "x", count: 400), "bbbbb", "ccccc", "ddddd"]],
            width: 220)
        #expect(table.cells.map(\.text).prefix(2) == ["aaaa", String(repeating: "x", count: 400)])
        #expect(table.size.height < 400)
    }

    /// Counts how often each text is measured, with a width and without one.
    private func measurements(
        _ header: [String], _ rows: [[String]], width: Double
    ) -> (wrapped: [String: Int], natural: [String: Int]) {
        var (wrapped, natural): ([String: Int], [String: Int]) = ([:], [:])
        _ = TableGeometry(MarkdownTable(header: header, rows: rows), width: width) { text, isBold, width in
            if width.isFinite { wrapped[text, default: 0] += 1 } else { natural[text, default: 0] += 1 }
            return measure(text, isBold: isBold, width: width)
        }
        return (wrapped, natural)
    }

    @Test("Each text of columns that wrap is measured once with a width, and a single word once without one")
    func measuredOnce() {
        let long = Array(repeating: "word", count: 20).joined(separator: " ")
        let texts = ["n", "text", "1", long]
        let (wrapped, natural) = measurements(["n", "text"], [["1", long]], width: 300)
        #expect(wrapped == Dictionary(uniqueKeysWithValues: texts.map { ($0, 1) }))
        #expect(natural == wrapped.merging(["word": 1]) { $1 }, "the longest word of the long text")
    }

    @Test("Each text of a table that can only be a list is measured once with a width")
    func listMeasuredOnce() {
        let header = (0..<6).map { "head \($0)" }
        let row = (0..<6).map { "some value \($0)" }
        let wrapped = measurements(header, [row], width: 220).wrapped
        #expect(wrapped == Dictionary(uniqueKeysWithValues: (header + row).map { ($0, 1) }))
    }

    @Test("Blank columns take no room, and a table without a header has no bold text")
    func blankColumns() {
        let table = geometry([], [["", "a", "", "b"]], width: 100)
        #expect(table.cells.map(\.frame.minX) == [0, 22])
        #expect(!table.cells.contains { $0.isBold })
        #expect(table.rules.isEmpty)
    }

    @Test(
        "Hostile tables stay within their width, are not higher than a few screens, and no two texts overlap",
        arguments: MarkdownTableTests.hostile.keys.sorted())
    func hostile(name: String) throws {
        let pieces = try #require(MarkdownTableTests.hostile[name]).pieces
        for width in [102.0, 296, 1_954] {
            // As in the stroke font: about 7 by 15 points.
            for piece in pieces.prefix(40) {
                let table = TableGeometry(piece, width: width) { text, isBold, width in
                    let size = measure(text, isBold: isBold, width: width / 0.7)
                    return Size(width: size.width * 0.7, height: size.height * 1.5)
                }
                #expect(table.size.height < (width < 200 ? 6_000 : 2_700))
                let shown = table.cells.filter { !$0.isBold }.map(\.text)
                #expect(shown == piece.rows.joined().filter { !$0.isEmpty })
                #expect(table.cells.allSatisfy { $0.frame.minX >= 0 && $0.frame.maxX <= width })
                #expect(table.cells.allSatisfy { $0.frame.maxY <= table.size.height })
                let overlapping = table.cells.indices.filter { index in
                    table.cells[..<index].contains { $0.frame.intersects(table.cells[index].frame) }
                }
                #expect(overlapping.isEmpty)
            }
        }
    }
}
