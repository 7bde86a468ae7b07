import AsyncLayers
import BitmapRendering
import Foundation

/// Compositing as one would write it down: a pixel at a time, in `Double`, with areas of polygons.
///
/// It shares no code with the renderer. Pixels are premultiplied, with components from 0 to 255.
struct ReferenceCompositor {
    let width: Int
    let height: Int
    let scale: Double
    var pixels: [SIMD4<Double>]

    init(width: Int, height: Int, scale: Double) {
        (self.width, self.height, self.scale) = (width, height, scale)
        pixels = Array(repeating: .zero, count: width * height)
    }

    mutating func draw(_ bitmap: Bitmap, placed placement: ContentsPlacement) {
        let opacity = placement.opacity > 0 ? min(placement.opacity, 1) : 0
        let size = Size(
            width: Double(bitmap.pixelWidth) / bitmap.scale, height: Double(bitmap.pixelHeight) / bitmap.scale
        )
        let outline = polygon(ContentsPlacement.Clip(Rect(size: size), transform: placement.transform))
        let clips = placement.clips.map(polygon)
        guard let inverse = placement.transform.inverted() else { return }
        for y in 0..<height {
            for x in 0..<width {
                var share = opacity * Self.area(of: outline, inPixel: x, y)
                for clip in clips where share > 0 { share *= Self.area(of: clip, inPixel: x, y) }
                guard share > 0 else { continue }
                let source = share * color(of: bitmap, x: x, y: y, inverse: inverse)
                let index = y * width + x
                pixels[index] = source + pixels[index] * (1 - source.w / 255)
            }
        }
    }

    /// The largest difference of any component to a picture's.
    func difference(to bitmap: Bitmap) -> Double {
        zip(pixels, bitmap.allPixels).reduce(0) { largest, pair in
            let (expected, pixel) = pair
            let found = SIMD4(
                Double(pixel.red), Double(pixel.green), Double(pixel.blue), Double(pixel.alpha))
            let difference = expected - found
            return max(largest, (difference * difference).max().squareRoot())
        }
    }

    // MARK: Colours

    private func color(of bitmap: Bitmap, x: Int, y: Int, inverse: LayerTransform) -> SIMD4<Double> {
        func samples(_ x: Double, _ y: Double) -> Int {
            let step = hypot(x, y) * bitmap.scale / scale
            return min(max(Int(ceil(step / 2 - 1e-6)), 1), 8)
        }
        let columns = samples(inverse.a, inverse.b)
        let rows = samples(inverse.c, inverse.d)
        var sum = SIMD4<Double>.zero
        for row in 0..<rows {
            for column in 0..<columns {
                let place = Point(
                    x: (Double(x) + (Double(column) + 0.5) / Double(columns)) / scale,
                    y: (Double(y) + (Double(row) + 0.5) / Double(rows)) / scale)
                let source = inverse.apply(to: place)
                sum += interpolated(
                    bitmap, x: source.x * bitmap.scale - 0.5, y: source.y * bitmap.scale - 0.5)
            }
        }
        return sum / Double(rows * columns)
    }

    private func interpolated(_ bitmap: Bitmap, x: Double, y: Double) -> SIMD4<Double> {
        func pixel(_ column: Double, _ row: Double) -> SIMD4<Double> {
            let pixel = bitmap[
                x: Int(min(max(column, 0), Double(bitmap.pixelWidth - 1))),
                y: Int(min(max(row, 0), Double(bitmap.pixelHeight - 1)))]
            return SIMD4(Double(pixel.red), Double(pixel.green), Double(pixel.blue), Double(pixel.alpha))
        }
        let (column, row) = (floor(x), floor(y))
        let (across, down) = (x - column, y - row)
        let upper = pixel(column, row) * (1 - across) + pixel(column + 1, row) * across
        let lower = pixel(column, row + 1) * (1 - across) + pixel(column + 1, row + 1) * across
        return upper * (1 - down) + lower * down
    }

    // MARK: Areas

    /// A rounded rectangle in pixels, its corners cut into sixty pieces each.
    private func polygon(_ clip: ContentsPlacement.Clip) -> [Point] {
        let rect = clip.rect
        let radius = min(max(clip.cornerRadius, 0), rect.size.width / 2, rect.size.height / 2)
        let pieces = radius > 0 ? 60 : 0
        let corners = [
            (rect.maxX, rect.maxY, 1.0, 1.0), (rect.minX, rect.maxY, -1, 1),
            (rect.minX, rect.minY, -1, -1), (rect.maxX, rect.minY, 1, -1),
        ]
        return corners.enumerated().flatMap { ordinal, corner in
            (0...pieces).map { piece in
                let angle = (Double(ordinal) + Double(piece) / Double(max(pieces, 1))) * .pi / 2
                let point = clip.transform.apply(
                    to: Point(
                        x: corner.0 - corner.2 * radius + radius * cos(angle),
                        y: corner.1 - corner.3 * radius + radius * sin(angle)))
                return Point(x: point.x * scale, y: point.y * scale)
            }
        }
    }

    /// The area that a convex polygon and a pixel have in common.
    private static func area(of polygon: [Point], inPixel x: Int, _ y: Int) -> Double {
        var points = polygon
        let (left, top) = (Double(x), Double(y))
        points = half(of: points) { $0.x - left }
        points = half(of: points) { left + 1 - $0.x }
        points = half(of: points) { $0.y - top }
        points = half(of: points) { top + 1 - $0.y }
        var sum = 0.0
        for (index, point) in points.enumerated() {
            let next = points[(index + 1) % points.count]
            sum += (point.x - left) * (next.y - top) - (next.x - left) * (point.y - top)
        }
        return abs(sum) / 2
    }

    private static func half(of polygon: [Point], inside: (Point) -> Double) -> [Point] {
        var result: [Point] = []
        for (index, point) in polygon.enumerated() {
            let next = polygon[(index + 1) % polygon.count]
            let (here, there) = (inside(point), inside(next))
            if here >= 0 { result.append(point) }
            if here * there < 0 {
                let share = here / (here - there)
                result.append(
                    Point(x: point.x + (next.x - point.x) * share, y: point.y + (next.y - point.y) * share))
            }
        }
        return result
    }
}
