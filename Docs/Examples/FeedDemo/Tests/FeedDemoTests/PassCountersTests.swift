import AsyncLayers
import FeedKit
import Testing

@testable import FeedDemo

@MainActor
@Suite("What frames have shown")
struct PassCountersTests {
    private let counters = PassCounters()

    private func draw(_ watch: CellWatch, _ outcome: DisplayOutcome = .committed(isInterim: false)) {
        let pass = watch.makePass()
        pass.begin()
        pass.beginDrawing()
        pass.end(outcome)
    }

    @Test("a picture that a frame shows is shown, once")
    func shown() {
        let watch = counters.watchCell(row: 7)
        draw(watch)
        watch.frameShowsCell()
        counters.endFrame()
        watch.frameShowsCell()
        watch.cellIsGone()
        #expect(counters.total.drawn == 1)
        #expect(counters.total.drawnButNeverShown == 0)
        #expect(counters.framesWithNewPicture == [[0]])
    }

    @Test("a picture that is replaced before a frame was never shown")
    func replaced() {
        let watch = counters.watchCell(row: 7)
        draw(watch)
        draw(watch)
        watch.frameShowsCell()
        #expect(counters.total.committed == 2)
        #expect(counters.total.drawnButNeverShown == 1)
        #expect(counters.framesWithNewPicture == [[0]])
    }

    @Test("a picture whose cell leaves before a frame was never shown, nor one that comes later")
    func left() {
        let watch = counters.watchCell(row: 7)
        draw(watch)
        watch.cellIsGone()
        #expect(counters.total.drawnButNeverShown == 1)
        draw(watch)
        #expect(counters.total.drawnButNeverShown == 2)
        #expect(counters.total.drawnButNeverShownRatio == 1)
        #expect(counters.framesWithNewPicture == [[]])
    }

    @Test("what was not drawn is no waste")
    func notDrawn() {
        let watch = counters.watchCell(row: 7)
        for outcome in [
            DisplayOutcome.committed(isInterim: false), .superseded(.waiting), .cancelled(.waiting),
        ] {
            let pass = watch.makePass()
            pass.begin()
            pass.end(outcome)
        }
        watch.cellIsGone()
        #expect(counters.total.drawn == 0)
        #expect(counters.total.drawnButNeverShownRatio == 0)
        #expect(counters.total.unfinished == 0)
    }

    @Test("a pass belongs to the turn in which it began, whenever it ends")
    func turns() {
        let watch = counters.watchCell(row: 1)
        let early = watch.makePass()
        early.begin()
        let late = watch.makePass()
        late.begin()
        late.end(.committed(isInterim: false))
        counters.endFrame()
        early.end(.committed(isInterim: false))
        #expect(counters.total.begun == 2)
        #expect(counters.total.committed == 2)
        #expect(counters.total.committedInSameTurn == 1)
    }

    @Test("a row is seen again when an earlier cell has shown it, and not when it was only in view")
    func again() {
        let first = counters.watchCell(row: 1)
        draw(first)
        let unseen = counters.watchCell(row: 2)
        draw(unseen)
        first.frameShowsCell()
        draw(first)
        #expect(counters.again.begun == 0, "the same cell once more is not another one")
        first.cellIsGone()
        unseen.cellIsGone()
        draw(counters.watchCell(row: 2))
        #expect(counters.again.begun == 0)
        let draft = counters.watchCell(row: 3)
        draw(draft)
        draft.frameShowsCell(isDraft: true)
        draft.cellIsGone()
        draw(counters.watchCell(row: 3))
        #expect(counters.again.begun == 0, "what was shown as a draft is drawn again")
        let second = counters.watchCell(row: 1)
        draw(second)
        second.cellIsGone()
        #expect(counters.again.begun == 1)
        #expect(counters.again.drawn == 1)
        #expect(counters.again.drawnButNeverShown == 1)
        #expect(counters.total.begun == 7)
    }

    @Test("an end without a call is an end, and is counted besides")
    func silent() {
        let pass = counters.watchCell(row: 7).makePass()
        pass.begin()
        #expect(counters.total.unfinished == 1)
        pass.end(.superseded(.waiting), silently: true)
        #expect(counters.total.unfinished == 0)
        #expect(counters.total.unreported == 1)
    }

    @Test("a pass that never began has no end")
    func neverBegan() {
        let pass = counters.watchCell(row: 7).makePass()
        pass.end(.committed(isInterim: false))
        #expect(counters.total == PassCounts())
    }
}

@Suite("Figures of a storm")
struct StormFiguresTests {
    private let grid = FrameGrid(hz: 100, origin: 0)

    /// As many frames as asked for, each in time.
    private func frames(_ count: Int) -> [FrameRecord] {
        (0..<count).map {
            FrameRecord(
                tick: $0, shownTick: $0 + 1, latency: 0, mainThreadTime: 0, cells: CellCounts(visible: 1))
        }
    }

