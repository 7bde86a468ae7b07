import FeedKit
import Testing

@testable import FeedDemo

@Suite("Simulated flicks", .timeLimit(.minutes(5)))
struct FlickScrollTests {
    private func offsets(_ frames: Int, content: Double, hz: Int = 120, seed: UInt64 = 1) -> [Double] {
        FlickScroll.offsets(frames: frames, contentHeight: content, viewportHeight: 844, hz: hz, seed: seed)
    }

    @Test("The same seed gives the same offsets, another seed others")
    func deterministic() {
        #expect(offsets(2_000, content: 50_000) == offsets(2_000, content: 50_000))
        #expect(offsets(2_000, content: 50_000) != offsets(2_000, content: 50_000, seed: 2))
    }

    @Test("60 and 120 Hz sample one movement")
    func rates() {
        let fine = offsets(2_000, content: 50_000)
        let coarse = offsets(1_000, content: 50_000, hz: 60)
        for frame in coarse.indices { #expect(abs(coarse[frame] - fine[2 * frame]) < 1e-6) }
    }

    @Test("The offset starts at 0, stays within the content, and never jumps")
    func bounds() {
        for content in [845.0, 900, 2_000, 20_000] {
            let offsets = offsets(20_000, content: content)
            #expect(offsets[0] == 0)
            #expect(offsets.allSatisfy { (0...content - 844).contains($0) })
            let steps = zip(offsets, offsets.dropFirst()).map { abs($1 - $0) }
            #expect(steps.max()! <= FlickScroll.speeds.upperBound / 120 + 1e-6)
            #expect(offsets.contains(content - 844), "the end is reached")
        }
    }

    @Test("The scroll turns round at the end and at the start of the content, again and again")
    func turnsRound() {
        let offsets = offsets(120 * 60, content: 10_000)
        var turns = 0
        var isDown = true
        for (now, next) in zip(offsets, offsets.dropFirst()) where next != now {
            if (next > now) != isDown {
                #expect(isDown ? now == 10_000 - 844 : now == 0, "turns at an edge only")
                isDown.toggle()
                turns += 1
            }
        }
        #expect(turns >= 4)
    }

    @Test("The default scroll has fast flicks and rests")
    func character() {
        let offsets = FlickScroll.offsets(frames: 900, contentHeight: 100_000, viewportHeight: 844, hz: 120)
        let speeds = zip(offsets, offsets.dropFirst()).map { abs($1 - $0) * 120 }
        #expect(speeds.max()! > 6_000)
        #expect(speeds.count { $0 > 3_000 } > 200)
        #expect(speeds.count { $0 < 1 } > 10)
    }

    @Test(
        "Content that fits the viewport, or has no sensible height, stays at 0",
        arguments: [
            844.0, 100, 0, -5, .nan, .infinity,
        ])
    func nothingToScroll(content: Double) {
        #expect(offsets(500, content: content).allSatisfy { $0 == 0 })
    }

    @Test("No frames are no offsets, also when asked for fewer than none")
    func noFrames() {
        #expect(offsets(0, content: 1_000).isEmpty)
        #expect(offsets(-1, content: 1_000).isEmpty)
    }

    @Test("Each flick is touched, then lifted; what is not caught comes to rest")
    func events() {
        var scroll = FlickScroll(contentHeight: 50_000, viewportHeight: 844, hz: 120, seed: 1)
        var events: [ScrollEvent] = []
        for _ in 0..<(120 * 40) {
            _ = scroll.next()
            events += scroll.events
        }
        #expect(events.first == .touched)
        #expect(events.count { $0 == .rested } > 5)
        for (event, next) in zip(events, events.dropFirst()) {
            switch event {
            case .touched: #expect(next.isReleased)
            case .released: #expect(next == .touched || next == .rested)
            case .rested: #expect(next == .touched)
            case .scrollsToTop: Issue.record("a flick is no scroll to the top")
            }
        }
    }

    @Test("At lift-off the target is where the content stops if it is not caught, within the content")
    func targets() {
        let free = Flick(
            origin: 100, direction: 1, room: 1e9, dragDuration: 0.1, speed: 8_000, glideDuration: 100)
        #expect(abs(free.target - free.offset(at: 100)) < 0.01)
        let edged = Flick(
            origin: 1_000, direction: -1, room: 1_000, dragDuration: 0.1, speed: 8_000, glideDuration: 100)
        #expect(edged.target == 0)
        var scroll = FlickScroll(contentHeight: 3_000, viewportHeight: 844, hz: 120, seed: 3)
        for _ in 0..<2_000 {
            let offset = scroll.next()
            for case .released(let target) in scroll.events {
                #expect((0...2_156).contains(target))
                #expect(abs(target - offset) <= 4_396)
            }
        }
    }

    @Test("A glide slows by the factor 0.998 each millisecond and would stop after v / 2.002")
    func deceleration() {
        let flick = Flick(
            origin: 100, direction: 1, room: 1e9, dragDuration: 0.1, speed: 8_000, glideDuration: 100)
        #expect(flick.offset(at: 0) == 100)
        #expect(abs(flick.distance(at: 0.1) - 400) < 1e-9)
        func speed(_ time: Double) -> Double {
            (flick.distance(at: time + 1e-6) - flick.distance(at: time)) / 1e-6
        }
        #expect(abs(speed(0.1) - 8_000) < 1)
        #expect(abs(speed(0.101) / speed(0.1) - 0.998) < 1e-6)
        #expect(abs(flick.distance(at: 100) - (400 + 3_996)) < 0.01)
        #expect(!flick.endsAtEdge)
    }

    @Test(
        "A flick stops at the edge exactly, while gliding and while dragging",
        arguments: [5_000.0, 1_000, 50, 0])
    func edge(room: Double) {
        let flick = Flick(
            origin: room, direction: -1, room: room, dragDuration: 0.1, speed: 8_000, glideDuration: 100)
        #expect(flick.endsAtEdge == (room < 4_396))
        let end = flick.offset(at: 1_000)
        #expect(abs(end - (room < 4_396 ? 0 : 5_000 - 4_396)) < 0.01)
        #expect(flick.duration >= 0 && flick.duration.isFinite)
    }
}

extension ScrollEvent {
    fileprivate var isReleased: Bool {
        if case .released = self { true } else { false }
    }
}

extension FlickScroll {
    /// The offsets of the first frames.
    fileprivate static func offsets(
        frames: Int, contentHeight: Double, viewportHeight: Double, hz: Int, seed: UInt64 = 20_150_911
    ) -> [Double] {
        var scroll = FlickScroll(
            contentHeight: contentHeight, viewportHeight: viewportHeight, hz: hz, seed: seed)
        return (0..<max(frames, 0)).map { _ in scroll.next() }
    }
}
