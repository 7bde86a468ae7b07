/// Forwards display metrics to a system of the user's: a metrics backend, a log, a test.
///
///     final class SlowDraws: DisplayMetricsHandler {
///         func passEnded(_ report: DisplayReport) {
///             if let time = report.drawingTime, time > .milliseconds(16) { print(report) }
///         }
///     }
///     let metrics = DisplayMetrics(handlers: [SlowDraws()])
///
/// Called on the main actor, once a pass each, so what a handler costs is added to every pass, twice: it must
/// not block, wait or do input and output; raise counters, or hand the report to a queue. It may display
/// layers. `Docs/Examples/SwiftMetrics` forwards to swift-metrics.
public protocol DisplayMetricsHandler: Sendable {
    /// A pass begins. Does nothing by default.
    @MainActor
    func passBegan(_ pass: UInt64)

    /// A pass has ended, and its `didDisplay` was called. Called exactly once for each pass that began.
    @MainActor
    func passEnded(_ report: DisplayReport)
}

extension DisplayMetricsHandler {
    /// Does nothing: many handlers count ends alone.
    @MainActor
    public func passBegan(_ pass: UInt64) {}
}