    @Test("pictures a second are of one cell, the longest wait is of any, from the beginning to the end")
    func figures() {
        let storm = StormFigures([[9, 19, 49, 99], [49]], frames: frames(100), grid: grid)
        #expect(storm.cells == 2)
        #expect(storm.newPicturesPerSecond == 2.5)
        #expect(storm.longestWithoutNewPictureMilliseconds == 500)
        let first = StormFigures([[9, 19, 49, 99]], frames: frames(100), grid: grid)
        #expect(first.newPicturesPerSecond == 4)
        #expect(first.longestWithoutNewPictureMilliseconds == 500)
        let late = StormFigures([[79]], frames: frames(100), grid: grid)
        #expect(late.longestWithoutNewPictureMilliseconds == 800)
    }

    @Test("a cell that shows nothing waits all the time; no cells and no frames are 0")
    func nothing() {
        let blank = StormFigures([[]], frames: frames(50), grid: grid)
        #expect(blank.newPicturesPerSecond == 0)
        #expect(blank.longestWithoutNewPictureMilliseconds == 500)
        let none = StormFigures([], frames: frames(50), grid: grid)
        #expect(none.cells == 0 && none.newPicturesPerSecond == 0)
        #expect(none.longestWithoutNewPictureMilliseconds == 0)
        let never = StormFigures([[], []], frames: [], grid: grid)
        #expect(never.newPicturesPerSecond == 0)
        #expect(never.longestWithoutNewPictureMilliseconds == 0)
    }
}

@Suite("What drawing costs")
struct DrawCostTests {
    /// A clock that advances by 10 µs whenever it is read.
    private final class Clock {
        var time: UInt64 = 1_000_000
        func now() -> UInt64 {
            time += 10_000
            return time
        }
    }

    @Test("each cell has its own time within the range, the same in every draw")
    func spread() {
        let cost = DrawCost(milliseconds: 1...4)
        let times = (0..<500).map { cost.nanoseconds(ofCell: $0) }
        #expect(times.allSatisfy { (1_000_000...4_000_000).contains($0) })
        #expect(times.min()! < 1_100_000 && times.max()! > 3_900_000)
        #expect(times == (0..<500).map { cost.nanoseconds(ofCell: $0) })
        #expect(DrawCost(milliseconds: 30...30).nanoseconds(ofCell: 7) == 30_000_000)
        #expect(DrawCost.none.nanoseconds(ofCell: -1) == 0)
    }

    @Test("the time is wasted to its end, counted from the draw's beginning")
    func whole() {
        let clock = Clock()
        let start = clock.time
        let cost = DrawCost(milliseconds: 2...2)
        let isWhole = cost.waste(nanosecondsOf: 1, since: start, now: clock.now, isCancelled: { false })
        #expect(isWhole)
        #expect((2_000_000...2_020_000).contains(clock.time - start))
        clock.time += 50_000_000
        let late = clock.time
        #expect(cost.waste(nanosecondsOf: 1, since: start, now: clock.now, isCancelled: { false }))
        #expect(clock.time - late <= 10_000, "what took longer by itself wastes nothing more")
    }

    @Test("a draft takes its share of the time")
    func share() {
        let clock = Clock()
        let start = clock.time
        let cost = DrawCost(milliseconds: 16...16)
        #expect(
            cost.waste(
                nanosecondsOf: 1, share: 1.0 / 16, since: start, now: clock.now, isCancelled: { false }))
        #expect((1_000_000...1_020_000).contains(clock.time - start))
    }

    @Test("a draw that is cancelled stops within a step, and is not whole")
    func cancelled() {
        let clock = Clock()
        let start = clock.time
        let isWhole = DrawCost(milliseconds: 100...100).waste(
            nanosecondsOf: 1, since: start, now: clock.now,
            isCancelled: { clock.time - start > 3_000_000 })
        #expect(!isWhole)
        #expect(clock.time - start <= 3_000_000 + DrawCost.step + 20_000)
    }

    @Test("draw times are gathered from many threads", .timeLimit(.minutes(5)))
    func times() async {
        let times = DrawTimes()
        #expect(times.milliseconds == Distribution([]))
        await withTaskGroup(of: Void.self) { group in
            for index in 1...100 { group.addTask { times.record(UInt64(index) * 1_000_000) } }
        }
        #expect(times.milliseconds == Distribution((1...100).map(Double.init)))
    }

    @Test("a cost is spelled as the command line takes it")
    func spelling() {
        for (range, text) in [(1.0...4.0, "1-4"), (30.0...30.0, "30"), (0.5...1.25, "0.5-1.25")] {
            #expect("\(DrawCost(milliseconds: range))" == text)
        }
    }
}
