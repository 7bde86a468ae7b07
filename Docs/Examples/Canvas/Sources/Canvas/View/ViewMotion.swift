import AsyncLayers
import FeedKit
import Foundation

/// How the view moves: by a drag, by itself after one, by the wheel, and to another scale. Pure: its input is
/// the time, in seconds.
struct ViewMotion {
    private(set) var viewport: Viewport
    /// Of what moves by itself, in pixels a second.
    private(set) var velocity = Point.zero
    /// Where the pointer was during a drag.
    private var drag: [(point: Point, time: Double)]?
    private var zoom: (scale: Double, pixel: Point)?
    private var lastStep: Double?

    private static let law = Deceleration.flick
    /// Slower than this it stands, in pixels a second.
    private static let stillness = 12.0
    /// A flick counts the way of the last tenth of a second.
    private static let memory = 0.1
    /// In so many seconds the rest of the way to another scale shrinks to a third.
    private static let zoomTime = 0.07

    init(_ viewport: Viewport) { self.viewport = viewport }

    var isMoving: Bool { drag != nil || velocity != .zero || zoom != nil }

    // MARK: Input

    mutating func press(at point: Point, time: Double) {
        (velocity, zoom, drag) = (.zero, nil, [(point, time)])
    }

    mutating func drag(to point: Point, time: Double) {
        guard let last = drag?.last else { return }
        viewport.pan(byPixels: point - last.point)
        drag?.removeAll { time - $0.time > Self.memory }
        drag?.append((point, time))
    }

    mutating func release(time: Double) {
        let way = drag?.filter { time - $0.time <= Self.memory } ?? []
        drag = nil
        guard let first = way.first, let last = way.last, last.time > first.time else { return }
        velocity = (last.point - first.point) * (1 / max(time - first.time, 0.01))
    }

    /// Adds a push that ends so many pixels farther.
    mutating func push(byPixels distance: Point) { velocity = velocity + distance * Self.law.rate }

    /// Begins to move to another scale.
    mutating func zoom(by factor: Double, about pixel: Point) {
        zoom(to: (zoom?.scale ?? viewport.scale) * factor, about: pixel)
    }

    mutating func zoom(to scale: Double, about pixel: Point) {
        velocity = .zero
        zoom = (min(max(scale, Viewport.scales.lowerBound), Viewport.scales.upperBound), pixel)
    }

    mutating func resize(to size: Size) { viewport.resize(to: size) }

    // MARK: Time

    /// Moves on to a time. A step is at most a tenth of a second, however long the last one is ago.
    mutating func step(to time: Double) {
        let seconds = min(max(time - (lastStep ?? time), 0), 0.1)
        lastStep = isMoving ? time : nil
        if velocity != .zero {
            func way(_ speed: Double) -> Double { Self.law.distance(speed: speed, in: seconds) }
            let before = viewport
            viewport.pan(byPixels: Point(x: way(velocity.x), y: way(velocity.y)))
            velocity = velocity * Self.law.remainder(after: seconds)
            let hasHitEdge = seconds > 0 && viewport == before
            if hypot(velocity.x, velocity.y) < Self.stillness || hasHitEdge { velocity = .zero }
        }
        if let (target, pixel) = zoom {
            let way = log(target / viewport.scale)
            let isThere = abs(way) < 0.002
            let share = 1 - exp(-seconds / Self.zoomTime)
            viewport.zoom(to: isThere ? target : viewport.scale * exp(way * share), about: pixel)
            if isThere { zoom = nil }
        }
    }
}
