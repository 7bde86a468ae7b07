import AsyncLayers

/// The strokes of one character, on a grid where capitals are 14 units high and `y` grows upwards from the
/// baseline.
struct Glyph {
    /// One step of a pen that keeps its place between steps.
    enum Step {
        case move(Point)
        case line(Point)
        /// A parabola with a control point.
        case curve(control: Point, Point)
        /// A quarter of an ellipse that sets out horizontally and arrives vertically.
        case horizontalQuarter(Point)
        /// A quarter of an ellipse that sets out vertically and arrives horizontally.
        case verticalQuarter(Point)

        var end: Point {
            switch self {
            case .move(let end), .line(let end), .curve(_, let end), .horizontalQuarter(let end),
                .verticalQuarter(let end):
                end
            }
        }
    }

    var steps: [Step]
    /// From this glyph's origin to the next one's.
    let advance: Double

    /// The advance is rounded to a 64th of a unit, so that sums of advances are exact and do not depend on
    /// the order: a line that was just found to fit has the very width that it was found to have.
    init(steps: [Step], advance: Double) {
        self.steps = steps
        self.advance = (advance * 64).rounded() / 64
    }

    /// The smallest and the largest `x` at the ends of the steps. Curves in the table do not reach further.
    var extent: (min: Double, max: Double) {
        let coordinates = steps.map(\.end.x)
        return (coordinates.min() ?? 0, coordinates.max() ?? 0)
    }

    /// The steps scaled, then moved.
    func transformed(scale: Double = 1, x: Double, y: Double) -> [Step] {
        func place(_ point: Point) -> Point { Point(x: point.x * scale + x, y: point.y * scale + y) }
        return steps.map { step in
            switch step {
            case .move(let end): .move(place(end))
            case .line(let end): .line(place(end))
            case .curve(let control, let end): .curve(control: place(control), place(end))
            case .horizontalQuarter(let end): .horizontalQuarter(place(end))
            case .verticalQuarter(let end): .verticalQuarter(place(end))
            }
        }
    }

    /// Appends the strokes as straight segments, in pixels.
    ///
    /// Curves are cut by their size in pixels, so that large text is smooth and small text is cheap. The
    /// quarters use the rational form of the circle, which needs no sine: its bytes are the same with every C
    /// library.
    ///
    /// - Parameters:
    ///   - origin: where the baseline's left end is, in pixels.
    ///   - unit: pixels per unit of the grid.
    func append(to segments: inout [Segment], origin: Point, unit: Double) {
        var pen = Point.zero
        var drawn = Point.zero
        func draw(to target: Point) {
            let place = Point(x: origin.x + target.x * unit, y: origin.y - target.y * unit)
            segments.append(Segment(from: drawn, to: place))
            drawn = place
        }
        for step in steps {
            let start = pen
            pen = step.end
            let reach = max(abs(pen.x - start.x), abs(pen.y - start.y)) * unit
            // Not by way of an Int: at a huge scale there is none for it.
            let pieces = min(max((reach * 4).squareRoot().rounded(.up), 2), 100)
            switch step {
            case .move(let end):
                drawn = Point(x: origin.x + end.x * unit, y: origin.y - end.y * unit)
            case .line(let end):
                draw(to: end)
            case .curve(let control, let end):
                for piece in stride(from: 1, through: pieces, by: 1) {
                    let (after, before) = (piece / pieces, 1 - piece / pieces)
                    let (first, middle, last) = (before * before, 2 * before * after, after * after)
                    draw(
                        to: Point(
                            x: first * start.x + middle * control.x + last * end.x,
                            y: first * start.y + middle * control.y + last * end.y))
                }
            case .horizontalQuarter(let end), .verticalQuarter(let end):
                for piece in stride(from: 1, through: pieces, by: 1) {
                    let share = piece / pieces
                    let sine = 2 * share / (1 + share * share)
                    let rest = (1 - share * share) / (1 + share * share)
                    // How far towards the end: along the axis of departure, and along the axis of arrival.
                    let (departing, arriving) = (sine, 1 - rest)
                    let isHorizontal = if case .horizontalQuarter = step { true } else { false }
                    draw(
                        to: Point(
                            x: start.x + (end.x - start.x) * (isHorizontal ? departing : arriving),
                            y: start.y + (end.y - start.y) * (isHorizontal ? arriving : departing)))
                }
            }
        }
    }
}
