import AsyncLayers
import BitmapRendering
import Testing

@Suite("Text", .timeLimit(.minutes(15)))
struct TextTests {
    private static let ascii = (0x20...0x7E).map { Character(UnicodeScalar(UInt8($0))) }
    private static let latin = (0xA0...0xFF).map { Character(UnicodeScalar(UInt8($0))) }
    private let font = StrokeFont(size: 30)

    private func picture(_ text: String, _ font: StrokeFont? = nil) throws -> Bitmap {
        try bitmap(60, 60) {
            $0.draw(text, baseline: Point(x: 12, y: 40), font: font ?? self.font, color: .black)
        }
    }

    @Test("Every glyph of ASCII and Latin-1 has ink, but the spaces, and none looks like another")
    func glyphs() throws {
        let box = try picture("\u{4E2D}")
        var seen: [(Character, Bitmap)] = [("中", box)]
        for character in Self.ascii + Self.latin where character != "\u{AD}" {
            let glyph = try picture(String(character))
            guard character != " ", character != "\u{A0}" else {
                #expect(glyph.isClear)
                continue
            }
            #expect(!glyph.isClear, "\(character) is blank")
            for (other, otherGlyph) in seen {
                #expect(!glyph.hasSamePixels(as: otherGlyph), "\(character) looks like \(other)")
            }
            seen.append((character, glyph))
        }
        #expect(seen.count == 95 + 96 - 2)
    }

    @Test(
        "No glyph reaches above the ascent, below the descent, or far out of its width",
        arguments: [false, true])
    func glyphsStayInPlace(isBold: Bool) throws {
        let font = StrokeFont(size: 30, weight: isBold ? .bold : .regular)
        for character in Self.ascii + Self.latin + ["中"] {
            let glyph = try bitmap(80, 60) {
                $0.draw(String(character), baseline: Point(x: 20, y: 40), font: font, color: .black)
            }
            let end = 20 + Int(font.width(of: String(character)).rounded(.up))
            let top = 40 - Int(font.ascent.rounded(.up))
            let bottom = 40 + Int(font.descent.rounded(.up))
            for y in 0..<60 {
                for x in 0..<80 where glyph.alpha(x, y) > 0 {
                    #expect(
                        (19...end).contains(x) && (top..<bottom).contains(y), "\(character) at \(x), \(y)")
                }
            }
        }
    }

    @Test("A letter with an accent has the ink of its base and more", arguments: zip("éñÅçÿ", "enAcy"))
    func accentsAreAdded(letter: Character, base: Character) throws {
        let accented = try picture(String(letter))
        let plain = try picture(String(base))
        #expect(accented.coveredArea > plain.coveredArea + 5)
        #expect(
            (0..<60).allSatisfy { y in (0..<60).allSatisfy { accented.alpha($0, y) >= plain.alpha($0, y) } })
        #expect(font.width(of: String(letter)) == font.width(of: String(base)))
    }

    @Test("A letter is drawn alike in both spellings, composed and decomposed")
    func spellings() throws {
        for (composed, decomposed) in [
            ("é", "e\u{301}"), ("Å", "A\u{30A}"), ("ç", "c\u{327}"), ("ï", "i\u{308}"),
        ] {
            #expect(try picture(composed).hasSamePixels(as: picture(decomposed)))
        }
    }

    @Test("Characters that the font does not have are all the same box; white space is a space")
    func unknownCharacters() throws {
        let box = try picture("中")
        for character in [
            "😀", "ω", "\u{7}", "\u{7F}", "x\u{301}", "ı", "□", "ˆ", "—",
            "e\u{302}\u{301}",
        ] {
            #expect(try picture(String(character)).hasSamePixels(as: box), "\(character)")
        }
        for space in ["\t", "\n", "\r\n", "\u{2003}", "\u{3000}"] {
            #expect(try picture(space).isClear)
            #expect(font.width(of: space) == font.width(of: " "))
        }
    }

    @Test("Widths add up, and grow with the size")
    func widths() {
        let parts = ["Hello, ", "Größe", " 42 ", "WAVE", "中"]
        for font in [StrokeFont(size: 22), StrokeFont(size: 22, weight: .bold), StrokeFont(size: 13)] {
            let sum = parts.reduce(0) { $0 + font.width(of: $1) }
            #expect(abs(font.width(of: parts.joined()) - sum) < 1e-9)
        }
        #expect(StrokeFont(size: 44).width(of: "abc") == 2 * StrokeFont(size: 22).width(of: "abc"))
        #expect(StrokeFont(size: 20, weight: .bold).width(of: "abc") > StrokeFont(size: 20).width(of: "abc"))
        #expect(Set("0123456789".map { font.width(of: String($0)) }).count == 1)
        #expect(font.width(of: "") == 0)
    }

    @Test("Text that is drawn in two parts is the text drawn at once")
    func partsJoin() throws {
        let font = StrokeFont(size: 22)
        let whole = try bitmap(200, 40) {
            $0.draw("Hamburgefons", baseline: Point(x: 4, y: 30), font: font, color: .black)
        }
        let parts = try bitmap(200, 40) {
            $0.draw("Hambur", baseline: Point(x: 4, y: 30), font: font, color: .black)
            let x = 4 + font.width(of: "Hambur")
            $0.draw("gefons", baseline: Point(x: x, y: 30), font: font, color: .black)
        }
        #expect(whole.hasSamePixels(as: parts))
    }

    @Test("Bold has more ink, and text grows smoothly with size and scale")
    func weightAndScale() throws {
        let regular = try picture("g").coveredArea
        #expect(try picture("g", StrokeFont(size: 30, weight: .bold)).coveredArea > 1.4 * regular)
        let doubled = try bitmap(120, 120, scale: 2) {
            $0.draw("g", baseline: Point(x: 12, y: 40), font: font, color: .black)
        }
        #expect(abs(doubled.coveredArea / regular - 4) < 0.05)
    }

    @Test(
        "Sizes that are not finite or negative draw nothing and have no extent",
        arguments: [.nan, .infinity, -3, 0.0])
    func strangeSizes(size: Double) throws {
        let font = StrokeFont(size: size)
        #expect(font.size == 0 && font.width(of: "abc") == 0 && font.lineHeight == 0)
        #expect(try picture("abc", font).isClear)
    }

    @Test("Lines are drawn below one another, the first one's ascent at the top")
    func linesAreStacked() throws {
        let font = StrokeFont(size: 16)
        let lines = font.wrap("one\ntwo", width: 100)
        let stacked = try bitmap(60, 60) {
            $0.draw(lines, topLeft: Point(x: 3, y: 5), font: font, color: .black)
        }
        let single = try bitmap(60, 60) {
            $0.draw("one", baseline: Point(x: 3, y: 5 + font.ascent), font: font, color: .black)
            $0.draw("two", baseline: Point(x: 3, y: 5 + font.ascent + 20), font: font, color: .black)
        }
        #expect(stacked.hasSamePixels(as: single))
        #expect(!stacked.isClear)
    }

    @Test("A very long text costs what can be seen of it")
    func longText() throws {
        let text = String(repeating: "word ", count: 200_000)
        let clock = ContinuousClock()
        let elapsed = try clock.measure {
            _ = try bitmap(50, 20) { $0.draw(text, baseline: Point(x: 0, y: 15), font: font, color: .black) }
        }
        #expect(elapsed < .seconds(1))
    }
}
