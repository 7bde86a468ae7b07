import FeedKit
import Testing

@Suite("The seeded generator")
struct SeededGeneratorTests {
    @Test("It is SplitMix64: known answers for seed 1234567")
    func generator() {
        var random = SeededGenerator(seed: 1_234_567)
        #expect(
            (0..<3).map { _ in random.next() } == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
            ])
        for _ in 0..<1_000 { #expect((2.0...3.0).contains(random.number(in: 2...3))) }
    }

    @Test("whole numbers, elements and chances come from the same bits")
    func choices() {
        var random = SeededGenerator(seed: 1_234_567)
        let choices = (random.number(in: 1...10), random.element(of: ["a", "b", "c"]), random.oneIn(1))
        #expect(choices == (8, "b", true))
    }
}
