public import AsyncLayers

extension BitmapContext {
    /// Blends a picture over what is there, keeping its size in points.
    ///
    /// The place is rounded to whole pixels. At the context's own scale every pixel is taken over exactly;
    /// from a finer picture those that fall on one pixel are averaged, from a coarser one each is repeated.
    /// O(visible pixels), and O(pixels of the picture) at most where they are averaged.
    ///
    /// - Parameters:
    ///   - bitmap: the picture.
    ///   - point: where its top left corner goes, in points.
    public func draw(_ bitmap: Bitmap, at point: Point) {
        _ = writablePixels
        let left = (state.origin.x + point.x) * scale
        let top = (state.origin.y + point.y) * scale
        let ratio = scale / bitmap.scale
        guard left.isFinite, top.isFinite, ratio.isFinite else { return }
        let minX = Int(PixelRect.clamped(left).rounded())
        let minY = Int(PixelRect.clamped(top).rounded())
        let width = Self.extent(bitmap.pixelWidth, times: ratio)
        let height = Self.extent(bitmap.pixelHeight, times: ratio)
        let area = PixelRect(minX: minX, minY: minY, maxX: minX + width, maxY: minY + height)
            .intersection(state.bounds)
        guard !area.isEmpty else { return }

        let columns = area.minX..<area.maxX
        for row in area.minY..<area.maxY {
            (working.coverage + area.minX).update(repeating: 255, count: columns.count)
            let source: UnsafePointer<UInt32>
            if width == bitmap.pixelWidth, height == bitmap.pixelHeight {
                // Indexed by the context's columns, so it may start before the picture's first pixel.
                source = bitmap.pixels + ((row - minY) * bitmap.pixelWidth - minX)
            } else {
                let rows = Self.sources(of: row - minY, extent: height, sourceExtent: bitmap.pixelHeight)
                for column in columns {
                    let sources = Self.sources(
                        of: column - minX, extent: width, sourceExtent: bitmap.pixelWidth)
                    working.colors[column] = Self.average(bitmap, columns: sources, rows: rows)
                }
                source = UnsafePointer(working.colors)
            }
            blend(
                .pixels(source), row: row, span: RowSpan(columns: columns, solid: columns),
                coverage: working.coverage)
        }
    }

    private static func extent(_ pixels: Int, times ratio: Double) -> Int {
        max(1, Int(PixelRect.clamped(Double(pixels) * ratio).rounded()))
    }

    /// The source pixels that one pixel is made of, along one axis: always at least one.
    private static func sources(of index: Int, extent: Int, sourceExtent: Int) -> Range<Int> {
        let first = index * sourceExtent / extent
        return first..<max(first + 1, (index + 1) * sourceExtent / extent)
    }

    private static func average(_ bitmap: Bitmap, columns: Range<Int>, rows: Range<Int>) -> UInt32 {
        if columns.count == 1, rows.count == 1 {
            return bitmap.pixels[rows.lowerBound * bitmap.pixelWidth + columns.lowerBound]
        }
        var sums = SIMD4<UInt64>.zero
        for row in rows {
            let pixels = bitmap.pixels + row * bitmap.pixelWidth
            for column in columns {
                let pixel = UInt64(UInt32(littleEndian: pixels[column]))
                sums &+= SIMD4(pixel, pixel >> 8, pixel >> 16, pixel >> 24) & 0xFF
            }
        }
        let count = UInt64(columns.count * rows.count)
        func mean(_ sum: UInt64) -> UInt32 { UInt32((sum + count / 2) / count) }
        return Blending.pixel(red: mean(sums.x), green: mean(sums.y), blue: mean(sums.z), alpha: mean(sums.w))
    }
}

extension BitmapContext {
    /// Blends a picture over what is there: moved, scaled, turned, translucent and clipped.
    ///
    /// Moved by whole pixels at the context's own scale, every pixel is taken over exactly. Otherwise colours
    /// are interpolated between the picture's pixels, and its edges are anti-aliased, as those of the clips
    /// are. O(visible pixels · clips), with up to 64 samples for a pixel where the picture becomes much
    /// smaller.
    ///
    /// - Parameters:
    ///   - bitmap: the picture. Its size in points is its size in pixels over its scale.
    ///   - placement: where, in points of the context, within the clips and moves that hold now.
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

extension LayerTransform {
    /// The same map with its results in pixels of the whole picture.
    ///
    /// - Parameters:
    ///   - origin: where the results' coordinates begin, in points.
    ///   - sourceScale: the pixels per point of what is mapped, where that is in pixels too.
    func inPixels(origin: Point, scale: Double, sourceScale: Double = 1) -> LayerTransform {
        let ratio = scale / sourceScale
        return LayerTransform(
            a: a * ratio, b: b * ratio, c: c * ratio, d: d * ratio, tx: (origin.x + tx) * scale,
            ty: (origin.y + ty) * scale)
    }

    /// True when upright rectangles stay upright, mirrored or by quarter turns.
    var keepsAxes: Bool { b == 0 && c == 0 || a == 0 && d == 0 }
}
