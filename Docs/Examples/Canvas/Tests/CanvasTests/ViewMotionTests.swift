import AsyncLayers
import Testing

@testable import Canvas

@Suite("The view's arithmetic")
struct ViewMotionTests {
    private let viewport = Viewport(
        contentSize: Size(width: 20_000, height: 20_000), pixelSize: Size(width: 1_000, height: 600),
        center: Point(x: 10_000, y: 10_000))

    private func expectNear(_ a: Point, _ b: Point, _ tolerance: Double = 1e-6) {
        #expect(abs(a.x - b.x) < tolerance && abs(a.y - b.y) < tolerance, "\(a) is not \(b)")
    }

    @Test("a zoom leaves what is under the pointer where it is", arguments: [0.1, 0.7, 1.25, 4])
    func zoom(scale: Double) {
        var viewport = viewport
        let pixel = Point(x: 130, y: 470)
        let before = viewport.point(at: pixel)
        viewport.zoom(to: scale, about: pixel)
        #expect(viewport.scale == scale)
        expectNear(viewport.point(at: pixel), before)
    }

    @Test("the window stays within the document, and a document that is smaller in its middle")
    func confined() {
        var viewport = viewport
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
        var (time, speed) = (0.05, motion.velocity.x)
        while motion.isMoving, time < 10 {
            motion.step(to: time)
            #expect(motion.velocity.x >= speed)
            (time, speed) = (time + 1.0 / 60, motion.velocity.x)
        }
        #expect(time < 4)
        // By the law of a flick it goes about half a second's way, and the last bit is cut.
        let way = motion.viewport.origin.x - viewport.origin.x
        #expect((530...552).contains(way))
    }

    @Test("a push ends as far as it says, whatever the frames' times", arguments: [0.004, 0.0166, 0.05])
    func push(interval: Double) {
        var motion = ViewMotion(viewport)
        motion.push(byPixels: Point(x: 0, y: -700))
        var time = 0.0
        while motion.isMoving, time < 10 {
            motion.step(to: time)
            time += interval
        }
        #expect(abs(motion.viewport.origin.y - viewport.origin.y - 700) < 10)
    }

    @Test("a zoom continues by itself, about its point, and ends at exactly its scale")
    func zoomMotion() {
        var motion = ViewMotion(viewport)
        let pixel = Point(x: 900, y: 10)
        let before = viewport.point(at: pixel)
        motion.zoom(by: 1.25, about: pixel)
        motion.zoom(by: 1.6, about: pixel)
        var time = 0.0
        while motion.isMoving, time < 5 {
            motion.step(to: time)
            time += 1.0 / 60
        }
        #expect(motion.viewport.scale == 2)
        expectNear(motion.viewport.point(at: pixel), before, 1e-6)
    }
}
