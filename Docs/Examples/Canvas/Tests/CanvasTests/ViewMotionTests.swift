import AsyncLayers
import Testing

@testable import Canvas

@Suite("The view's arithmetic")
struct ViewMotionTests {
    private var viewport = Viewport(
        documentSize: Size(width: 20_000, height: 20_000), pixelSize: Size(width: 1_000, height: 600),
        center: Point(x: 10_000, y: 10_000))

    private func expectNear(_ a: Point, _ b: Point, _ tolerance: Double = 1e-6) {
        #expect(abs(a.x - b.x) < tolerance && abs(a.y - b.y) < tolerance, "\(a) is not \(b)")
    }

    /// Moves on until it rests.
    private func rest(_ motion: inout ViewMotion, from start: Double = 0, interval: Double = 1.0 / 60) {
        var (time, speed) = (start, abs(motion.velocity.x))
        while motion.isMoving, time < start + 4 {
            motion.step(to: time)
            #expect(abs(motion.velocity.x) <= speed)
            (time, speed) = (time + interval, abs(motion.velocity.x))
        }
        #expect(!motion.isMoving)
    }

    @Test("the window stays within the document, and a document that is smaller in its middle")
    mutating func confined() {
        viewport.pan(byPixels: Point(x: 1e6, y: -1e6))
        #expect(viewport.visible == Rect(x: 0, y: 19_400, width: 1_000, height: 600))
        viewport.zoom(to: 0.0001, about: .zero)
        #expect(viewport.scale == Viewport.scales.lowerBound)
        viewport.resize(to: Size(width: 2_000, height: 1_100))
        expectNear(viewport.visible.center, Point(x: 10_000, y: 10_000))
        viewport.zoom(to: 1_000, about: .zero)
        #expect(viewport.scale == Viewport.scales.upperBound)
    }

    @Test("a drag moves the document with the pointer; one that is held still ends there")
    func drag() {
        var motion = ViewMotion(viewport)
        motion.press(at: Point(x: 500, y: 300), time: 0)
        motion.drag(to: Point(x: 450, y: 320), time: 0.05)
        motion.drag(to: Point(x: 400, y: 320), time: 0.1)
        #expect(motion.isMoving)
        motion.release(time: 0.5)
        #expect(!motion.isMoving)
        expectNear(motion.viewport.origin, viewport.origin + Point(x: 100, y: -20))
    }

    @Test("a flick continues, slows down and rests")
    func flick() {
        var motion = ViewMotion(viewport)
        motion.press(at: .zero, time: 0)
        for step in 1...5 { motion.drag(to: Point(x: -10 * Double(step), y: 0), time: 0.01 * Double(step)) }
        motion.release(time: 0.05)
        #expect(abs(motion.velocity.x + 1_000) < 1)
        rest(&motion, from: 0.05)
        // By the law of a flick it goes about half a second's way, and the last bit is cut.
        #expect((530...552).contains(motion.viewport.origin.x - viewport.origin.x))
    }

    @Test("a push ends as far as it says, whatever the frames' times", arguments: [0.004, 0.0166, 0.05])
    func push(interval: Double) {
        var motion = ViewMotion(viewport)
        motion.push(byPixels: Point(x: 0, y: -700))
        rest(&motion, interval: interval)
        expectNear(motion.viewport.origin, viewport.origin + Point(x: 0, y: 700), 10)
    }

    @Test(
        "a zoom continues by itself about its point, and ends at exactly its scale", arguments: [0.1, 1.25])
    func zoom(factor: Double) {
        var motion = ViewMotion(viewport)
        let pixel = Point(x: 900, y: 10)
        motion.zoom(by: factor, about: pixel)
        motion.zoom(by: 1.6, about: pixel)
        rest(&motion)
        #expect(motion.viewport.scale == factor * 1.6)
        expectNear(motion.viewport.point(at: pixel), viewport.point(at: pixel))
    }
}
