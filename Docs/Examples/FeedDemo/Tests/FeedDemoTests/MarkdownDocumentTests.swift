import Testing

@testable import FeedDemo

@Suite("Markdown", .timeLimit(.minutes(5)))
struct MarkdownDocumentTests {
    @Test(
        "Blocks become paragraphs of plain text",
        arguments: [
            ("one\ntwo\n\nthree", [TextBlock(.paragraph, "one two"), TextBlock(.paragraph, "three")]),
            (
                "# A #\n## B#\n#no",
                [TextBlock(.heading, "A"), TextBlock(.heading, "B#"), TextBlock(.paragraph, "#no")]
            ),
            (
                "Title\n=====\nSub\n---\ntext",
                [
                    TextBlock(.heading, "Title"), TextBlock(.heading, "Sub"), TextBlock(.paragraph, "text"),
                ]
            ),
            ("a\n\n---\n\n* * *\nb", [TextBlock(.paragraph, "a"), TextBlock(.paragraph, "b")]),
            (
                "- a\n  more\n* b\n+ c\n12) d\n1. [x] e",
                [
                    TextBlock(.listItem, "- a more"), TextBlock(.listItem, "- b"),
                    TextBlock(.listItem, "- c"),
                    TextBlock(.listItem, "12) d"), TextBlock(.listItem, "1. [x] e"),
                ]
            ),
            (
                "- a\n\n      not code\n\n1986 was",
                [
                    TextBlock(.listItem, "- a"), TextBlock(.paragraph, "not code"),
                    TextBlock(.paragraph, "1986 was"),
                ]
            ),
            (
                "> a\n> b\n>\n> > c\n\nd",
                [
                    TextBlock(.quote, "a b"), TextBlock(.quote, "c"), TextBlock(.paragraph, "d"),
                ]
            ),
            (
                ">\u{A0}> \u{2003}> a\n>\u{A0}b\n\n> \u{A0}c",
                [TextBlock(.quote, "a b"), TextBlock(.quote, "c")]
            ),
            ("> ```\n> let a = 1\n>   b\n> ```", [TextBlock(.code, "let a = 1\n  b")]),
            (
                "text\n```swift\nlet *a* = 1\n\n  b\n```\nmore",
                [
                    TextBlock(.paragraph, "text"), TextBlock(.code, "let *a* = 1\n\n  b"),
                    TextBlock(.paragraph, "more"),
                ]
            ),
            ("~~~~\n```\n~~~\n~~~~", [TextBlock(.code, "```\n~~~")]),
            ("  ```\n  a\n   b\nc\n  ```", [TextBlock(.code, "a\n b\nc")]),
            ("```\nnever closed", [TextBlock(.code, "never closed")]),
            ("```\n\n```", []),
            (
                "    code\n\n      more\n\ntext",
                [TextBlock(.code, "code\n\n  more"), TextBlock(.paragraph, "text")]
            ),
            (
                "| a | *b* |\n|---|:-:|\n| `c` | d \\| e |\n\nf",
                [
                    TextBlock(MarkdownTable(header: ["a", "b"], rows: [["c", "d | e"]])),
                    TextBlock(.paragraph, "f"),
                ]
            ),
            ("a | b\nno table", [TextBlock(.paragraph, "a | b no table")]),
            ("---\ntitle: x\n---\ntext", [TextBlock(.paragraph, "text")]),
            ("---\nnever closed", [TextBlock(.paragraph, "never closed")]),
            ("a\n\n<!-- b\n\nc -->\nd", [TextBlock(.paragraph, "a"), TextBlock(.paragraph, "d")]),
            ("<!-- never closed\n\na", []),
            ("a <!-- b --> c", [TextBlock(.paragraph, "a  c")]),
            ("[a]: https://b.c\n\n[^1]: note", [TextBlock(.paragraph, "[^1]: note")]),
            ("<p align=\"center\">\n<img src=\"x\">\n</p>\n\n<b>a</b>", [TextBlock(.paragraph, "a")]),
            ("a  \nb\\\nc", [TextBlock(.paragraph, "a\nb\nc")]),
        ])
    func blocks(markdown: String, expected: [TextBlock]) {
        #expect(MarkdownDocument.blocks(of: markdown) == expected)
    }

