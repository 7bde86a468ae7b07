import QueuePools
import Testing

@testable import AsyncLayers

@Suite("Display reports")
struct DisplayReportTests {
    private func report(
        _ outcome: DisplayOutcome, source: DisplaySource = .drawn, isSynchronous: Bool = false,
        began: Int = 10, drawing: (start: Int, end: Int)? = nil, ended: Int = 100
    ) -> DisplayReport {
        DisplayReport(
            pass: 1, outcome: outcome, source: source, qos: .userInitiated, isSynchronous: isSynchronous,
            began: .seconds(began),
            drawing: drawing.map { DrawTimes(start: .seconds($0.start), end: .seconds($0.end)) },
            ended: .seconds(ended))
    }

    private let shown = DisplayOutcome.committed(isInterim: false)
    private let failed = DisplayOutcome.failed(DisplayError.invalidScale(0))

    private func times(of report: DisplayReport) -> [Duration?] {
        [report.waitTime, report.drawTime, report.commitTime]
    }

    @Test("a pass that drew and was shown has all three times")
    func committed() {
        let report = report(shown, drawing: (30, 70))
        #expect(times(of: report) == [.seconds(20), .seconds(40), .seconds(30)])
        #expect(!report.isInterim && self.report(.committed(isInterim: true)).isInterim)
    }

    @Test("a picture dropped before it was shown took its committing time all the same")
    func dropped() {
        for outcome in [DisplayOutcome.superseded(.committing), .cancelled(.committing)] {
            #expect(
                times(of: report(outcome, drawing: (30, 70))) == [.seconds(20), .seconds(40), .seconds(30)])
        }
    }

    @Test("a draw that stopped or failed has no picture to commit")
    func stopped() {
        for outcome in [DisplayOutcome.superseded(.drawing), .cancelled(.drawing), failed] {
            #expect(times(of: report(outcome, drawing: (30, 70))) == [.seconds(20), .seconds(40), nil])
        }
    }

    @Test("a pass that ended before its draw waited until then")
    func waited() {
        #expect(times(of: report(.superseded(.waiting))) == [.seconds(90), nil, nil])
        #expect(times(of: report(shown, source: .shared)) == [.seconds(90), nil, nil])
    }

    @Test("a pass that draws nothing, or at once, waits for nothing")
    func immediate() {
        for source in [DisplaySource.cached, .unchanged, .empty] {
            #expect(times(of: report(shown, source: source)) == [nil, nil, nil])
        }
        let synchronous = report(shown, isSynchronous: true, drawing: (10, 90))
        #expect(times(of: synchronous) == [nil, .seconds(80), .seconds(10)])
    }

    @Test("a clock that goes backwards, or jumps by all there is, traps nowhere")
    func hostileClock() {
        #expect(
            times(of: report(shown, began: 90, drawing: (70, 30), ended: 10)) == [.zero, .zero, .zero])
        let (first, last) = (Duration(attoseconds: .min), Duration(attoseconds: .max))
        let longest = DisplayReport(
            pass: 1, outcome: .superseded(.waiting), source: .drawn, qos: .utility, isSynchronous: false,
            began: first, drawing: nil, ended: last)
        #expect(longest.waitTime == last)
        let backwards = DisplayReport(
            pass: 1, outcome: .superseded(.waiting), source: .drawn, qos: .utility, isSynchronous: false,
            began: last, drawing: nil, ended: first)
        #expect(backwards.waitTime == .zero)
    }

    @Test("every outcome has its kind, its stage and its words")
    func outcomes() {
        #expect(shown.name == "committed" && shown.stage == nil && "\(shown)" == "committed")
        let superseded = DisplayOutcome.superseded(.drawing)
        #expect(superseded.name == "superseded" && superseded.stage == .drawing)
        #expect("\(superseded)" == "superseded while drawing")
        let cancelled = DisplayOutcome.cancelled(.committing)
        #expect(cancelled.name == "cancelled" && "\(cancelled)" == "cancelled while committing")
        #expect(failed.name == "failed" && failed.stage == nil && "\(failed)".hasPrefix("failed: a layer's"))
    }

    @Test("only a draw that was not shown is wasted")
    func wasted() {
        #expect(report(.superseded(.drawing), drawing: (30, 70)).isWasted)
        #expect(report(failed, drawing: (30, 70)).isWasted)
        #expect(!report(shown, drawing: (30, 70)).isWasted)
        #expect(!report(.superseded(.waiting)).isWasted)
    }
}
