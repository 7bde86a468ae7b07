#if Cairo
    import AsyncLayers
    import Testing

    @testable import CairoRendering

    @Suite("Isolates in text", .timeLimit(.minutes(15)))
    struct TextIsolateTests {
        private func text(
            _ before: String, _ name: String, _ behind: String,
            isolate: TextLayoutOptions.Direction? = .automatic, style: TextStyle = TextStyle()
        ) -> RichText {
            var text = RichText(before, style: style)
            text.append(name, style: style, mark: .mention("name"), isolate: isolate)
            text.append(behind, style: style)
            return text
        }

        @Test("a name of the other direction does not move a number beside it")
        func number() throws {
            let plain = try carets(of: text("by ", "אבג", " 5 times", isolate: nil))
            #expect(plain.x(7) < plain.x(4))
            for direction in [TextLayoutOptions.Direction.automatic, .rightToLeft] {
                let carets = try carets(of: text("by ", "אבג", " 5 times", isolate: direction))
                #expect(carets.x(7) > carets.x(3))
            }
            let other = try carets(of: text("מאת ", "abc", " 5 פעמים"))
            #expect(other.lines[0].isRightToLeft && other.x(8) < other.x(4))
        }

        @Test("a path is read from the left where it is to be, whatever its letters")
        func path() throws {
            func places(_ isolate: TextLayoutOptions.Direction?) throws -> [Double] {
                let carets = try carets(of: text("ב ", "/אבג/x", " סוף", isolate: isolate))
                return [2, 3, 6, 7].flatMap { index in
                    carets.selectionRects(of: carets.index(index)..<carets.index(index + 1)).map(\.minX)
                }
            }
            let plain = try places(nil)
            #expect(plain == plain.sorted(by: >))
            let isolated = try places(.leftToRight)
            #expect(isolated == isolated.sorted())
        }

        @Test("it adds no characters, and each caret, selection, word and mark is of the given text")
        func indices() throws {
            for name in ["אבג דה", "name", "12", "e\u{301}\0א", "עברית and more"] {
                let text = text("by ", name, " 5 times, א")
                let carets = try carets(of: text)
                #expect(carets.string == text.string)
                let found = carets.walk(from: carets.lines[0].start)
                #expect(found.sorted() == Array(0...text.string.count))
                let indices = Array(text.string.indices) + [text.string.endIndex]
                for index in indices {
                    #expect(carets.roundedDown(.init(index)).index == index)
                }
                let all = carets.selectionRects(of: text.string.startIndex..<text.string.endIndex)
                #expect(all.count == 1 && all[0] == carets.lines[0].rect)
                #expect(carets.string[carets.wordRange(at: carets.index(0))] == "by")
                let behind = 3 + name.count
                #expect(carets.string[carets.wordRange(at: carets.index(behind))] == " ")
                #expect(carets.string[carets.wordRange(at: carets.index(behind + 3))] == "times")
                var stops: [Int] = []
                var position = carets.lines[0].start
                while let next = carets.position(wordRightOf: position), stops.count < 100 {
                    stops.append(carets.offset(of: next.index))
                    position = next
                }
                #expect(stops.contains(behind) && stops.contains(behind + 2) && stops.first == 2)
                let mark = try #require(TextLayout(text).marks.first)
                let name = carets.selectionRects(of: carets.index(3)..<carets.index(behind))
                #expect(
                    abs(mark.rects.map(\.size.width).reduce(0, +) - name.map(\.size.width).reduce(0, +))
                        < 0.01)
            }
        }

        @Test("the direction of a paragraph is not that of an isolate in it")
        func paragraphs() throws {
            let carets = try carets(of: text("", "אבג", " is here\nא"), width: 300)
            #expect(carets.lines.map(\.isRightToLeft) == [false, true])
            let typed = try CairoRenderingTests.carets(of: "\u{2068}אבג\u{2069} is here")
            #expect(!typed.lines[0].isRightToLeft)
            // Nor is that of an embedding's mark, which is no letter.
            let marked = try CairoRenderingTests.carets(of: "\u{202B}abc\u{202C} is here")
            #expect(!marked.lines[0].isRightToLeft)
            let only = try CairoRenderingTests.carets(of: text("", "אבג", ""))
            #expect(!only.lines[0].isRightToLeft && only.x(0) > only.x(2))
        }

        @Test(
            "marks of direction within do not reach out of it",
            arguments: [
                "\u{202E}abc", "\u{2069}אבג", "\u{2069}\u{2069}\u{2067}א", "\u{2067}\u{2066}א",
                "\u{202B}א\u{2068}",
                String(repeating: "\u{2069}", count: 30) + "א" + String(repeating: "\u{2067}", count: 30),
            ])
        func ownMarks(name: String) throws {
            let text = text("(by ", name, ") 5 times, אב")
            let carets = try carets(of: text)
            let behind = text.string.index(text.string.endIndex, offsetBy: -13)
            let shown = carets.selectionRects(of: behind..<carets.index(text.string.count - 2))
            // All that follows is right of the name, in one row.
            #expect(shown.count == 1 && shown[0].maxX < carets.lines[0].rect.maxX)
            let letters = carets.selectionRects(of: carets.index(4)..<behind)
            #expect(letters.allSatisfy { $0.maxX <= shown[0].minX })
            #expect(carets.x(3) < shown[0].minX && carets.x(0) == 0)
        }

        @Test("names beside each other stay in the order of reading, and arrows reach each letter once")
        func neighbours() throws {
            var text = RichText("אב")
            text.append("גד", isolate: .automatic)
            text.append("הו", isolate: .automatic)
            text.append("x")
            let carets = try carets(of: text) { $0.direction = .leftToRight }
            let places = [0..<2, 2..<4, 4..<6, 6..<7].map {
                carets.selectionRects(of: carets.index($0.lowerBound)..<carets.index($0.upperBound))
            }
            #expect(places.allSatisfy { $0.count == 1 })
            #expect(zip(places, places.dropFirst()).allSatisfy { $0[0].maxX == $1[0].minX })
            let found = carets.walk(from: carets.lines[0].start)
            #expect(found == [0, 1, 2, 3, 4, 5, 6, 7])
        }

        @Test("it takes no room, also with spacing between letters, and counts in the bounds")
        func room() throws {
            var style = TextStyle()
            style.letterSpacing = 5
            let plain = try TextLayout(text("by ", "name", " here", isolate: nil, style: style))
            let isolated = try TextLayout(text("by ", "name", " here", style: style))
            #expect(plain.size == isolated.size)
            var options = TextLayoutOptions()
            options.limits.layoutCost = 2_000
            var names = RichText()
            for _ in 0..<100 { names.append("a", isolate: .automatic) }
            #expect(throws: TextLayoutError(code: .layoutCost, limit: 2_000)) {
                try TextLayout(names, width: 300, options: options)
            }
        }

        @Test("an ellipsis that stands for a part of it stands for characters of the given text")
        func ellipsis() throws {
            for truncation in [TextLayoutOptions.Truncation.start, .middle, .end] {
                for name in ["אבג דהו זחט יכל", "a name of some words"] {
                    let text = text("by ", name, " and more of it")
                    let carets = try carets(of: text, width: 100) {
                        $0.lineLimit = 1
                        $0.truncation = truncation
                    }
                    let found = carets.walk(from: carets.lines[0].start)
                    #expect(Set(found).count == found.count && found.contains(0))
                    #expect(found.contains(text.string.count) && found.count < text.string.count)
                    #expect(carets.lines[0].range == text.string.startIndex..<text.string.endIndex)
                }
            }
        }
    }
#endif
