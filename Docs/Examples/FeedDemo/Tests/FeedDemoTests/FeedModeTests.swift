import Foundation
import Testing

@testable import FeedDemo

@Suite("Modes")
struct FeedModeTests {
    @Test("names are unique, fit a style sheet and a command line, and lead back to their mode")
    func names() {
        let modes = FeedMode.allCases
        #expect(Set(modes.map(\.name)).count == modes.count)
        for mode in modes {
            #expect(mode.name.allSatisfy { ("a"..."z").contains($0) || $0 == "-" })
            #expect(mode.name.first != "-")
            #expect(FeedMode.named(mode.name) == mode)
        }
        #expect(FeedMode.named("fast") == nil)
    }

    @Test("modes are in the order of the list, which has what is compared beside one another")
    func order() {
        #expect(FeedMode.allCases.shuffled().sorted() == FeedMode.allCases)
        #expect(FeedMode.allCases.first == .baseline)
        for mode in [FeedMode.synchronous, .yyAsyncLayer, .layered, .stormYYAsyncLayer, .storm] {
            #expect(FeedMode.allCases.contains(mode))
        }
    }

    @Test("in JSON a mode is its name, and an unknown name is an error")
    func coding() throws {
        let data = try JSONEncoder().encode(FeedMode.allCases)
        #expect(try JSONDecoder().decode([String].self, from: data) == FeedMode.allCases.map(\.name))
        #expect(try JSONDecoder().decode([FeedMode].self, from: data) == FeedMode.allCases)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([FeedMode].self, from: Data(#"["fast"]"#.utf8))
        }
    }

    @Test("two modes of one scenario have not the same colour")
    func colours() {
        for scenario in FeedMode.Scenario.allCases {
            let modes = FeedMode.allCases.filter { $0.scenario == scenario }
            #expect(Set(modes.map(\.accent.onLight)).count == modes.count)
            #expect(Set(modes.map(\.accent.onDark)).count == modes.count)
        }
    }

    @Test(
        "a storm has one cell per core, at least one, and no more than there are",
        arguments: [
            (1, 1), (2, 2), (0, 1), (-4, 1), (1_000, 3),
        ])
    func stormCells(cores: Int, expected: Int) {
        let layouts = (1...3).map { number in
            BitmapCellLayout(
                item: FeedItem(author: "A", source: "s", kind: .paragraph, text: "t"), number: number,
                width: 200)
        }
        #expect(Storm.layouts(from: layouts, cores: cores).count == expected)
        #expect(Storm.layouts(from: [BitmapCellLayout](), cores: cores).isEmpty)
    }
}
