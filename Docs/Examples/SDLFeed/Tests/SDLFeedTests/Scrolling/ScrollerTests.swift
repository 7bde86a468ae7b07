import FeedKit
import Testing

@testable import SDLFeed

@Suite("The scroller")
struct ScrollerTests {
    private var scroller = Scroller(contentHeight: 10_000, viewportHeight: 500)

    /// Moves a finger from one place to another, with a place every 10 ms, and lifts it at once.
    private mutating func swipe(from start: Double, to end: Double, in duration: Double = 0.1) {
        scroller.touch(start, at: 0)
        for step in 1...10 {
            let share = Double(step) / 10
            scroller.drag(start + (end - start) * share, at: duration * share)
        }
        scroller.lift(at: duration)
    }

    @Test("keeps the content under the finger")
    mutating func drag() {
        scroller.touch(400, at: 0)
        scroller.drag(300, at: 0.1)
        #expect(scroller.offset == 100)
        scroller.drag(350, at: 0.2)
        #expect(scroller.offset == 50)
        #expect(scroller.takeEvents() == [.touched])
    }

    @Test("continues at the finger's speed when that lifts off, reports where it will stop, and stops there")
    mutating func flick() throws {
        swipe(from: 400, to: 200)
        #expect(scroller.offset == 200)
        #expect(abs(scroller.speed - 2_000) < 1)
        let events = scroller.takeEvents()
        guard case .released(let target)? = events.last else {
            Issue.record("no release: \(events)")
            return
        }
        #expect(abs(target - (200 + Deceleration.flick.distance(speed: 2_000))) < 1)
        scroller.step(to: 0.5)
        #expect(scroller.isGliding)
        scroller.step(to: 10)
        #expect(scroller.isResting)
        #expect(scroller.offset == target)
        #expect(scroller.takeEvents() == [.rested])
        scroller.step(to: 11)
        #expect(scroller.takeEvents() == [])
    }

    @Test("stays where a finger has held it still")
    mutating func hold() {
        scroller.touch(400, at: 0)
        scroller.drag(200, at: 0.1)
        scroller.drag(200, at: 0.15)
        scroller.lift(at: 0.3)
        #expect(scroller.offset == 200)
        #expect(scroller.isResting)
        #expect(scroller.takeEvents() == [.touched, .rested])
    }

    @Test("is not thrown far off by places that one turn tells all at once")
    mutating func burst() {
        scroller.touch(400, at: 1)
        scroller.drag(390, at: 1.000_001)
        scroller.drag(380, at: 1.000_002)
        scroller.lift(at: 1.000_003)
        #expect(scroller.speed == 20 * 60)
    }

    @Test("is caught by a finger while it glides")
    mutating func caught() {
        swipe(from: 400, to: 200)
        scroller.step(to: 0.3)
        let offset = scroller.offset
        scroller.touch(100, at: 0.3)
        scroller.step(to: 5)
        #expect(scroller.offset == offset)
        #expect(scroller.speed == 0)
    }

    @Test("stops at both ends")
    mutating func ends() {
        swipe(from: 100, to: 300)
        #expect(scroller.offset == 0)
        scroller.step(to: 5)
        #expect(scroller.offset == 0)
        #expect(scroller.isResting)

        scroller.scroll(to: 1e9, at: 6)
        scroller.step(to: 9)
        #expect(scroller.offset == 9_500)
        swipe(from: 300, to: 100)
        scroller.step(to: 12)
        #expect(scroller.offset == 9_500)
        #expect(scroller.isResting)
    }

    @Test("moves on by the sum of all turns of the wheel")
    mutating func wheel() {
        for notch in 0..<5 { scroller.scroll(by: 60, at: Double(notch) * 0.02) }
        scroller.step(to: 3)
        #expect(scroller.offset == 300)
    }

    @Test("comes back to what there is when the window grows at the end of the feed")
    mutating func grows() {
        scroller.scroll(to: 9_500, at: 0)
        scroller.step(to: 5)
        scroller.viewportHeight = 700
        #expect(scroller.offset == 9_300)
    }

    @Test("has nowhere to go in a feed that is smaller than the window")
    mutating func small() {
        scroller.contentHeight = 200
        swipe(from: 400, to: 100)
        scroller.scroll(to: 100, at: 1)
        scroller.step(to: 5)
        #expect(scroller.offset == 0)
        #expect(scroller.isResting)
    }
}
