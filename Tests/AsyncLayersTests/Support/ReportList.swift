import AsyncLayers
import TestSupport

/// The reports of the passes that have ended, in order; without their errors, which may own what a test
/// watches.
final class ReportList: DisplayMetricsHandler {
    private struct Forgotten: Error {}

    /// One for all: an error within an outcome is not seen by Leak Sanitizer, as its pointer has a tag.
    private static let forgotten: any Error = Forgotten()

    private let list = Recorder<DisplayReport>()

    var all: [DisplayReport] { list.elements }
    func passEnded(_ report: DisplayReport) {
        var report = report
        if case .failed = report.outcome { report.outcome = .failed(Self.forgotten) }
        list.append(report)
    }
}
