import BenchmarkHarness

/// Does a frame cost more when there are more layers that take no part in it?
struct LayersAlive: Benchmark {
    private static let ours = "100 alive"

    let metrics = [
        Metric(
            "layers-alive", unit: "µs/frame", ours: ours,
            summary:
                "Processor time of the main thread for a frame that displays 100 layers, of all that are alive. Bar: the same for both."
        )
    ]

    let plan = Plan(rounds: (3, 9))

    let trials = [trial(ours, alive: 100), trial("10,000 alive", alive: 10_000)]

    private static func trial(_ name: String, alive: Int) -> Trial {
        let kind = LayerKind(name, threads: .own, makeHost: Roster.ours.makeHost)
        return Trial(kind) { host, scale in
            let idle = SharedPicture()
            let others = (0..<(alive - PassesInTurns.layerCount)).map { _ in host.makeLayer(idle) }
            for start in stride(from: 0, to: others.count, by: 1_000) {
                let turn = others[start..<min(start + 1_000, others.count)]
                for layer in turn { layer.invalidate() }
                host.endTurn()
                try MainLoop.run(until: "all layers show a picture") {
                    turn.allSatisfy { $0.picture != nil }
                }
            }
            MainLoop.settle()
            let found = try PassesInTurns.measure(
                host, turns: scale.pick(quick: 10, full: 50), byteCount: 0)
            return withExtendedLifetime(others) {
                [Reading(found[0].value * Double(PassesInTurns.layerCount) / 1_000)]
            }
        }
    }
}
