extension LayerTransform {
    /// The move in whole pixels that this map, from a picture's pixels to pixels, is; nil if it is another one.
    ///
    /// Places are sums and products of points and scales, whose last bits are noise: a thousandth of a pixel
    /// over the whole picture is forgiven, as it is where sizes become pixels.
    package func wholePixelMove(width: Int, height: Int) -> Point? {
        let tolerance = 1.0 / 1024
        let (width, height) = (Double(width), Double(height))
        let move = Point(x: tx.rounded(), y: ty.rounded())
        guard abs(tx - move.x) <= tolerance, abs(ty - move.y) <= tolerance, abs(a - 1) * width <= tolerance,
            abs(b) * width <= tolerance, abs(c) * height <= tolerance, abs(d - 1) * height <= tolerance
        else { return nil }
        return move
    }
}
