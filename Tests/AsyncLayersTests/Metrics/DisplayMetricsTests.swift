import Dispatch
import QueuePools
import Synchronization
import TestSupport
import Testing

@testable import AsyncLayers

@MainActor
@Suite("Display metrics", .timeLimit(.minutes(15)))
struct DisplayMetricsTests {
    /// Not stored: see ``ReportList``.
    fileprivate static var failed: DisplayOutcome { .failed(DisplayError.invalidScale(0)) }
    private let metrics = DisplayMetrics()

    private func end(
        _ outcome: DisplayOutcome, source: DisplaySource = .drawn, waiting: Duration? = nil,
        drawing: Duration? = nil, committing: Duration? = nil
    ) {
        metrics.passEnded(
            DisplayReport(
                pass: metrics.passBegan(), outcome: outcome, source: source, waitTime: waiting,
                drawTime: drawing, commitTime: committing))
    }

    @Test("each outcome is counted by its kind")
    func outcomes() {
        let stages = DisplayStage.allCases
        let outcomes =
            [.committed(isInterim: false)] + stages.map { DisplayOutcome.superseded($0) }
            + stages.map { .cancelled($0) } + [Self.failed]
        for (index, outcome) in outcomes.enumerated() {
            for _ in 0...index { end(outcome) }
        }
        let statistics = metrics.snapshot()
        #expect(statistics.committed == 1 && statistics.sources == [.drawn: 1])
        #expect(statistics.superseded == 9)
        #expect(statistics.cancelled == 18)
        #expect(statistics.failed == 8)
        #expect(statistics.ended == 36)
    }

    @Test("pictures are counted by their source, and only those that were shown")
    func sources() {
        for (index, source) in DisplaySource.allCases.enumerated() {
            for _ in 0...index { end(.committed(isInterim: false), source: source) }
            end(.superseded(.waiting), source: source)
        }
        let statistics = metrics.snapshot()
        #expect(statistics.sources == [.drawn: 1, .shared: 2, .cached: 3, .unchanged: 4, .empty: 5])
        #expect(statistics.committed == 15)
    }

    @Test("passes are numbered from 1 and in flight until they end")
    func inFlight() {
        #expect((1...3).map { _ in metrics.passBegan() } == [1, 2, 3])
        #expect(metrics.snapshot().inFlight == 3)
        metrics.passEnded(DisplayReport(pass: 2, outcome: .committed(isInterim: false)))
        #expect(metrics.snapshot().begun == 3)
        #expect(metrics.snapshot().inFlight == 2)
    }

    @Test("each of the three times is summarised, of the passes that have it")
    func times() {
        for index in 1...100 {
            end(
                .committed(isInterim: false), waiting: .microseconds(index), drawing: .milliseconds(index),
                committing: index <= 10 ? .seconds(index) : nil)
        }
        let statistics = metrics.snapshot()
        #expect(statistics.waitTimes.sampleCount == 100)
        #expect((.microseconds(50)...(.nanoseconds(62_500))).contains(statistics.waitTimes.p50))
        #expect((.milliseconds(99)...(.microseconds(123_750))).contains(statistics.drawTimes.p99))
        #expect(statistics.commitTimes.sampleCount == 10)
        #expect((.seconds(10)...(.milliseconds(12_500))).contains(statistics.commitTimes.maximum))
        #expect(statistics.drawTime == .milliseconds(5_050))
    }

    @Test("drawing that was never shown is wasted, in time and in number")
    func waste() {
        end(.committed(isInterim: false), drawing: .milliseconds(5))
        end(.committed(isInterim: true), drawing: .milliseconds(6))
        end(.superseded(.drawing), drawing: .milliseconds(1))
        end(.cancelled(.committing), drawing: .milliseconds(2))
        end(Self.failed, drawing: .milliseconds(3))
        end(.superseded(.waiting))
        end(.committed(isInterim: false), source: .cached)
        let statistics = metrics.snapshot()
        #expect(statistics.wastedDrawTime == .milliseconds(6))
        #expect(statistics.drawTime == .milliseconds(17))
        #expect(statistics.draws == 5)
        #expect(statistics.wastedDraws == 3)
        #expect(statistics.wastedDrawRatio == 0.6)
        #expect(statistics.interims == 1)
        #expect(statistics.committed == 3)
    }

    @Test("metrics that saw nothing are all zeros, and waste nothing")
    func nothing() {
        #expect(metrics.snapshot() == DisplayStatistics())
        #expect(metrics.snapshot().wastedDrawRatio == 0)
    }

