import Testing

@testable import SDLFeed

@Suite("The pacing of frames")
struct FramePacingTests {
    private var pacing = FramePacing(interval: .milliseconds(16), now: .zero)

    @Test("keeps step, however long each frame takes within its time")
    mutating func step() {
        for (work, due) in [(0, 16), (15, 32), (3, 48)] {
            pacing.frameWasShown(at: pacing.nextFrame + .milliseconds(work))
            #expect(pacing.nextFrame == .milliseconds(due))
        }
    }

    @Test("begins again after a frame that took too long")
    mutating func late() {
        pacing.frameWasShown(at: .milliseconds(100))
        #expect(pacing.nextFrame == .milliseconds(100))
    }

    @Test("is not pushed away by turns at rest, which come sooner than frames")
    mutating func rest() {
        for turn in 0..<1_000 { pacing.frameWasShown(at: .milliseconds(turn)) }
        #expect(pacing.nextFrame == .milliseconds(999 + 16))
    }
}
