import AsyncLayers
import Dispatch
import FeedKit
import Testing

@testable import FeedDemo

@Suite("Frame figures")
struct FrameRecorderTests {
    /// 100 Hz from time 1,000: ticks are 10 ms apart.
    private let grid = FrameGrid(hz: 100, origin: 1_000)
    private let millisecond: UInt64 = 1_000_000

    private func recorder(_ frames: [(begin: UInt64, work: UInt64)]) -> FrameRecorder {
        var recorder = FrameRecorder(grid: grid, frameCount: frames.count)
        for frame in frames {
            let begin = recorder.nextFrameTime + frame.begin * millisecond
            recorder.record(begin: begin, end: begin + frame.work * millisecond)
        }
        return recorder
    }

    @Test("Frames in time have no hitch, a frame that ends at its tick is in time")
    func inTime() {
        let recorder = recorder([(0, 1), (0, 10), (9, 1), (4, 6)])
        let statistics = FrameStatistics(recorder.frames, grid: grid)
        #expect(recorder.frames.map(\.tick) == [0, 1, 2, 3])
        #expect(statistics.framesOverBudget == 0)
        #expect(statistics.hitchMillisecondsPerSecond == 0)
        #expect(statistics.durationSeconds == 0.04)
    }

    @Test("A late frame is shown at a later tick, holds up the next one, and is counted once")
    func late() {
        // The second works for 25 ms, so it is shown two ticks late; the third begins then and is in time.
        let recorder = recorder([(0, 1), (0, 25), (0, 1)])
        #expect(recorder.frames.map(\.tick) == [0, 1, 4])
        #expect(recorder.frames.map(\.shownTick) == [1, 4, 5])
        #expect(recorder.frames.map(\.ticksLate) == [0, 2, 0])
        let statistics = FrameStatistics(recorder.frames, grid: grid)
        #expect(statistics.frames == 3)
        #expect(statistics.framesOverBudget == 1)
        #expect(statistics.durationSeconds == 0.05)
        // 20 ms of hitches in 0.05 s.
        #expect(statistics.hitchMillisecondsPerSecond == 400)
        #expect(statistics.mainThreadMilliseconds.max == 25)
    }

    @Test("A frame that begins too late is late, with any work")
    func lateBegin() {
        let recorder = recorder([(12, 1)])
        #expect(recorder.frames[0].ticksLate == 1)
        #expect(recorder.frames[0].latency == 13 * millisecond)
        #expect(recorder.frames[0].mainThreadTime == millisecond)
    }

    @Test("One nanosecond over is one period of hitch")
    func justOver() {
        var recorder = FrameRecorder(grid: grid, frameCount: 1)
        recorder.record(begin: grid.time(of: 0), end: grid.time(of: 1) + 1)
        #expect(recorder.frames[0].ticksLate == 1)
    }

    @Test("The duration is the frames plus the hitches")
    func identity() {
        var random = SeededGenerator(seed: 3)
        let recorder = recorder((0..<500).map { _ in (random.next() % 8, random.next() % 40) })
        let late = recorder.frames.reduce(0) { $0 + $1.ticksLate }
        let statistics = FrameStatistics(recorder.frames, grid: grid)
        #expect(late > 0)
        #expect(statistics.durationSeconds == Double(500 + late) / 100)
        #expect(
            abs(statistics.hitchMillisecondsPerSecond * statistics.durationSeconds - Double(late) * 10) < 1e-6
        )
        #expect((0...1_000).contains(statistics.hitchMillisecondsPerSecond))
    }

    @Test("Work between frames belongs to the frame before; empty cells are a share of those in view")
    func betweenFrames() {
        var recorder = FrameRecorder(grid: grid, frameCount: 2)
        recorder.addMainThreadTime(5 * millisecond)
        for empty in [0, 3] {
            let begin = recorder.nextFrameTime
            recorder.record(
                begin: begin, end: begin + millisecond, cells: CellCounts(visible: 6, empty: empty, drafts: 1)
            )
            recorder.addMainThreadTime(2 * millisecond)
        }
        #expect(recorder.frames.map(\.mainThreadTime) == [3 * millisecond, 3 * millisecond])
        #expect(recorder.frames.map(\.latency) == [millisecond, millisecond])
        let statistics = FrameStatistics(recorder.frames, grid: grid)
        #expect(statistics.emptyCellRatio == 0.25)
        #expect(statistics.draftCellRatio == 2.0 / 12)
    }

    @Test("Times that run backwards or come early do no harm")
    func nonsense() {
        var recorder = FrameRecorder(grid: FrameGrid(hz: 100, origin: 1_000_000), frameCount: -1)
        recorder.record(begin: 500, end: 100)
        #expect(
            recorder.frames == [
                FrameRecord(
                    tick: 0, shownTick: 1, latency: 0, mainThreadTime: 0, cells: CellCounts())
            ])
    }

    @Test("Without frames every figure is 0")
    func noFrames() {
        let statistics = FrameStatistics([], grid: grid)
        #expect(statistics.hitchMillisecondsPerSecond == 0)
        #expect(statistics.durationSeconds == 0)
        #expect(statistics.mainThreadMilliseconds == Distribution([]))
        #expect(statistics.emptyCellRatio == 0)
        #expect(statistics.draftCellRatio == 0)
    }
}

