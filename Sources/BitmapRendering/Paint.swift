public import AsyncLayers

/// What a shape is filled or a line is drawn with.
public enum Paint: Hashable, Sendable {
    /// The same colour everywhere.
    case color(Color)
    /// Colours that change along a line.
    case linearGradient(LinearGradient)
}

/// Colours that change along the line from one point to another, and stay the same across it.
///
/// Before the start it has the first stop's colour, beyond the end the last one's. Colours are interpolated
/// premultiplied, so that a stop that is clear does not darken its neighbours. Without stops it paints
/// nothing; where start and end are the same point, or not finite, it paints the last stop's colour.
public struct LinearGradient: Hashable, Sendable {
    /// A colour at a place on the way.
    public struct Stop: Hashable, Sendable {
        /// The share of the way from start to end, 0…1; what lies outside is clamped, and NaN reads as 0.
        public var location: Double
        /// The colour there.
        public var color: Color

        /// Makes a stop.
        public init(at location: Double, _ color: Color) {
            self.location = location
            self.color = color
        }
    }

    /// Where the first colour is, in points, in the coordinates of the fill.
    public var start: Point
    /// Where the last colour is, in points, in the coordinates of the fill.
    public var end: Point
    /// The colours, in any order; at equal locations the later one in the array follows the earlier one
    /// sharply.
    public var stops: [Stop]

    /// Makes a gradient from stops.
    public init(from start: Point, to end: Point, stops: [Stop]) {
        self.start = start
        self.end = end
        self.stops = stops
    }

    /// Makes a gradient from one colour to another.
    public init(from start: Point, _ first: Color, to end: Point, _ last: Color) {
        self.init(from: start, to: end, stops: [Stop(at: 0, first), Stop(at: 1, last)])
    }
}
