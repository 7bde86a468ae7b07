public import AsyncLayers

extension BitmapContext {
    /// Blends a picture over what is there: moved, scaled, turned, translucent and clipped.
    ///
    /// Moved by whole pixels at the context's own scale, every pixel is taken over exactly. Otherwise colours
    /// are interpolated between the picture's pixels, and its edges are anti-aliased, as those of the clips
    /// are. O(visible pixels · clips), with up to 64 samples for a pixel where the picture becomes much
    /// smaller.
    ///
    /// - Parameters:
    ///   - bitmap: The picture. Its size in points is its size in pixels over its scale.
    ///   - placement: Where, in points of the context, within the clips and moves that hold now.
    public func draw(_ bitmap: Bitmap, placed placement: ContentsPlacement) {
        _ = writablePixels
        let opacity = Blending.byte(placement.opacity)
        guard opacity > 0 else { return }
        let outer = state
        defer { state = outer }
        for clip in placement.clips {
            guard
                let shape = CoverageShape(
                    clip.rect, cornerRadius: clip.cornerRadius,
                    toPixels: clip.transform.inPixels(origin: state.origin, scale: scale))
            else { return }
            add(shape)
            guard !state.bounds.isEmpty else { return }
        }
        let toPixels = placement.transform.inPixels(
            origin: state.origin, scale: scale, sourceScale: bitmap.scale)
        if let move = toPixels.wholePixelMove(width: bitmap.pixelWidth, height: bitmap.pixelHeight) {
            copy(
                bitmap, minX: Int(PixelRect.clamped(move.x)), minY: Int(PixelRect.clamped(move.y)),
                opacity: opacity)
        } else {
            sample(bitmap, toPixels: toPixels, opacity: opacity)
        }
    }

    private func copy(_ bitmap: Bitmap, minX: Int, minY: Int, opacity: UInt8) {
        let area = PixelRect(
            minX: minX, minY: minY, maxX: minX + bitmap.pixelWidth, maxY: minY + bitmap.pixelHeight
        ).intersection(state.bounds)
        guard !area.isEmpty else { return }
        let columns = area.minX..<area.maxX
        let solid = opacity == 255 ? columns : columns.lowerBound..<columns.lowerBound
        for row in area.minY..<area.maxY {
            (working.coverage + area.minX).update(repeating: opacity, count: columns.count)
            // Indexed by the whole picture's columns, so it may start before the bitmap's first pixel.
            let source = bitmap.pixels + ((row - minY) * bitmap.pixelWidth - minX)
            blend(
                .pixels(source), row: row, span: RowSpan(columns: columns, solid: solid),
                coverage: working.coverage)
        }
    }

    private func sample(_ bitmap: Bitmap, toPixels: LayerTransform, opacity: UInt8) {
        let edges = Rect(
            size: Size(width: Double(bitmap.pixelWidth), height: Double(bitmap.pixelHeight)))
        guard let sampler = PictureSampler(bitmap, toPixels: toPixels),
            let shape = CoverageShape(edges, toPixels: toPixels)
        else { return }
        let area = shape.bounds.intersection(state.bounds)
        guard !area.isEmpty else { return }
        for row in area.minY..<area.maxY {
            var span = shape.cover(row: row, columns: area.minX..<area.maxX, into: working.coverage)
            guard !span.columns.isEmpty else { continue }
            if opacity < 255 {
                for column in span.columns {
                    let product = UInt32(working.coverage[column]) * UInt32(opacity)
                    working.coverage[column] = UInt8(Blending.dividedBy255(product))
                }
                span.solid = span.columns.lowerBound..<span.columns.lowerBound
            }
            blend(.picture(sampler), row: row, span: span, coverage: working.coverage)
        }
    }
}
