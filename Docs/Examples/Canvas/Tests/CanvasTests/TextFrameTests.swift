import AsyncLayers
import Testing

@testable import Canvas

@Suite("The text that is edited")
struct TextFrameTests {
    private let frame = Rect(x: 100, y: 200, width: 300, height: 200)

    private func text(_ string: String) throws -> TextFrame { try TextFrame(string, frame: frame) }

    @Test("takes what is typed at the caret, and deletes on both sides of it")
    func edits() throws {
        var text = try text("ac")
        _ = try text.press(.left)
        _ = try text.insert("b")
        #expect(text.string == "abc")
        _ = try text.insert("é👩‍👩‍👧")
        #expect(text.string == "abé👩‍👩‍👧c")
        _ = try text.press(.backspace)
        #expect(text.string == "abéc")
        _ = try text.press(.delete)
        #expect(text.string == "abé")
        #expect(try text.press(.delete).isEmpty)
        _ = try text.press(.home)
        #expect(try text.press(.backspace).isEmpty)
    }

    @Test("a combining mark joins the letter before the caret, and the caret is behind both")
    func combining() throws {
        var text = try text("e")
        _ = try text.insert("\u{301}")
        #expect(text.string.count == 1)
        #expect(text.position.index == text.string.endIndex)
        _ = try text.press(.backspace)
        #expect(text.string.isEmpty)
    }

    @Test("the caret goes where a click is, and through lines by arrows and back")
    func caret() throws {
        var text = try text("first line\nsecond\nthird line")
        _ = text.click(at: frame.origin)
        #expect(text.position.index == text.string.startIndex)
        let top = text.caret
        _ = try text.press(.end)
        let end = text.caret
        #expect(end.minX > top.minX + 40 && end.minY == top.minY)
        _ = try text.press(.down)
        _ = try text.press(.down)
        #expect(text.caret.minX > end.minX - 10)  // a short line between does not matter
        _ = try text.press(.up)
        _ = try text.press(.up)
        #expect(text.caret == end)
        _ = text.click(at: Point(x: frame.maxX - 1, y: frame.maxY - 1))
        #expect(text.position.index == text.string.endIndex)
    }

    @Test("damages the line that is typed in and the caret, not the lines around")
    func damage() throws {
        var text = try text("one\ntwo\nthree")
        _ = try text.press(.up)
        let caret = text.caret
        let damage = try text.insert("x")
        #expect(text.string == "one\ntwox\nthree")
        #expect(damage.contains { $0.contains(caret) } && damage.contains { $0.contains(text.caret) })
        let around = damage.dropFirst().reduce(damage[0]) { $0.union($1) }
        #expect(around.size.height < caret.size.height + 10)
        // A line break moves all that is below.
        let below = try text.insert("\n")
        #expect(below.contains { $0.maxY > around.maxY + caret.size.height })
    }

    @Test("refuses what does not fit into the frame")
    func full() throws {
        var text = try text("")
        for _ in 0..<40 { _ = try text.insert("\n") }
        #expect(text.string.count < 10)
        #expect(try text.insert("\n\n\n\n\n\n").isEmpty)
        #expect(frame.contains(text.caret))
    }
}
