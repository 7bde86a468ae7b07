import AsyncLayers
import TestSupport

/// The reports of the passes that have ended, in order.
final class ReportList: DisplayMetricsHandler {
    private let list = Recorder<DisplayReport>()

    var all: [DisplayReport] { list.elements }
    func passEnded(_ report: DisplayReport) { list.append(report) }
}