@Suite("Counters and probes", .timeLimit(.minutes(5)))
struct CounterTests {
    @Test("Drawn but never shown counts what drew and was stopped, failed or missed, out of all that drew")
    func neverShown() {
        var passes = PassCounts()
        #expect(passes.drawnButNeverShownRatio == 0)
        for _ in 0..<12 { passes.begin() }
        for _ in 0..<5 { passes.end(.committed(isInterim: false), hasDrawn: true) }
        passes.end(.committed(isInterim: false), hasDrawn: false, inSameTurn: true)
        #expect(passes.drawnButNeverShownRatio == 0)
        passes.end(.superseded(.waiting), hasDrawn: false)
        passes.end(.superseded(.drawing), hasDrawn: true)
        passes.end(.superseded(.committing), hasDrawn: true)
        passes.end(.cancelled(.waiting), hasDrawn: false)
        #expect(passes.drawn == 7)
        #expect(passes.drawnButNeverShown == 2)
        passes.end(.cancelled(.drawing), hasDrawn: true)
        #expect(passes.unfinished == 1)
        passes.end(.failed(CancellationError()), hasDrawn: true)
        #expect(passes.unfinished == 0)
        passes.miss(hasDrawn: true)
        passes.miss(hasDrawn: false)
        passes.endSilently()
        #expect(passes.unfinished == 0)
        #expect(passes.committed == 6)
        #expect(passes.committedInSameTurn == 1)
        #expect(passes.superseded.total == 3)
        #expect(passes.cancelled == 2)
        #expect(passes.unreported == 1)
        #expect(passes.drawnButNeverShown == 5)
        #expect(abs(passes.drawnButNeverShownRatio - 5.0 / 9) < 1e-12)
    }

    @Test("The gauge keeps its highest level, and after a reset the highest from then on")
    func gauge() {
        let gauge = PeakGauge()
        gauge.add(10)
        gauge.add(5)
        gauge.add(-12)
        #expect(gauge.current == 3)
        #expect(gauge.peak == 15)
        gauge.reset()
        #expect(gauge.peak == 3)
        gauge.add(1)
        #expect(gauge.peak == 4)
        gauge.add(.min)
        gauge.add(.min)
        #expect(gauge.current == 4)
    }

    @Test("The gauge loses no level and no peak when many threads raise it at once")
    func gaugeFromThreads() {
        let gauge = PeakGauge()
        for _ in 0..<500 {
            DispatchQueue.concurrentPerform(iterations: 8) { _ in
                for _ in 0..<4 { gauge.add(1) }
            }
            #expect(gauge.current == 32)
            #expect(gauge.peak == 32)
            gauge.add(-32)
            gauge.reset()
        }
    }

    #if os(Linux)
        @Test("A blocked thread more is a thread more")
        func threads() throws {
            let before = try #require(ProcessProbe.threadCount)
            #expect(before >= 1)
            let started = DispatchSemaphore(value: 0)
            let gate = DispatchSemaphore(value: 0)
            let ended = DispatchSemaphore(value: 0)
            // Other tests start and end threads meanwhile, so many are started and most must be seen.
            for index in 0..<40 {
                DispatchQueue(label: "feed-demo.tests.\(index)").async {
                    started.signal()
                    gate.wait()
                    ended.signal()
                }
            }
            for _ in 0..<40 { started.wait() }
            let during = try #require(ProcessProbe.threadCount)
            for _ in 0..<40 { gate.signal() }
            for _ in 0..<40 { ended.wait() }
            #expect(during >= 41)
        }
    #endif

    @Test("The clock does not run backwards")
    func clock() {
        let first = ProcessProbe.now
        #expect(ProcessProbe.now >= first)
    }
}
