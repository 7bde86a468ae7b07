import AsyncLayers
import Metrics
import MetricsTestKit
import SwiftMetricsForwarding
import Testing

@MainActor
@Suite("Forwarding to swift-metrics")
struct SwiftMetricsHandlerTests {
    private let backend = TestMetrics()
    private let handler: SwiftMetricsHandler
    private let failed = DisplayOutcome.failed(DisplayError.invalidScale(0))

    init() {
        handler = SwiftMetricsHandler(factory: backend)
    }

    private func passes(_ dimensions: (String, String)...) throws -> Int64 {
        try backend.expectCounter("display.passes", dimensions).totalValue
    }

    private func nanoseconds(_ name: String, tier: String = "userInitiated") throws -> [Int64] {
        try backend.expectTimer("display.\(name)", [("tier", tier)]).values
    }

    @Test("each pass is counted once, by its outcome, and its stage or source")
    func passes() throws {
        for source in DisplaySource.allCases {
            handler.passEnded(DisplayReport(pass: 1, outcome: .committed(isInterim: false), source: source))
        }
        for stage in DisplayStage.allCases {
            handler.passEnded(DisplayReport(pass: 2, outcome: .superseded(stage)))
            handler.passEnded(DisplayReport(pass: 2, outcome: .cancelled(stage)))
        }
        handler.passEnded(DisplayReport(pass: 2, outcome: failed))
        #expect(try passes(("outcome", "committed"), ("source", "cached")) == 1)
        #expect(try passes(("outcome", "superseded"), ("stage", "drawing")) == 1)
        #expect(try passes(("outcome", "cancelled"), ("stage", "waiting")) == 1)
        #expect(try passes(("outcome", "failed")) == 1)
        #expect(backend.counterTotal(label: "display.passes") == 12)
    }

    @Test("times are forwarded to the timers of their tier, in nanoseconds")
    func times() throws {
        handler.passEnded(
            DisplayReport(
                pass: 1, outcome: .committed(isInterim: false), qos: .userInitiated,
                waitTime: .microseconds(3),
                drawTime: .milliseconds(4), commitTime: .nanoseconds(5)))
        handler.passEnded(
            DisplayReport(
                pass: 2, outcome: .superseded(.drawing), qos: .utility, drawTime: .milliseconds(7)))
        #expect(try nanoseconds("waiting") == [3_000])
        #expect(try nanoseconds("drawing") == [4_000_000])
        #expect(try nanoseconds("committing") == [5])
        #expect(try nanoseconds("drawing.wasted").isEmpty)
        #expect(try nanoseconds("waiting", tier: "utility").isEmpty)
        #expect(try nanoseconds("drawing", tier: "utility") == [7_000_000])
        #expect(try nanoseconds("drawing.wasted", tier: "utility") == [7_000_000])
    }

    @Test("interim pictures are counted")
    func interims() throws {
        handler.passEnded(DisplayReport(pass: 1, outcome: .committed(isInterim: true)))
        handler.passEnded(DisplayReport(pass: 2, outcome: .committed(isInterim: false)))
        #expect(try backend.expectCounter("display.interims").totalValue == 1)
    }

    @Test("passes in flight go up and come down")
    func inFlight() throws {
        let meter = try backend.expectMeter("display.passes.in_flight")
        handler.passBegan(1)
        handler.passBegan(2)
        #expect(meter.lastValue == 2)
        handler.passEnded(DisplayReport(pass: 1, outcome: failed))
        handler.passEnded(DisplayReport(pass: 2, outcome: .committed(isInterim: false)))
        #expect(meter.lastValue == 0)
    }

    @Test("nothing is made after the start, and the prefix is the user's")
    func labels() {
        let backend = TestMetrics()
        let handler = SwiftMetricsHandler(prefix: "tiles", factory: backend)
        let made = backend.counters.count + backend.timers.count + backend.meters.count
        handler.passBegan(1)
        handler.passEnded(
            DisplayReport(
                pass: 1, outcome: .committed(isInterim: false), waitTime: .zero, drawTime: .zero,
                commitTime: .zero))
        #expect(backend.counters.count + backend.timers.count + backend.meters.count == made)
        #expect(backend.counters.allSatisfy { $0.label.hasPrefix("tiles.") })
        #expect(backend.timers.allSatisfy { $0.label.hasPrefix("tiles.") })
    }
}
