public import AsyncLayers

extension BitmapContext {
    /// Blends a picture over what is there, keeping its size in points.
    ///
    /// The place is rounded to whole pixels. At the context's own scale every pixel is taken over exactly;
    /// from a finer picture those that fall on one pixel are averaged, from a coarser one each is repeated.
    /// O(visible pixels), and O(pixels of the picture) at most where they are averaged.
    ///
    /// - Parameters:
    ///   - bitmap: The picture.
    ///   - point: Where its top left corner goes, in points.
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