    @Test(
        "Inline marks go and the text stays",
        arguments: [
            ("*a* **b** ***c*** _d_ __e__ ~~f~~", "a b c d e f"),
            ("2 * 3 * 4, a_b_c, *open, ~ 5", "2 * 3 * 4, a_b_c, *open, ~ 5"),
            ("**a *b* c**", "a b c"),
            ("un*frigging*believable", "unfriggingbelievable"),
            ("`*a*` ``b`c`` `` ` `` `d", "*a* b`c ` `d"),
            ("[text](https://a.b/c_(d)) [e][f] [g][] [h]", "text e g [h]"),
            ("[a *b* [c]](d) ![alt](e.png \"t\")", "a b [c] alt"),
            ("[a](never closed", "[a](never closed"),
            ("<https://a.b> <me@c.d> <em>x</em><br/>y 1 < 2 > 0", "https://a.b me@c.d x\ny 1 < 2 > 0"),
            ("<a href=\"https://x.y\">link</a>", "link"),
            ("\\*a\\* \\[b\\](c) \\d", "*a* [b](c) \\d"),
            ("&lt;b&gt; &amp;amp; &#65;&#x42; &nope; & &#0; &#xD800;", "<b> &amp; AB &nope; & &#0; &#xD800;"),
            ("é*ü*日", "éü日"),
        ])
    func inline(markdown: String, expected: String) {
        #expect(InlineText.plain(markdown) == expected)
    }

    @Test(
        "Text that is meant to be slow takes linear time",
        arguments: [
            "[", "![", "](", "`", "*a_", "<", "<a", "<!--", "&", "> ", "(", "|", "- ", "` `` ``` ", "_*~~",
            ">\u{A0}", "> \u{2003}", ">\u{A0}\u{301}", "> - ",
        ])
    func hostile(piece: String) {
        // Quadratic time would take minutes, and the suite's limit would end it.
        let text = String(repeating: piece, count: 20_000)
        _ = MarkdownDocument.blocks(of: text)
        _ = MarkdownDocument.blocks(of: "a " + text)
        _ = MarkdownDocument.blocks(of: String(repeating: piece + "\n", count: 10_000))
    }

    @Test("Parsing stops soon after the limit")
    func limit() {
        let text = String(repeating: "a\n\n", count: 1_000)
        #expect(MarkdownDocument.blocks(of: text, limit: 10).count <= 12)
        #expect(PlainText.blocks(of: text, limit: 10).count <= 12)
        let quoted = String(repeating: "> - a\n", count: 1_000)
        #expect(MarkdownDocument.blocks(of: quoted, limit: 10).count <= 12)
    }

    @Test("Plain text splits at blank lines; indented lines keep their line end")
    func plainText() {
        let blocks = PlainText.blocks(of: "one\ntwo\n  \n\nthree\n  four\n")
        #expect(blocks == [TextBlock(.paragraph, "one two"), TextBlock(.paragraph, "three\nfour")])
    }
}

@Suite("Cutting long text")
struct TextPiecesTests {
    @Test("Short text is one piece, blank text none")
    func short() {
        #expect(TextPieces.split("a b") == ["a b"])
        #expect(TextPieces.split(" \n ") == [])
        #expect(TextPieces.split("") == [])
        #expect(TextPieces.split("  code\n    more\n") == ["  code\n    more"])
    }

    @Test("Long text is cut at spaces, every piece is within the limit, and no word is lost")
    func long() {
        let words = (0..<2_000).map { "word\($0)" }
        let pieces = TextPieces.split(words.joined(separator: " "))
        #expect(pieces.count > 10)
        #expect(pieces.allSatisfy { $0.unicodeScalars.count <= TextPieces.maximumLength })
        #expect(pieces.joined(separator: " ").split(separator: " ").map(String.init) == words)
    }

    @Test("Text without a space is cut at the limit")
    func noSpaces() {
        let pieces = TextPieces.split(String(repeating: "x", count: 3_000))
        #expect(pieces.map(\.count) == [1_200, 1_200, 600])
    }

    @Test("Many lines are cut at a line end")
    func lines() {
        let lines = (0..<70).map { "line \($0)" }
        let pieces = TextPieces.split(lines.joined(separator: "\n"))
        #expect(pieces.map { $0.split(separator: "\n").count } == [30, 30, 10])
        #expect(pieces.joined(separator: "\n") == lines.joined(separator: "\n"))
    }

    @Test("One character of a million combining marks is cut too")
    func combiningMarks() {
        let text = "a" + String(repeating: "\u{301}", count: 100_000)
        #expect(TextPieces.split(text).allSatisfy { $0.unicodeScalars.count <= TextPieces.maximumLength })
    }
}
