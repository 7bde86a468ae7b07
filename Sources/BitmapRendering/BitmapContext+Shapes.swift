public import AsyncLayers

extension BitmapContext {
    /// Paints everything that the clip lets through. O(visible pixels).
    public func fill(with paint: Paint) {
        fill(RoundedShape(state.bounds), with: paint)
    }

    /// Paints a rectangle, with round corners if asked for. Edges between pixels cover them in part.
    /// O(visible pixels).
    ///
    /// - Parameters:
    ///   - rect: in points.
    ///   - cornerRadius: in points, cut at half the shorter side; NaN and negative read as 0.
    ///   - paint: a colour or a gradient.
    public func fill(_ rect: Rect, cornerRadius: Double = 0, with paint: Paint) {
        fill(RoundedShape(rect, cornerRadius: cornerRadius, origin: state.origin, scale: scale), with: paint)
    }

    /// Paints the ellipse that touches the four sides of a rectangle; a circle, where that is a square.
    /// O(visible pixels).
    ///
    /// - Parameters:
    ///   - rect: in points.
    ///   - paint: a colour or a gradient.
    public func fillEllipse(in rect: Rect, with paint: Paint) {
        fill(RoundedShape(ellipseIn: rect, origin: state.origin, scale: scale), with: paint)
    }

    private func fill(_ shape: RoundedShape?, with paint: Paint) {
        _ = writablePixels  // A spent context traps, also where nothing would be drawn.
        guard let shape, let source = source(paint) else { return }
        let area = shape.bounds.intersection(state.bounds)
        guard !area.isEmpty else { return }
        for row in area.minY..<area.maxY {
            let span = shape.cover(row: row, columns: area.minX..<area.maxX, into: working.coverage)
            guard !span.columns.isEmpty else { continue }
            blend(source, row: row, span: span, coverage: working.coverage)
        }
    }
}

extension BitmapContext {
    /// Draws a straight line with round ends.
    ///
    /// - Parameters:
    ///   - start: one end, in points.
    ///   - end: the other end, in points; the same point makes a dot.
    ///   - width: in points. A line thinner than a pixel is drawn a pixel wide and fainter; one that is not
    ///     above zero draws nothing.
    ///   - paint: a colour or a gradient.
    public func strokeLine(from start: Point, to end: Point, width: Double, with paint: Paint) {
        stroke([start, end], width: width, with: paint)
    }

    /// Draws a line through points, with round ends and joints.
    ///
    /// The line is one shape: where it is translucent and crosses or meets itself, it is not darker. A
    /// segment with an end that is not finite is left out. The work grows with the visible area of the
    /// segments.
    ///
    /// - Parameters:
    ///   - points: in points; one alone makes a dot. Repeat the first one to close the line.
    ///   - width: in points. A line thinner than a pixel is drawn a pixel wide and fainter; one that is not
    ///     above zero draws nothing.
    ///   - paint: a colour or a gradient.
    public func stroke(_ points: [Point], width: Double, with paint: Paint) {
        _ = writablePixels
        let radius = width * scale / 2
        guard radius > 0, radius.isFinite, let source = source(paint) else { return }
        let places = points.map { point in
            Point(x: (state.origin.x + point.x) * scale, y: (state.origin.y + point.y) * scale)
        }
        var segments: [Segment] = []
        segments.reserveCapacity(places.count)
        if places.count == 1 { segments.append(Segment(from: places[0], to: places[0])) }
        for index in places.indices.dropFirst() {
            segments.append(Segment(from: places[index - 1], to: places[index]))
        }
        segments.removeAll { !$0.isFinite }
        stroke(segments, radius: radius, with: source)
    }

    /// Draws segments, in pixels, as one shape: each pixel takes the largest coverage that any segment gives
    /// it.
    ///
    /// The coverage is gathered in bands of rows, so that the mask stays small however large the shape is.
    func stroke(_ segments: [Segment], radius: Double, with source: PixelSource) {
        let pen = Pen(radius: PixelRect.clamped(radius))
        let area = pen.bounds(of: segments).intersection(state.bounds)
        guard !area.isEmpty else { return }
        let rowsPerBand = min(WorkingMemory.largestBand, working.maskCapacity / area.width)
        var band = area
        while band.minY < area.maxY {
            band.maxY = min(band.minY + rowsPerBand, area.maxY)
            working.firstColumns.update(repeating: .max, count: band.maxY - band.minY)
            working.lastColumns.update(repeating: .min, count: band.maxY - band.minY)
            for segment in segments {
                pen.cover(segment, in: band, working)
            }
            for row in band.minY..<band.maxY {
                let ordinal = row - band.minY
                let first = band.minX + Int(working.firstColumns[ordinal])
                let last = band.minX + Int(working.lastColumns[ordinal])
                guard first < last else { continue }
                // Indexed by the context's columns, as everything that is blended.
                let coverage = working.mask + (ordinal * band.width - band.minX)
                blend(
                    source, row: row, span: RowSpan(columns: first..<last, solid: first..<first),
                    coverage: coverage)
                (coverage + first).update(repeating: 0, count: last - first)
            }
            band.minY = band.maxY
        }
    }
}
