import Testing

@Suite("The orderings of the engine's other parts", .timeLimit(.minutes(15)))
struct EngineOrderingsTests {
    typealias DelayedClosing = DelayedClosingOrderings

    @Test("a delayed job comes before the closing, or is refused")
    func delayedClosing() throws {
        _ = try DelayedClosing(Orderings()).program.explore()
    }

    @Test(
        "weakened, each access has a delayed job accepted that the closing does not cancel",
        arguments: Orderings<DelayedClosing.Site>.weakenings)
    func delayedClosingWeakened(_ weakening: Orderings<DelayedClosing.Site>.Weakening) {
        let program = DelayedClosing(Orderings(weakening: weakening)).program
        #expect((try? program.explore()) == nil)
    }
}
