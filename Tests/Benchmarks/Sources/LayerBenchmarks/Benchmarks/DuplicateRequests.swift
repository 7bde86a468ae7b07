import BenchmarkHarness
import Synchronization

/// What does it cost to invalidate a layer that has been invalidated in this turn already? And is it drawn
/// once?
struct DuplicateRequests: Benchmark {
    static let layerCount = 100
    static let requestCount = 10_000

    let metrics = [
        Metric(
            "duplicate-request", unit: "ns/call", ours: Roster.ours.name,
            summary:
                "Invalidating a layer that is marked already: 10,000 invalidations of 100 layers in a turn, which must end in exactly 100 draws. Bar: 25 ns."
        )
    ]

    let trials = [
        Trial(Roster.ours) { host, _ in
            let host = try host.cast(to: AsyncLayerHost.self)
            let source = CountedDraws()
            let delegate = AsyncLayerSource(source)
            let layers = (0..<layerCount).map { _ in host.makeBareLayer() }
            for layer in layers { layer.delegate = delegate }
            return try withExtendedLifetime(delegate) {
                try measure(source) { for number in $0 { layers[number % layerCount].setNeedsDisplay() } }
            }
        },
        Trial(Roster.yyAsyncLayer) { host, _ in
            let host = try host.cast(to: YYAsyncLayerHost.self)
            let source = CountedDraws()
            let delegate = YYAsyncLayerSource(source)
            let layers = (0..<layerCount).map { _ in host.makeBareLayer() }
            for layer in layers { layer.delegate = delegate }
            return try withExtendedLifetime(delegate) {
                try measure(source) { for number in $0 { layers[number % layerCount].setNeedsDisplay() } }
            }
        },
    ]

    /// - Parameter request: invalidates the layers with these numbers, in a loop of the contender's own.
    @MainActor
    private static func measure(
        _ source: CountedDraws, _ request: (Range<Int>) -> Void
    ) throws -> [Reading] {
        request(0..<layerCount)
        let start = Clock.now
        request(layerCount..<requestCount)
        let time = Clock.now - start
        try MainLoop.run(until: "all layers have drawn") { source.count >= layerCount }
        MainLoop.settle()
        guard source.count == layerCount else {
            throw MeasuringError(
                "\(requestCount) requests for \(layerCount) layers in one turn made \(source.count) draws"
            )
        }
        return [Reading(Double(time) / Double(requestCount - layerCount))]
    }
}

/// A source that counts the draws that were made.
@MainActor
private final class CountedDraws: DrawSource {
    private final class Counter: Sendable {
        let value = Atomic(0)
    }

    private let counter = Counter()

    var count: Int { counter.value.load(ordering: .acquiring) }

    func nextDraw() -> Draw {
        Draw(number: 0, work: { [counter] _, _ in counter.value.wrappingAdd(1, ordering: .releasing) })
    }
}