    @Test("negative and endless times are clamped, and sums stop at the largest")
    func hostileTimes() {
        end(Self.failed, waiting: .seconds(-1), drawing: Duration(attoseconds: .min))
        #expect(metrics.snapshot().waitTimes.maximum == .zero)
        #expect(metrics.snapshot().drawTime == .zero)
        // Nanoseconds of 584 years fit: twice 300 do not.
        for _ in 1...2 { end(Self.failed, drawing: .seconds(86_400 * 365 * 300)) }
        #expect(metrics.snapshot().drawTime > .seconds(86_400 * 365 * 500))
        for _ in 1...3 {
            end(Self.failed, waiting: .seconds(Int64.max), drawing: Duration(attoseconds: .max))
        }
        let statistics = metrics.snapshot()
        #expect(statistics.drawTime > .seconds(86_400 * 365 * 500))
        #expect(statistics.wastedDrawTime == statistics.drawTime)
        #expect(statistics.waitTimes.maximum > .seconds(86_400 * 365 * 200))
        #expect(statistics.draws == 6)
    }

    // main actor                             | any thread
    // ---------------------------------------|-------------------------------------------
    // begun += 1                             | reads interims, then ends
    // drawing times, sum, wasted sum, wasted | reads wasted, wasted sum, sum, drawing times
    // outcome += 1, interims += 1            | reads begun
    //
    // Read the other way round, a pass that comes and goes between two reads breaks the figures.
    @Test("a snapshot taken on another thread never shows what cannot be")
    func consistency() async {
        let isOver = Atomic(false)
        let impossible = Recorder<String>()
        let metrics = metrics
        let readers = DispatchGroup()
        let hasRead = DispatchSemaphore(value: 0)
        // The readers end before this function returns, which waits for them.
        withUnsafePointer(to: isOver) { isOver in
            nonisolated(unsafe) let isOver = isOver
            for _ in 0..<2 {
                DispatchQueue.global().async(group: readers) {
                    repeat {
                        let now = metrics.snapshot()
                        if now.ended > now.begun { impossible.append("ended \(now.ended) of \(now.begun)") }
                        if now.interims > now.committed { impossible.append("interims") }
                        if now.wastedDraws > now.draws { impossible.append("wasted draws") }
                        if now.wastedDrawTime > now.drawTime { impossible.append("wasted time") }
                        hasRead.signal()
                    } while !isOver.pointee.load(ordering: .relaxed)
                }
            }
            hasRead.wait()
            for index in 0..<50_000 {
                end(
                    index % 2 == 0 ? .superseded(.drawing) : .committed(isInterim: true),
                    drawing: .microseconds(10))
            }
            isOver.pointee.store(true, ordering: .relaxed)
            readers.wait()
        }
        #expect(impossible.elements.isEmpty)
        #expect(metrics.snapshot().ended == 50_000)
    }

    @Test("each handler receives each pass, in their order, when it has been counted")
    func handlers() {
        let log = Recorder<String>()
        let metrics = DisplayMetrics(handlers: [
            LoggingHandler(name: "first", log: log), LoggingHandler(name: "second", log: log),
        ])
        let pass = metrics.passBegan()
        metrics.passEnded(DisplayReport(pass: pass, outcome: .superseded(.waiting)))
        #expect(
            log.elements == [
                "first began 1", "second began 1", "first superseded while waiting 1",
                "second superseded while waiting 1",
            ])
    }

    @Test("a handler need not implement beginnings")
    func endsOnly() {
        let counter = EndCounter()
        let metrics = DisplayMetrics(handlers: [counter])
        metrics.passEnded(DisplayReport(pass: metrics.passBegan(), outcome: .committed(isInterim: false)))
        #expect(counter.ends.load(ordering: .relaxed) == 1)
    }

    @Test("a handler may begin a pass, and finds the one it receives counted")
    func reentrance() {
        let handler = RestlessHandler()
        let metrics = DisplayMetrics(handlers: [handler])
        handler.metrics = metrics
        metrics.passEnded(DisplayReport(pass: metrics.passBegan(), outcome: DisplayMetricsTests.failed))
        #expect(handler.seen == [1, 2, 3])
        #expect(metrics.snapshot().failed == 3)
    }

    @Test("there are no intervals without signposts")
    func noSignposts() {
        #expect(metrics.signposts == nil)
        #expect(DisplayMetrics.shared.signposts == nil)
    }
}

private struct LoggingHandler: DisplayMetricsHandler {
    let name: String
    let log: Recorder<String>

    func passBegan(_ pass: UInt64) { log.append("\(name) began \(pass)") }
    func passEnded(_ report: DisplayReport) { log.append("\(name) \(report.outcome) \(report.pass)") }
}

private final class EndCounter: DisplayMetricsHandler {
    let ends = Atomic(0)

    func passEnded(_ report: DisplayReport) { ends.wrappingAdd(1, ordering: .relaxed) }
}

@MainActor
private final class RestlessHandler: DisplayMetricsHandler {
    weak var metrics: DisplayMetrics?
    var seen: [Int] = []

    nonisolated init() {}

    func passEnded(_ report: DisplayReport) {
        guard let metrics else { return }
        seen.append(metrics.snapshot().failed)
        if seen.count < 3 {
            metrics.passEnded(DisplayReport(pass: metrics.passBegan(), outcome: DisplayMetricsTests.failed))
        }
    }
}
