public import AsyncLayers

extension BitmapContext {
    /// Draws one line of text.
    ///
    /// Line breaks in it are drawn as spaces; break a longer text with ``StrokeFont/wrap(_:width:)``. The
    /// baseline is rounded to a whole pixel, so that the same text looks the same on every line.
    /// O(characters) and the visible strokes.
    ///
    /// - Parameters:
    ///   - text: the text, from left to right.
    ///   - baseline: where its baseline begins at the left, in points.
    ///   - font: its size and weight.
    ///   - color: its colour.
    public func draw(_ text: some StringProtocol, baseline: Point, font: StrokeFont, color: Color) {
        _ = writablePixels
        let unit = font.unit * scale
        let top = (state.origin.y + baseline.y - font.ascent) * scale
        let bottom = (state.origin.y + baseline.y + font.descent) * scale
        let y = ((state.origin.y + baseline.y) * scale).rounded()
        var x = (state.origin.x + baseline.x) * scale
        // The strokes of a glyph reach at most this far beyond its own advance.
        let margin = (font.penRadius + 2) * unit + 1
        let bounds = state.bounds
        guard unit > 0, unit.isFinite, x.isFinite, y.isFinite, !bounds.isEmpty,
            top - margin < Double(bounds.maxY), bottom + margin > Double(bounds.minY),
            let source = source(.color(color))
        else { return }

        var segments: [Segment] = []
        for character in text {
            guard x - margin < Double(bounds.maxX) else { return }
            let glyph = GlyphTable.shared.glyph(for: character)
            let end = x + (glyph.advance + font.extraAdvance) * unit
            if end + margin > Double(bounds.minX) {
                segments.removeAll(keepingCapacity: true)
                let origin = Point(x: x + font.extraAdvance / 2 * unit, y: y)
                glyph.append(to: &segments, origin: origin, unit: unit)
                stroke(segments, radius: font.penRadius * unit, with: source)
            }
            x = end
        }
    }

    /// Draws lines of text below one another, ``StrokeFont/lineHeight`` apart.
    ///
    /// - Parameters:
    ///   - lines: as they come from ``StrokeFont/wrap(_:width:)``.
    ///   - topLeft: where the first line's ascent begins at the left, in points.
    ///   - font: the font that they were wrapped with.
    ///   - color: their colour.
    public func draw(_ lines: [StrokeFont.Line], topLeft: Point, font: StrokeFont, color: Color) {
        var baseline = Point(x: topLeft.x, y: topLeft.y + font.ascent)
        for line in lines {
            draw(line.text, baseline: baseline, font: font, color: color)
            baseline.y += font.lineHeight
        }
    }
}
