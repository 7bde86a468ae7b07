import AsyncLayers
import BitmapRendering
import Testing

@Suite("Wrapping", .timeLimit(.minutes(15)))
struct WrapTests {
    private let font = StrokeFont(size: 15)

    private func texts(_ text: String, _ width: Double) -> [String] {
        font.wrap(text, width: width).map(\.text)
    }

    @Test("No line is wider than asked, and no word is lost", arguments: 1...60)
    func neverTooWideAndNothingLost(step: Int) {
        let text = """
            A layer that is invalidated faster than it can draw still shows pictures; naïve, isn't it?
              Indented, with   several spaces, and an extraordinarilylongwordwithoutanyplacetobreakitat all.
            """
        let width = Double(step) * 9 + 12
        let lines = font.wrap(text, width: width)
        for line in lines {
            #expect(line.width <= width)
            #expect(line.width == font.width(of: line.text))
            #expect(line.text.last?.isWhitespace != true)
        }
        #expect(lines.map(\.text).joined().filter { !$0.isWhitespace } == text.filter { !$0.isWhitespace })
    }

    @Test("Lines take as many words as fit")
    func greedy() {
        let width = font.width(of: "one two")
        #expect(texts("one two three", width) == ["one two", "three"])
        #expect(texts("one two  three", width.nextDown) == ["one", "two", "three"])
        #expect(texts("one two", .infinity) == ["one two"])
    }

    @Test("The text's own line breaks are kept, empty lines too, but for a last one")
    func lineBreaks() {
        #expect(texts("a\nb\r\nc\n\nd\n", 100) == ["a", "b", "c", "", "d"])
        #expect(texts("", 100) == [])
        #expect(texts("\n", 100) == [""])
        #expect(texts("   ", 100) == [""])
        #expect(texts("   ", 0) == [""])
    }

    @Test("A word wider than a line is broken, and what follows continues after it")
    func longWords() {
        let width = font.width(of: "mmm")
        #expect(texts("mmmmmmmm i", width) == ["mmm", "mmm", "mm i"])
        #expect(texts("i mmmmmm", width) == ["i", "mmm", "mmm"])
        #expect(texts("    mmm", width) == ["mmm"])
    }

    @Test("A no-break space holds words together")
    func noBreakSpace() {
        #expect(texts("one two\u{A0}three", font.width(of: "one two")) == ["one", "two\u{A0}thr", "ee"])
    }

    @Test(
        "Without width every character has a line of its own", arguments: [0, -4, .nan, -.infinity, 1e-300])
    func noWidth(width: Double) {
        #expect(texts("ab c", width) == ["a", "b", "c"])
    }

    @Test("A long text is wrapped in time in proportion to its length")
    func longText() {
        let text = String(repeating: "x", count: 100_000) + String(repeating: " y", count: 50_000)
        #expect(font.wrap(text, width: 0).count == 150_000)
    }
}
