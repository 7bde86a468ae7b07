import TestSupport
import Testing

@testable import ScrollScheduling

@Suite("Frame-rate meter")
struct FrameRateMeterTests {
    static let sixtieth = Duration.seconds(1) / 60
    static let oneTwentieth = Duration.seconds(1) / 120

    /// Records frames from a time on, each this much after the one before, and returns the last one's time.
    @discardableResult
    static func record(
        _ count: Int, every gap: Duration, from start: Duration = .zero, in meter: inout FrameRateMeter
    ) -> Duration {
        for frame in 0..<count { meter.recordFrame(shownAt: start + gap * frame) }
        return start + gap * (count - 1)
    }

    @Test("frames in time give the display's rate and no hitch", arguments: [30, 60, 120, 240])
    func smooth(rate: Int) {
        for given in [Duration.seconds(1) / rate, nil] {
            var meter = FrameRateMeter(refreshInterval: given)
            Self.record(rate * 3, every: .seconds(1) / rate, in: &meter)
            #expect(abs(meter.recent.framesPerSecond - Double(rate)) < 0.001)
            #expect(meter.recent.frames >= rate)
            #expect(meter.recent.frames <= rate + 1)
            #expect(meter.total.frames == rate * 3 - 1)
            #expect(meter.total.hitchMillisecondsPerSecond == 0)
            #expect(meter.total.droppedFrames == 0)
        }
    }

    @Test("a frame that comes two refreshes late is two dropped frames and that much hitch time")
    func hitch() {
        var meter = FrameRateMeter(refreshInterval: .milliseconds(10))
        let last = Self.record(51, every: .milliseconds(10), in: &meter)
        meter.recordFrame(shownAt: last + .milliseconds(30))
        Self.record(47, every: .milliseconds(10), from: last + .milliseconds(40), in: &meter)
        #expect(meter.total.duration == .seconds(1))
        #expect(meter.total.frames == 98)
        #expect(meter.total.framesPerSecond == 98)
        #expect(meter.total.droppedFrames == 2)
        #expect(meter.total.hitchTime == .milliseconds(20))
        #expect(meter.total.longestHitch == .milliseconds(20))
        #expect(meter.total.hitchMillisecondsPerSecond == 20)
        #expect(meter.recent == meter.total)
    }

