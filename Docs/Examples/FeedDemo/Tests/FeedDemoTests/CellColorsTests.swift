import AsyncLayers
import Foundation
import Testing

@testable import FeedDemo

@Suite("Cell colours")
struct CellColorsTests {
    @Test("A name has the same colours in every run: the hash is FNV-1a")
    func deterministic() {
        #expect(CellColors.hash("") == 0xCBF2_9CE4_8422_2325)
        #expect(CellColors.hash("a") == 0xAF63_DC4C_8601_EC8C)
        #expect(CellColors.hash("foobar") == 0x8594_4171_F739_67E8)
        #expect(CellColors(author: "Architecture") == CellColors(author: "Architecture"))
    }

    @Test("Many names use every hue")
    func spread() {
        let avatars = Set((0..<300).map { CellColors(author: "Author \($0)").avatar })
        #expect(avatars.count == CellColors.hues.count)
    }

    @Test("White initials, the author's name and the text can be read on their backgrounds")
    func contrast() {
        for number in 0..<300 {
            let colors = CellColors(author: "Author \(number)")
            #expect(ratio(.white, colors.avatar) >= 4.5)
            for background in [colors.bubbleTop, colors.bubbleBottom] {
                #expect(ratio(colors.author, background) >= 4.5)
                #expect(ratio(colors.text, background) >= 7)
            }
        }
    }

    @Test(
        "Initials are capitals of the first and the last word",
        arguments: [
            ("Architecture", "A"), ("the async layer", "TL"), ("CPU topology", "CT"), ("2. Limits", "2L"),
            ("émile zola", "ÉZ"), ("--- !", "#"), ("", "#"), ("日本", "日"),
        ])
    func initials(name: String, expected: String) {
        #expect(CellColors.initials(of: name) == expected)
    }

    /// The contrast ratio of WCAG 2.
    private func ratio(_ first: Color, _ second: Color) -> Double {
        let (one, two) = (luminance(first), luminance(second))
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }

    private func luminance(_ color: Color) -> Double {
        func linear(_ value: Double) -> Double {
            value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue)
    }
}
