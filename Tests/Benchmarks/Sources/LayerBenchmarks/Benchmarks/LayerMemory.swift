import AsyncLayers
import BenchmarkHarness
import CMeasuring

/// What memory does a layer take that shows nothing, or that rests?
struct LayerMemory: Benchmark {
    let metrics = [
        Metric(
            "layer-bytes", unit: "bytes/layer", ours: Roster.ours.name,
            summary:
                "Heap that a layer takes which never displayed, allocation headers included. Bar: 512 bytes."
        ),
        Metric(
            "rested-layer-bytes", unit: "bytes/layer", ours: Roster.ours.name,
            summary:
                "Heap that a layer takes which displayed once, beyond what it shows. Bar: 512 bytes."),
    ]

    /// The first measurement also pays for what pools and queues keep.
    let plan = Plan(rounds: (1, 5), warmsUp: true)

    let trials = [
        Trial(Roster.ours) { host, scale in
            let host = try host.cast(to: AsyncLayerHost.self)
            let delegate = AsyncLayerSource(SharedPicture())
            return try measure(
                scale, make: { host.makeBareLayer() },
                display: { layer in
                    layer.delegate = delegate
                    layer.setNeedsDisplay()
                },
                hasDisplayed: { $0.contents != nil })
        },
        Trial(Roster.yyAsyncLayer) { host, scale in
            let host = try host.cast(to: YYAsyncLayerHost.self)
            let delegate = YYAsyncLayerSource(SharedPicture())
            return try measure(
                scale, make: { host.makeBareLayer() },
                display: { layer in
                    layer.delegate = delegate
                    layer.setNeedsDisplay()
                },
                hasDisplayed: { $0.contents != nil })
        },
        Trial(Roster.byHand) { _, scale in
            let source = SharedPicture()
            return try measure(
                scale, make: { LayerByHand(source) }, display: { $0.invalidate() },
                hasDisplayed: { $0.picture != nil })
        },
    ]

    @MainActor
    private static func measure<Layer: AnyObject>(
        _ scale: Scale, make: () -> Layer, display: (Layer) -> Void, hasDisplayed: (Layer) -> Bool
    ) throws -> [Reading] {
        let count = scale.pick(quick: 2_000, full: 10_000)
        MainLoop.settle()
        var layers: [Layer] = []
        layers.reserveCapacity(count)
        let before = measuring_heap_bytes()
        for _ in 0..<count { layers.append(make()) }
        let made = measuring_heap_bytes()
        // In turns of a hundred: what a turn gathers is no layer's memory.
        for start in stride(from: 0, to: count, by: 100) {
            let turn = layers[start..<min(start + 100, count)]
            for layer in turn { display(layer) }
            try MainLoop.run(until: "all layers show a picture") { turn.allSatisfy(hasDisplayed) }
        }
        MainLoop.settle()
        let rested = measuring_heap_bytes()
        layers = []
        MainLoop.settle()
        return [made, rested].map { Reading(max(0, Double($0) - Double(before)) / Double(count)) }
    }
}
