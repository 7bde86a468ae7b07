import QueuePools
import Testing

@testable import AsyncLayers

@Suite("Display reports")
struct DisplayReportTests {
    private func report(
        _ outcome: DisplayReport.Outcome, source: DisplaySource = .drawn, isSynchronous: Bool = false,
        began: Int = 10, drawing: (began: Int, ended: Int?)? = nil, ended: Int = 100
    ) -> DisplayReport {
        DisplayReport(
            pass: 1, outcome: outcome, source: source, tier: .userInitiated, isSynchronous: isSynchronous,
            timeline: .init(
                began: .seconds(began), drawingBegan: drawing.map { .seconds($0.began) },
                drawingEnded: drawing?.ended.map { .seconds($0) }, ended: .seconds(ended)))
    }

    private func times(of report: DisplayReport) -> [Duration?] {
        [report.waitingTime, report.drawingTime, report.committingTime]
    }

    @Test("a pass that drew and was shown has all three times")
    func committed() {
        let report = report(.committed, drawing: (30, 70))
        #expect(times(of: report) == [.seconds(20), .seconds(40), .seconds(30)])
    }

    @Test("a picture dropped before it was shown took its committing time all the same")
    func dropped() {
        for outcome in [DisplayReport.Outcome.superseded(.committing), .cancelled(.committing)] {
            #expect(
                times(of: report(outcome, drawing: (30, 70))) == [.seconds(20), .seconds(40), .seconds(30)])
        }
    }

    @Test("a draw that stopped or failed has no picture to commit")
    func stopped() {
        for outcome in [DisplayReport.Outcome.superseded(.drawing), .cancelled(.drawing), .failed] {
            #expect(times(of: report(outcome, drawing: (30, 70))) == [.seconds(20), .seconds(40), nil])
        }
        #expect(times(of: report(.failed, drawing: (30, nil))) == [.seconds(20), .seconds(70), nil])
    }

    @Test("a pass that ended before its draw waited until then")
    func waited() {
        #expect(times(of: report(.superseded(.waiting))) == [.seconds(90), nil, nil])
        #expect(times(of: report(.committed, source: .shared)) == [.seconds(90), nil, nil])
    }

    @Test("a pass that draws nothing, or at once, waits for nothing")
    func immediate() {
        for source in [DisplaySource.cached, .unchanged, .empty] {
            #expect(times(of: report(.committed, source: source)) == [nil, nil, nil])
        }
        let synchronous = report(.committed, isSynchronous: true, drawing: (10, 90))
        #expect(times(of: synchronous) == [nil, .seconds(80), .seconds(10)])
    }

    @Test("a clock that goes backwards, or jumps by all there is, traps nowhere")
    func hostileClock() {
        #expect(
            times(of: report(.committed, began: 90, drawing: (70, 30), ended: 10)) == [.zero, .zero, .zero])
        let (first, last) = (Duration(attoseconds: .min), Duration(attoseconds: .max))
        let longest = DisplayReport(
            pass: 1, outcome: .superseded(.waiting), source: .drawn, tier: .utility, isSynchronous: false,
            timeline: .init(began: first, ended: last))
        #expect(longest.waitingTime == last)
        let backwards = DisplayReport(
            pass: 1, outcome: .superseded(.waiting), source: .drawn, tier: .utility, isSynchronous: false,
            timeline: .init(began: last, ended: first))
        #expect(backwards.waitingTime == .zero)
    }

    @Test("every outcome has its kind, its stage and its words")
    func outcomes() {
        let errors = DisplayError.invalidScale(0)
        #expect(DisplayReport.Outcome(.committed(isInterim: false)).description == "committed")
        #expect(DisplayReport.Outcome(.superseded(.drawing)).description == "superseded while drawing")
        #expect(DisplayReport.Outcome(.cancelled(.committing)).description == "cancelled while committing")
        #expect(DisplayReport.Outcome(.failed(errors)).description == "failed")
        #expect(Set(DisplayReport.Outcome.allCases).count == 8)
    }

    @Test("only a draw that was not shown is wasted")
    func wasted() {
        #expect(report(.superseded(.drawing), drawing: (30, 70)).isWasted)
        #expect(report(.failed, drawing: (30, 70)).isWasted)
        #expect(!report(.committed, drawing: (30, 70)).isWasted)
        #expect(!report(.superseded(.waiting)).isWasted)
    }
}
