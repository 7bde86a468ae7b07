public import AsyncLayers
public import Metrics
import QueuePools

/// Forwards display metrics to swift-metrics, and so to the backend that the program has chosen.
///
///     let metrics = DisplayMetrics(handlers: [SwiftMetricsHandler()])
///
/// | label | kind | dimensions |
/// |---|---|---|
/// | `display.passes` | counter | `outcome`, and `stage` of stale passes or `source` of committed ones |
/// | `display.interims` | counter | |
/// | `display.passes.in_flight` | meter | |
/// | `display.waiting`, `display.drawing`, `display.committing` | timer | `tier` |
/// | `display.drawing.wasted` | timer | `tier` |
///
/// Every metric is made at the start, since making one takes the backend's lock; after that a pass costs a
/// few look-ups here, and what the backend's handlers cost.
public struct SwiftMetricsHandler: DisplayMetricsHandler {
    private struct Ending: Hashable {
        var outcome: String
        /// Where a stale pass stopped.
        var stage: DisplayStage?
        /// Where the picture of a committed pass came from.
        var source: DisplaySource?
    }

    private struct Timers {
        let waiting: Timer
        let drawing: Timer
        let wasted: Timer
        let committing: Timer
    }

    private let passes: [Ending: Counter]
    private let interims: Counter
    private let inFlight: Meter
    private let timers: [QoSTier: Timers]

    /// Makes the metrics.
    ///
    /// - Parameters:
    ///   - prefix: what the labels begin with. Default: `display`.
    ///   - factory: the backend. Default: the one that the program was bootstrapped with.
    public init(prefix: String = "display", factory: any MetricsFactory = MetricsSystem.factory) {
        let committed = DisplaySource.allCases.map { Ending(outcome: "committed", source: $0) }
        let stale = ["superseded", "cancelled"].flatMap { name in
            DisplayStage.allCases.map { Ending(outcome: name, stage: $0) }
        }
        passes = Dictionary(
            uniqueKeysWithValues: (committed + stale + [Ending(outcome: "failed")]).map { ending in
                var dimensions = [("outcome", ending.outcome)]
                if let stage = ending.stage { dimensions.append(("stage", "\(stage)")) }
                if let source = ending.source { dimensions.append(("source", "\(source)")) }
                return (ending, Counter(label: "\(prefix).passes", dimensions: dimensions, factory: factory))
            })
        interims = Counter(label: "\(prefix).interims", factory: factory)
        inFlight = Meter(label: "\(prefix).passes.in_flight", factory: factory)
        timers = Dictionary(
            uniqueKeysWithValues: QoSTier.allCases.map { tier in
                func timer(_ name: String) -> Timer {
                    Timer(label: "\(prefix).\(name)", dimensions: [("tier", tier.name)], factory: factory)
                }
                return (
                    tier,
                    Timers(
                        waiting: timer("waiting"), drawing: timer("drawing"), wasted: timer("drawing.wasted"),
                        committing: timer("committing"))
                )
            })
    }

    /// Counts a pass in.
    public func passBegan(_ pass: UInt64) {
        inFlight.increment()
    }

    /// Counts a pass out, and records its times.
    public func passEnded(_ report: DisplayReport) {
        inFlight.decrement()
        let (name, stage) = (report.outcome.name, report.outcome.stage)
        passes[Ending(outcome: name, stage: stage, source: name == "committed" ? report.source : nil)]?
            .increment()
        if report.isInterim { interims.increment() }
        guard let timers = timers[report.qos] else { return }
        if let time = report.waitTime { timers.waiting.record(duration: time) }
        if let time = report.drawTime {
            timers.drawing.record(duration: time)
            if report.isWasted { timers.wasted.record(duration: time) }
        }
        if let time = report.commitTime { timers.committing.record(duration: time) }
    }
}
