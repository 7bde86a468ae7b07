import BenchmarkHarness

/// All benchmarks, in the order in which they run and are reported.
enum Catalogue {
    static let all: [any Benchmark] = [
        PassesInTurns.small, PassesInTurns.repeated, PassesInTurns.medium, PassesInTurns.large, LonePass(),
        DuplicateRequests(),
        Scroll.reading, Scroll.flinging, Storm.everywhere, Storm.besideLongDraw, Storm.resize,
        ScrollBack(), ManyItems.group, ManyItems.tree, ManyItems.treeTiles, ManyItems.budget,
        LayerMemory(), LayersAlive(), HostileText(),
    ]
}
