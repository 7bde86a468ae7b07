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
    ///   - rect: In points.
    ///   - cornerRadius: In points, cut at half the shorter side; NaN and negative read as 0.
    ///   - paint: A colour or a gradient.
    public func fill(_ rect: Rect, cornerRadius: Double = 0, with paint: Paint) {
        fill(RoundedShape(rect, cornerRadius: cornerRadius, origin: state.origin, scale: scale), with: paint)
    }

    /// Paints the ellipse that touches the four sides of a rectangle; a circle, where that is a square.
    /// O(visible pixels).
    ///
    /// - Parameters:
    ///   - rect: In points.
    ///   - paint: A colour or a gradient.
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
