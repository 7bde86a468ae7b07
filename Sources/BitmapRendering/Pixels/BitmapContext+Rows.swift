import AsyncLayers

/// A paint made ready for the pixels of one context.
enum PixelSource {
    case solid(UInt32)
    case gradient(GradientSampler)
    /// The row's pixels, indexed by column.
    case pixels(UnsafePointer<UInt32>)
    case picture(PictureSampler)
}

extension BitmapContext {
    /// The paint in pixels, in the coordinates that hold now; nil where it would change nothing.
    func source(_ paint: Paint) -> PixelSource? {
        switch paint {
        case .color(let color):
            let pixel = Blending.pixel(color)
            return Blending.alpha(of: pixel) == 0 ? nil : .solid(pixel)
        case .linearGradient(let gradient):
            return GradientSampler(gradient, origin: state.origin, scale: scale).map(PixelSource.gradient)
        }
    }

    /// Blends one row of a shape. All that is ever drawn goes through here.
    ///
    /// - Parameters:
    ///   - span: within the visible bounds.
    ///   - coverage: indexed by column; changed by clips.
    func blend(_ source: PixelSource, row: Int, span: RowSpan, coverage: UnsafeMutablePointer<UInt8>) {
        let span = clip(span, row: row, coverage: coverage)
        guard !span.columns.isEmpty else { return }
        let pixels = writablePixels(ofRow: row)
        switch source {
        case .solid(let color):
            blend(color, over: pixels, span: span, coverage: coverage)
        case .gradient(let sampler):
            if let color = sampler.uniformColor(ofRow: row) {
                blend(color, over: pixels, span: span, coverage: coverage)
            } else {
                sampler.write(row: row, columns: span.columns, into: working.colors)
                Blending.blend(working.colors, over: pixels, columns: span.columns, coverage: coverage)
            }
        case .pixels(let row):
            Blending.blend(row, over: pixels, columns: span.columns, coverage: coverage)
        case .picture(let sampler):
            sampler.write(row: row, columns: span.columns, into: working.colors)
            Blending.blend(working.colors, over: pixels, columns: span.columns, coverage: coverage)
        }
    }

    private func blend(
        _ color: UInt32, over pixels: UnsafeMutablePointer<UInt32>, span: RowSpan,
        coverage: UnsafePointer<UInt8>
    ) {
        let (columns, solid) = (span.columns, span.solid)
        Blending.blend(
            color, over: pixels, columns: columns.lowerBound..<solid.lowerBound, coverage: coverage)
        Blending.blend(color, over: pixels, columns: solid)
        Blending.blend(
            color, over: pixels, columns: solid.upperBound..<columns.upperBound, coverage: coverage)
    }

    /// Lowers the coverage of a row to what the clips let through.
    private func clip(_ span: RowSpan, row: Int, coverage: UnsafeMutablePointer<UInt8>) -> RowSpan {
        var span = span
        for shape in state.clips where !shape.contains(row: row, columns: span.columns) {
            let window = shape.cover(row: row, columns: span.columns, into: working.clip)
            guard !window.columns.isEmpty else { return .empty }
            for columns in [
                window.columns.lowerBound..<window.solid.lowerBound,
                window.solid.upperBound..<window.columns.upperBound,
            ] {
                for column in columns {
                    let product = UInt32(coverage[column]) * UInt32(working.clip[column])
                    coverage[column] = UInt8(Blending.dividedBy255(product))
                }
            }
            let solid = span.solid.clamped(to: window.solid)
            span.columns = window.columns
            // An empty range must still lie within the columns.
            span.solid = solid.isEmpty ? span.columns.lowerBound..<span.columns.lowerBound : solid
        }
        return span
    }
}

/// A rectangle of whole pixels; empty when a maximum is not above its minimum.
struct PixelRect: Equatable {
    var minX: Int
    var minY: Int
    var maxX: Int
    var maxY: Int

    var isEmpty: Bool { minX >= maxX || minY >= maxY }
    var width: Int { maxX - minX }

    func intersection(_ other: PixelRect) -> PixelRect {
        PixelRect(
            minX: max(minX, other.minX), minY: max(minY, other.minY),
            maxX: min(maxX, other.maxX), maxY: min(maxY, other.maxY))
    }

    /// The pixels that are touched by an area between finite coordinates in pixels.
    static func covering(minX: Double, minY: Double, maxX: Double, maxY: Double) -> PixelRect {
        PixelRect(
            minX: Int(clamped(minX).rounded(.down)), minY: Int(clamped(minY).rounded(.down)),
            maxX: Int(clamped(maxX).rounded(.up)), maxY: Int(clamped(maxY).rounded(.up)))
    }

    /// Cuts a coordinate at ten billion pixels, beyond any picture: sums of a few such numbers fit an `Int`,
    /// and a `Double` still resolves a hundredth of a thousandth of a pixel there.
    static func clamped(_ coordinate: Double) -> Double {
        min(max(coordinate, -1e10), 1e10)
    }
}

/// The columns of one row that a shape touches, and those among them that it covers fully.
struct RowSpan {
    var columns: Range<Int>
    /// Lies within `columns`; every pixel in it has the coverage 255.
    var solid: Range<Int>

    static let empty = RowSpan(columns: 0..<0, solid: 0..<0)
}
