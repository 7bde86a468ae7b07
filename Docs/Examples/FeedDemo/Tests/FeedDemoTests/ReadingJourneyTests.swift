import FeedKit
import Testing

@testable import FeedDemo

@Suite("The reader's way")
struct ReadingJourneyTests {
    private func journey(
        _ frames: Int, content: Double = 50_000, hz: Int = 120, seed: UInt64 = 20_150_911
    ) -> ReadingJourney {
        ReadingJourney(frames: frames, contentHeight: content, viewportHeight: 844, hz: hz, seed: seed)
    }

    @Test("it has as many frames as asked for, and begins at the top", arguments: [1, 2, 7, 240, 900])
    func frames(count: Int) {
        let journey = journey(count)
        #expect(journey.steps.count == count)
        #expect(journey.steps[0].offset == 0)
        #expect((0...count).contains(journey.againFrame))
    }

    @Test("from the second part on, every row in view was in view before", arguments: [900, 2_500, 20_000])
    func seenBefore(frames: Int) {
        let column = CellColumn(heights: (0..<400).map { Double(40 + $0 % 11 * 20) })
        let journey = journey(frames, content: column.contentHeight)
        var seen = Set<Int>()
        for (frame, step) in journey.steps.enumerated() {
            let visible = column.rows(at: step.offset, viewportHeight: 844)
            if frame >= journey.againFrame { #expect(visible.allSatisfy(seen.contains)) }
            seen.formUnion(visible)
        }
        let again = journey.offsets[journey.againFrame...]
        #expect(again.min() == 0, "the top is reached")
        #expect(again.max()! > 844, "and left")
    }

    @Test("however fast the way back is, it never goes farther than the way out, and sometimes as far")
    func farthest() {
        var turns = 0
        for seed in 0..<400 as Range<UInt64> {
            let journey = journey(700, seed: seed)
            let farthest = journey.offsets[..<journey.againFrame].max()!
            let again = journey.offsets[journey.againFrame...].dropFirst(66).max()!
            #expect(again <= farthest)
            if again == farthest { turns += 1 }
        }
        #expect(turns > 0)
    }

    @Test("it is pictured on its way to the top, if it goes there")
    func pictureFrame() throws {
        let journey = journey(900)
        let frame = try #require(journey.pictureFrame)
        #expect(frame > journey.againFrame)
        #expect(journey.offsets[frame] > 0 && journey.offsets[frame] < journey.offsets[journey.againFrame])
        #expect(self.journey(0).pictureFrame == nil)
        #expect(self.journey(1).pictureFrame == nil)
    }

    @Test("the scroll to the top takes its time from anywhere, and is reported as one")
    func scrollToTop() throws {
        let journey = journey(900)
        let start = journey.againFrame
        #expect(journey.steps[start].events == [.scrollsToTop])
        #expect(journey.steps[start].offset < journey.steps[start - 1].offset)
        let arrival = start + 35
        #expect(journey.steps[start..<arrival].allSatisfy { $0.offset > 0 })
        #expect(journey.steps[arrival] == ReadingJourney.Step(offset: 0, events: [.rested]))
        let steps = journey.offsets[(start - 1)...arrival]
        #expect(zip(steps, steps.dropFirst()).allSatisfy { $0 > $1 })
    }

    @Test("it ends at rest, also when that is in the middle of a glide", arguments: [1, 60, 499, 500, 900])
    func endsAtRest(frames: Int) {
        #expect(journey(frames).steps.last?.events.last == .rested)
    }

    @Test("60 and 120 Hz sample one movement")
    func rates() {
        let fine = journey(1_800)
        let coarse = journey(900, hz: 60)
        #expect(fine.againFrame == 2 * coarse.againFrame)
        for frame in coarse.steps.indices.prefix(coarse.againFrame) {
            #expect(abs(coarse.offsets[frame] - fine.offsets[2 * frame]) < 1e-6)
        }
    }

    @Test(
        "content that fits the window stays at the top; no frames are no way", arguments: [0, 100, .nan, -1])
    func nothingToScroll(content: Double) {
        #expect(journey(300, content: content).offsets.allSatisfy { $0 == 0 })
        #expect(journey(0, content: content).steps.isEmpty)
        #expect(journey(-3, content: content).steps.isEmpty)
    }
}
