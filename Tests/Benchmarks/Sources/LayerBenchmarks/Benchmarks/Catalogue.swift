import BenchmarkHarness

/// All benchmarks, in the order in which they run and are reported.
enum Catalogue {
    static let all: [any Benchmark] = [
        PassesInTurns.small, PassesInTurns.repeated, PassesInTurns.medium, PassesInTurns.large, LonePass(),
        DuplicateRequests(),
        Scroll.reading, Scroll.flinging, Storm.everywhere, Storm.besideLongDraw, Storm.resize, GroupStorm(),
        ScrollBack(), ManyItems.group, ManyItems.groupDisplays, ManyItems.composition, ManyItems.budget,
        ManyItems.followers, ManyItems.waiters,
        CompositionOneChange(), CompositionResize(),
        LayerMemory(), LayersAlive(), HostileText(),
        OpenWindow(), TiledCaret(), TiledEditAhead(), TiledEditBlur(), TiledFirstView(), TiledMovement.pan,
        TiledMovement.zoom, TiledScrollBar(),
        TiledEditStorm(),
        TiledMemory(), TiledRest(),
    ]
}
