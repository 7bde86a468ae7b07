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
}
