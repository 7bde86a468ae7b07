import AsyncLayers

/// How the view moves, for what will be seen next.
struct ViewMovement {
    /// Looks ahead for so many seconds of movement, and no farther than this share of the view's extent: what
    /// is drawn farther ahead is mostly wasted when a fast movement turns.
    static let (horizon, reach) = (1.0, 0.75)
    /// What is drawn around the view, as a share of its longer side.
    static let border = 0.15

    /// In points per second.
    private(set) var velocity = Point.zero
    /// The newest move, in points; zero at rest.
    private(set) var step = Point.zero
    private var last: (center: Point, time: Duration)?

    /// - Parameter isZoom: whether the scale has changed: then the middle does not tell where it goes.
    mutating func note(_ visible: Rect, isZoom: Bool, at time: Duration) {
        let center = visible.center
        defer { last = (center, time) }
        guard let last, !isZoom else { return stop() }
        let seconds = (time - last.time) / .seconds(1)
        guard seconds > 0 else { return }
        guard seconds < 0.2 else { return stop() }
        step = center - last.center
        let newest = step * (1 / seconds)
        velocity = velocity * 0.5 + newest * 0.5
    }

    mutating func stop() { (velocity, step) = (.zero, .zero) }

    /// What will be in view if the movement continues.
    func ahead(of visible: Rect) -> Rect {
        func distance(_ speed: Double, _ extent: Double) -> Double {
            min(max(speed * Self.horizon, -extent * Self.reach), extent * Self.reach)
        }
        let move = Point(
            x: distance(velocity.x, visible.size.width), y: distance(velocity.y, visible.size.height))
        return visible.union(visible.moved(by: move))
    }

    func around(_ visible: Rect) -> Rect {
        visible.inset(by: -Self.border * max(visible.size.width, visible.size.height))
    }

    /// In how many seconds a rectangle comes into view; infinite if it does not.
    func time(until rect: Rect, visible: Rect) -> Double {
        func time(_ gap: Double, _ speed: Double) -> Double {
            gap <= 0 ? 0 : speed > 0 ? gap / speed : .infinity
        }
        let x = max(
            velocity.x > 0 ? time(rect.minX - visible.maxX, velocity.x) : 0,
            velocity.x < 0 ? time(visible.minX - rect.maxX, -velocity.x) : 0)
        let y = max(
            velocity.y > 0 ? time(rect.minY - visible.maxY, velocity.y) : 0,
            velocity.y < 0 ? time(visible.minY - rect.maxY, -velocity.y) : 0)
        return max(x, y)
    }
}
