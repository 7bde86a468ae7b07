import AsyncLayers

extension LayerTransform {
    /// The same map with its results in pixels of the whole picture.
    ///
    /// - Parameters:
    ///   - origin: Where the results' coordinates begin, in points.
    ///   - sourceScale: The pixels per point of what is mapped, where that is in pixels too.
    func inPixels(origin: Point, scale: Double, sourceScale: Double = 1) -> LayerTransform {
        let ratio = scale / sourceScale
        return LayerTransform(
            a: a * ratio, b: b * ratio, c: c * ratio, d: d * ratio, tx: (origin.x + tx) * scale,
            ty: (origin.y + ty) * scale)
    }

    /// True when upright rectangles stay upright, mirrored or by quarter turns.
    var keepsAxes: Bool { b == 0 && c == 0 || a == 0 && d == 0 }

    /// The move in whole pixels that this map, from pixels to pixels, is; nil if it is another one.
    ///
    /// Places are sums and products of points and scales, whose last bits are noise: a thousandth of a pixel
    /// over the whole picture is forgiven, as it is where sizes become pixels.
    func wholePixelMove(of bitmap: Bitmap) -> (x: Int, y: Int)? {
        let tolerance = 1.0 / 1024
        let (width, height) = (Double(bitmap.pixelWidth), Double(bitmap.pixelHeight))
        let (x, y) = (tx.rounded(), ty.rounded())
        guard abs(tx - x) <= tolerance, abs(ty - y) <= tolerance, abs(a - 1) * width <= tolerance,
            abs(b) * width <= tolerance, abs(c) * height <= tolerance, abs(d - 1) * height <= tolerance
        else { return nil }
        return (Int(PixelRect.clamped(x)), Int(PixelRect.clamped(y)))
    }
}
