import AsyncLayers
import BitmapRendering
import Metrics
import MetricsTestKit
import SwiftMetricsForwarding
import Testing

@MainActor
@Suite("A layer whose metrics are forwarded", .timeLimit(.minutes(5)))
struct LayerTests {
    @Test("every pass of a layer arrives, with the times of those that were drawn")
    func passes() async throws {
        let backend = TestMetrics()
        let metrics = DisplayMetrics(handlers: [SwiftMetricsHandler(factory: backend)])
        let badge = Badge(host: DisplayHost(metrics: metrics))
        for _ in 1...10 { try await badge.show() }
        badge.layer.size = .zero
        try await badge.show()
        badge.layer.contentsScale = .nan
        await #expect(throws: DisplayError.self) { try await badge.show() }

        func passes(_ dimensions: (String, String)...) throws -> Int64 {
            try backend.expectCounter("display.passes", dimensions).totalValue
        }
        #expect(try passes(("outcome", "committed"), ("source", "drawn")) == 10)
        #expect(try passes(("outcome", "committed"), ("source", "empty")) == 1)
        #expect(try passes(("outcome", "failed")) == 1)
        #expect(backend.counterTotal(label: "display.passes") == 12)
        for timer in ["waiting", "drawing", "committing"] {
            let times = backend.timers(label: "display.\(timer)").flatMap(\.values)
            #expect(times.count >= 10, "of \(timer)")
            #expect(times.allSatisfy { $0 >= 0 })
        }
        #expect(backend.timers(label: "display.drawing.wasted").allSatisfy { $0.values.isEmpty })
        #expect(try backend.expectMeter("display.passes.in_flight").lastValue == 0)
    }
}

/// A layer with a coloured shape.
@MainActor
private final class Badge: AsyncLayerDelegate {
    let layer: AsyncLayer<BitmapRenderer>

    init(host: DisplayHost) {
        layer = AsyncLayer(renderer: BitmapRenderer(), host: host)
        layer.size = Size(width: 64, height: 32)
        layer.delegate = self
    }

    /// Displays, and returns when the pass has ended.
    func show() async throws {
        layer.setNeedsDisplay()
        try await layer.displayed()
    }

    func displayTask(for layer: AsyncLayer<BitmapRenderer>) -> DisplayTask<BitmapRenderer>? {
        DisplayTask { context, scope in
            context.fill(scope.bounds, cornerRadius: 8, with: .color(.black))
        }
    }
}
