import AsyncLayers

/// The colours of a picture under a transform, at the pixels of a context.
///
/// Between the picture's pixels colours are interpolated, premultiplied; beyond its edges the nearest pixel
/// is repeated. Where the picture becomes much smaller, several samples are taken for each pixel, up to eight
/// each way, so that what falls on a pixel is averaged down to a sixteenth of the size, and not skipped.
struct PictureSampler {
    private let bitmap: Bitmap
    private let toPicture: LayerTransform
    private let columnSamples: Int
    private let rowSamples: Int

    /// - Parameter toPixels: from the picture's pixels to the context's; nil where nothing can be seen of it.
    init?(_ bitmap: Bitmap, toPixels: LayerTransform) {
        // Beyond any picture that has a visible extent: products with coordinates stay finite below it.
        let limit = 1e100
        guard let inverse = toPixels.inverted(),
            [inverse.a, inverse.b, inverse.c, inverse.d, inverse.tx, inverse.ty].allSatisfy({
                abs($0) < limit
            })
        else { return nil }
        self.bitmap = bitmap
        toPicture = inverse
        columnSamples = Self.samples(inverse.a, inverse.b)
        rowSamples = Self.samples(inverse.c, inverse.d)
    }

    /// One sample stands for two pixels of the picture, since it interpolates between them.
    private static func samples(_ x: Double, _ y: Double) -> Int {
        let step = (x * x + y * y).squareRoot()
        return Int(min(max((step / 2 - 1e-6).rounded(.up), 1), 8))
    }

    /// Writes the colours of a row's pixels. Each is found from its own place, not from its neighbour.
    func write(row: Int, columns: Range<Int>, into pixels: UnsafeMutablePointer<UInt32>) {
        if columnSamples == 1, rowSamples == 1 {
            for column in columns {
                pixels[column] = Blending.rounded(color(x: Double(column) + 0.5, y: Double(row) + 0.5))
            }
            return
        }
        let weight = Float(1) / Float(columnSamples * rowSamples)
        for column in columns {
            var sum = SIMD4<Float>.zero
            for rowSample in 0..<rowSamples {
                let y = Double(row) + (Double(rowSample) + 0.5) / Double(rowSamples)
                for columnSample in 0..<columnSamples {
                    let x = Double(column) + (Double(columnSample) + 0.5) / Double(columnSamples)
                    sum += color(x: x, y: y)
                }
            }
            pixels[column] = Blending.rounded(sum * weight)
        }
    }

    /// Premultiplied components from 0 to 255.
    private func color(x: Double, y: Double) -> SIMD4<Float> {
        let (width, height) = (bitmap.pixelWidth, bitmap.pixelHeight)
        let u = toPicture.a * x + toPicture.c * y + toPicture.tx - 0.5
        let v = toPicture.b * x + toPicture.d * y + toPicture.ty - 0.5
        let (left, top) = (min(max(u, 0), Double(width - 1)), min(max(v, 0), Double(height - 1)))
        let (column, row) = (Int(left), Int(top))
        let toRight = column + 1 < width ? 1 : 0
        let toBelow = row + 1 < height ? width : 0
        let pixel = bitmap.pixels + (row * width + column)
        let across = Float(left - Double(column))
        let down = Float(top - Double(row))
        let upper = Self.between(pixel[0], pixel[toRight], across)
        let lower = Self.between(pixel[toBelow], pixel[toBelow + toRight], across)
        return upper + (lower - upper) * down
    }

    private static func between(_ first: UInt32, _ second: UInt32, _ share: Float) -> SIMD4<Float> {
        let start = Blending.components(first)
        return start + (Blending.components(second) - start) * share
    }
}