    @Test("statistics are described by frames, dropped frames and the time by which they were late")
    func description() {
        var meter = FrameRateMeter(refreshInterval: .milliseconds(10))
        meter.recordFrame(shownAt: .zero)
        meter.recordFrame(shownAt: .milliseconds(30))
        #expect(
            "\(meter.total)"
                == "1 frames in 0.03 seconds, dropped 2, late by 0.02 seconds, 0.02 seconds at most")
    }

    @Test("the window forgets what is older than a second")
    func window() {
        var meter = FrameRateMeter(refreshInterval: .milliseconds(10))
        Self.record(2, every: .milliseconds(500), in: &meter)
        #expect(meter.recent.longestHitch == .milliseconds(490))
        Self.record(99, every: .milliseconds(10), from: .milliseconds(510), in: &meter)
        #expect(meter.recent.longestHitch == .milliseconds(490))
        Self.record(1, every: .milliseconds(10), from: .milliseconds(1_500), in: &meter)
        #expect(meter.recent.longestHitch == .zero)
        #expect(meter.recent.framesPerSecond == 100)
        #expect(meter.total.longestHitch == .milliseconds(490))
    }

    @Test("the window agrees with all frames added up again", arguments: 1...5 as ClosedRange<UInt64>)
    func windowModel(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var meter = FrameRateMeter(refreshInterval: .milliseconds(4), window: .milliseconds(700))
        var (now, frames) = (Duration.zero, [ShownFrame]())
        meter.recordFrame(shownAt: now)
        for step in 0..<1_500 {
            let gap = Duration.microseconds(
                step % 100 == 0 ? 300_000 : Int.random(in: 100...9_000, using: &generator))
            now += gap
            meter.recordFrame(shownAt: now)
            frames.append(
                ShownFrame(gap: gap, lateness: gap - .milliseconds(4), interval: .milliseconds(4)))
            var (expected, covered) = (FrameRateStatistics(), Duration.zero)
            for frame in frames.reversed() {
                if covered >= .milliseconds(700) { break }
                expected.add(frame)
                covered += frame.gap
            }
            if meter.recent != expected {
                Issue.record("\(meter.recent) instead of \(expected) at step \(step) of seed \(seed)")
                return
            }
        }
    }

    @Test("jitter of less than half an interval is no hitch")
    func jitter() {
        var generator = SeededGenerator(seed: 7)
        var meter = FrameRateMeter(refreshInterval: .milliseconds(10))
        for frame in 0..<1_000 {
            let jitter = Duration.microseconds(Int.random(in: -2_400...2_400, using: &generator))
            meter.recordFrame(shownAt: .milliseconds(10 * frame) + jitter)
        }
        #expect(meter.total.hitchTime == .zero)
        #expect(meter.total.droppedFrames == 0)
    }

    @Test("a pause is no hitch, and a motion may begin at a time of its own")
    func pauses() {
        var meter = FrameRateMeter(refreshInterval: .milliseconds(10))
        Self.record(11, every: .milliseconds(10), in: &meter)
        meter.suspend()
        Self.record(11, every: .milliseconds(10), from: .seconds(50), in: &meter)
        #expect(meter.total.frames == 20)
        #expect(meter.total.duration == .milliseconds(200))
        #expect(meter.total.hitchTime == .zero)
        meter.resume(at: .seconds(60))
        meter.recordFrame(shownAt: .seconds(60) + .milliseconds(40))
        #expect(meter.total.hitchTime == .milliseconds(30))
        #expect(meter.total.frames == 21)
    }

    @Test("a frame is late after the time at which its driver expected it")
    func due() {
        var meter = FrameRateMeter(refreshInterval: .milliseconds(10))
        meter.recordFrame(shownAt: .milliseconds(0))
        meter.recordFrame(shownAt: .milliseconds(40), dueAt: .milliseconds(40))
        #expect(meter.total.hitchTime == .zero)
        meter.recordFrame(shownAt: .milliseconds(80), dueAt: .milliseconds(60))
        #expect(meter.total.hitchTime == .milliseconds(20))
        #expect(meter.total.droppedFrames == 2)
        meter.recordFrame(shownAt: .milliseconds(90), dueAt: .milliseconds(-500))
        #expect(meter.total.hitchTime == .milliseconds(30))
    }

    @Test("a clock that goes backwards or leaps begins a motion, and a time twice is one frame")
    func clocks() {
        var meter = FrameRateMeter(refreshInterval: .milliseconds(10))
        Self.record(11, every: .milliseconds(10), from: .seconds(100), in: &meter)
        Self.record(11, every: .milliseconds(10), from: .seconds(3), in: &meter)
        Self.record(11, every: .milliseconds(10), from: .seconds(9_000), in: &meter)
        meter.recordFrame(shownAt: .seconds(9_000) + .milliseconds(100))
        #expect(meter.total.frames == 30)
        #expect(meter.total.duration == .milliseconds(300))
        #expect(meter.total.hitchTime == .zero)
    }

    @Test("a change of the display's rate is no hitch, neither to 120 Hz nor back")
    func changesOfRate() {
        var meter = FrameRateMeter(refreshInterval: Self.sixtieth)
        var last = Self.record(60, every: Self.sixtieth, in: &meter)
        meter.refreshInterval = Self.oneTwentieth
        last = Self.record(60, every: Self.oneTwentieth, from: last + Self.sixtieth, in: &meter)
        meter.refreshInterval = Self.sixtieth
        Self.record(60, every: Self.sixtieth, from: last + Self.oneTwentieth, in: &meter)
        #expect(meter.total.hitchTime == .zero)
        meter.refreshInterval = nil
        #expect(meter.effectiveRefreshInterval != nil)
    }

    @Test("a derived interval follows the display within 13 frames, and late frames do not mislead it")
    func derivedInterval() {
        var meter = FrameRateMeter()
        #expect(meter.effectiveRefreshInterval == nil)
        var last = Self.record(30, every: .milliseconds(16), in: &meter)
        #expect(meter.effectiveRefreshInterval == .milliseconds(16))
        last = Self.record(4, every: .milliseconds(8), from: last + .milliseconds(8), in: &meter)
        #expect(meter.effectiveRefreshInterval == .milliseconds(8))
        for frame in 0..<40 {
            last += frame % 4 == 0 ? .milliseconds(8) : .milliseconds(24)
            meter.recordFrame(shownAt: last)
            #expect(meter.effectiveRefreshInterval == .milliseconds(8))
        }
        last = Self.record(16, every: .milliseconds(16), from: last + .milliseconds(16), in: &meter)
        #expect(meter.effectiveRefreshInterval == .milliseconds(16))
        for _ in 0..<3 {
            last += .milliseconds(1)
            meter.recordFrame(shownAt: last)
        }
        #expect(meter.effectiveRefreshInterval == .milliseconds(16))
    }

    @Test("memory is bounded however many frames fall into the window")
    func manyFrames() {
        var meter = FrameRateMeter(refreshInterval: .microseconds(10))
        Self.record(5_000, every: .microseconds(10), in: &meter)
        #expect(meter.recent.frames == FrameRateMeter.maximumFramesInWindow)
        #expect(abs(meter.recent.framesPerSecond - 100_000) < 0.1)
        #expect(meter.total.frames == 4_999)
    }

    @Test("times and intervals that make no sense neither stop the program nor spoil the figures")
    func extremes() {
        let times: [Duration] = [
            .zero, .seconds(Int64.max), .seconds(Int64.min), .nanoseconds(-1), .nanoseconds(1),
            .seconds(Int64.max) * 15, .milliseconds(1), .seconds(Int64.min) * 15, .seconds(3_600),
        ]
        for interval in times + [.seconds(-1), .seconds(Int64.max)] {
            var meter = FrameRateMeter(refreshInterval: interval, window: interval)
            for first in times {
                for second in times {
                    meter.resume(at: first)
                    meter.recordFrame(shownAt: second, dueAt: first)
                    meter.recordFrame(shownAt: first)
                    meter.recordFrame(shownAt: second)
                    meter.refreshInterval = second
                    for statistics in [meter.recent, meter.total] {
                        #expect((0...1_000).contains(statistics.hitchMillisecondsPerSecond))
                        #expect(statistics.framesPerSecond >= 0)
                        #expect(statistics.framesPerSecond.isFinite)
                    }
                }
            }
        }
    }

    @Test("after a reset nothing was measured")
    func reset() {
        var meter = FrameRateMeter(window: .seconds(2))
        Self.record(100, every: .milliseconds(10), in: &meter)
        meter.reset()
        #expect(meter.total == FrameRateStatistics())
        #expect(meter.recent == FrameRateStatistics())
        #expect(meter.effectiveRefreshInterval == nil)
        #expect(meter.window == .seconds(2))
        #expect(meter.recent.framesPerSecond == 0)
        #expect(meter.recent.hitchMillisecondsPerSecond == 0)
    }
}
