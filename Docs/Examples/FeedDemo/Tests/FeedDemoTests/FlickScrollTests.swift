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
            case .touched: #expect(next.isLifted)
            case .lifted: #expect(next == .touched || next == .rested)
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
            for case .lifted(let target) in scroll.events {
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
    fileprivate var isLifted: Bool {
        if case .lifted = self { true } else { false }
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

@Suite("Column of cells")
struct CellColumnTests {
    @Test(
        "The cells in view are those of which a part shows",
        arguments: [
            (0.0, 100.0, 0..<2), (49, 2, 0..<2), (50, 1, 1..<2), (49.5, 0.5, 0..<1), (120, 200, 1..<3),
            (150, 1, 2..<3), (160, 1_000, 2..<3), (-30, 100, 0..<2), (-30, 30, 0..<0), (500, 10, 3..<3),
        ])
    func visible(offset: Double, height: Double, expected: Range<Int>) {
        let column = CellColumn(heights: [50, 100, 25])
        #expect(column.visibleCells(offset: offset, viewportHeight: height) == expected)
    }

    @Test("No cell and one cell")
    func few() {
        let none = CellColumn(heights: [])
        #expect(none.count == 0)
        #expect(none.contentHeight == 0)
        #expect(none.visibleCells(offset: 0, viewportHeight: 844).isEmpty)
        let one = CellColumn(heights: [10])
        #expect(one.visibleCells(offset: 0, viewportHeight: 844) == 0..<1)
        #expect(one.visibleCells(offset: 10, viewportHeight: 844).isEmpty)
    }

    @Test("Many cells: the search agrees with looking at each cell")
    func many() {
        var random = SeededGenerator(seed: 7)
        let heights = (0..<500).map { _ in random.number(in: 0...90).rounded() }
        let column = CellColumn(heights: heights)
        #expect(column.contentHeight == heights.reduce(0, +))
        for _ in 0..<300 {
            let offset = random.number(in: -100...column.contentHeight + 100).rounded()
            let showing = heights.indices.filter {
                column.top(of: $0) + column.height(of: $0) > offset && column.top(of: $0) < offset + 300
            }
            let visible = column.visibleCells(offset: offset, viewportHeight: 300)
            #expect(showing.allSatisfy(visible.contains))
            #expect(visible.first == showing.first && visible.last == showing.last)
        }
    }

    @Test("Heights and viewports that are not sensible do no harm")
    func nonsense() {
        let column = CellColumn(heights: [.nan, -5, .infinity, 10])
        #expect(column.contentHeight == 10)
        #expect(column.visibleCells(offset: .nan, viewportHeight: 10).isEmpty)
        #expect(column.visibleCells(offset: 0, viewportHeight: .nan).isEmpty)
        #expect(column.visibleCells(offset: 0, viewportHeight: 0).isEmpty)
        #expect(column.visibleCells(offset: 0, viewportHeight: 5) == 3..<4)
    }

    @Test("The generator is SplitMix64: known answers for seed 1234567")
    func generator() {
        var random = SeededGenerator(seed: 1_234_567)
        #expect(
            (0..<3).map { _ in random.next() } == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
            ])
        for _ in 0..<1_000 { #expect((2.0...3.0).contains(random.number(in: 2...3))) }
    }
}
