public import AsyncLayers

/// What a shape is filled or a line is drawn with.
public enum Paint: Equatable, Sendable {
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
public struct LinearGradient: Equatable, Sendable {
    /// A colour at a place on the way.
    public struct Stop: Equatable, Sendable {
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

/// A gradient made ready for the pixels of one context.
struct GradientSampler {
    /// The share of the way grows by this from a pixel to its right neighbour.
    private let stepX: Double
    /// The share of the way grows by this from a pixel to the one below.
    private let stepY: Double
    /// The share of the way at the whole picture's corner.
    private let offset: Double
    private let pieces: [Piece]

    /// From one stop to the next, where the colour changes evenly; after the last stop, where it stays.
    private struct Piece {
        var start: Double
        var color: SIMD4<Float>
        /// What there is to come at the next stop.
        var change: SIMD4<Float>
        /// The share of that which comes with each unit of the way; zero where the colour stays. Not
        /// multiplied with the change: a `Float` may have no room for the product, and the place times the
        /// rate is 0 to 1.
        var rate: Double
    }

    /// - Parameters:
    ///   - origin: where the fill's coordinates begin, in points of the context.
    ///   - scale: pixels per point.
    init?(_ gradient: LinearGradient, origin: Point, scale: Double) {
        // The sort is stable, which the documentation of `stops` relies on.
        let stops = gradient.stops.map { ($0, Blending.unit($0.location)) }.sorted { $0.1 < $1.1 }
        guard let last = stops.last else { return nil }
        let start = Point(x: (origin.x + gradient.start.x) * scale, y: (origin.y + gradient.start.y) * scale)
        let deltaX = (gradient.end.x - gradient.start.x) * scale
        let deltaY = (gradient.end.y - gradient.start.y) * scale
        let squaredLength = deltaX * deltaX + deltaY * deltaY
        let step = Point(x: deltaX / squaredLength, y: deltaY / squaredLength)
        let corner = -(start.x * step.x + start.y * step.y)
        if squaredLength > 0, squaredLength.isFinite, step.x.isFinite, step.y.isFinite, corner.isFinite {
            stepX = step.x
            stepY = step.y
            offset = corner
            pieces = stops.indices.map { index in
                let (stop, start) = stops[index]
                let color = Blending.premultiplied(stop.color)
                let rate = index + 1 < stops.count ? 1 / (stops[index + 1].1 - start) : 0
                // Stops at one place, or so near to each other that they are: a sharp edge.
                guard rate > 0, rate.isFinite else {
                    return Piece(start: start, color: color, change: .zero, rate: 0)
                }
                let change = Blending.premultiplied(stops[index + 1].0.color) - color
                return Piece(start: start, color: color, change: change, rate: rate)
            }
        } else {
            stepX = 0
            stepY = 0
            offset = 0
            pieces = [Piece(start: 0, color: Blending.premultiplied(last.0.color), change: .zero, rate: 0)]
        }
    }

    /// The colour of a row's pixels where it is the same for all of them.
    func uniformColor(ofRow row: Int) -> UInt32? {
        guard stepX == 0 else { return nil }
        return pieces.withUnsafeBufferPointer { Self.color(at: (Double(row) + 0.5) * stepY + offset, $0) }
    }

    /// Writes the colours of pixels at their centres. Each is found from its own place, not from its
    /// neighbour, so that a clip does not change it.
    func write(row: Int, columns: Range<Int>, into pixels: UnsafeMutablePointer<UInt32>) {
        let base = (Double(row) + 0.5) * stepY + offset
        pieces.withUnsafeBufferPointer { pieces in
            for column in columns {
                pixels[column] = Self.color(at: (Double(column) + 0.5) * stepX + base, pieces)
            }
        }
    }

    private static func color(at location: Double, _ pieces: UnsafeBufferPointer<Piece>) -> UInt32 {
        var index = 0
        while index + 1 < pieces.count, pieces[index + 1].start <= location { index += 1 }
        let piece = pieces[index]
        let share = max(location - piece.start, 0) * piece.rate
        return Blending.rounded(piece.color + piece.change * Float(share))
    }
}
