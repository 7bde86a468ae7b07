package import AsyncLayers

/// What every ``CompositingRenderer`` promises: moved by whole pixels at the context's own scale, each pixel
/// of a picture is taken over exactly, and nothing is drawn beside it.
///
/// - Parameters:
///   - source: smaller than 16 × 16 pixels.
///   - pixel: a picture's pixel, clear outside of it.
/// - Returns: where that is not so.
package func wholePixelMoveFaults<R: CompositingRenderer, Pixel: Equatable>(
    of source: R.Contents, scale: Double, with renderer: R, pixel: (R.Contents, _ x: Int, _ y: Int) -> Pixel
) throws -> [String] {
    var faults: [String] = []
    for (x, y) in [(0, 0), (2, 3), (-3, 4), (14, -6), (100, 0), (0, -100)] {
        let context = try renderer.makeContext(
            ContextDescription(pixelWidth: 16, pixelHeight: 16, scale: scale))
        let move = LayerTransform.translation(x: Double(x) / scale, y: Double(y) / scale)
        try renderer.draw(source, into: context, placed: ContentsPlacement(transform: move))
        let picture = try renderer.makeContents(from: context)
        for row in 0..<16 {
            for column in 0..<16 where pixel(picture, column, row) != pixel(source, column - x, row - y) {
                faults.append("moved by (\(x), \(y)): pixel (\(column), \(row))")
            }
        }
    }
    return faults
}
