#if Cairo
    public import AsyncLayers
    import CQueuePoolsCairo

    /// What Cairo has no single function for.
    extension CairoContext {
        /// Makes a colour the source of what is drawn next. Components outside 0…1 are cut, and NaN reads as
        /// 0.
        public func setSource(_ color: Color) {
            func cut(_ value: Double) -> Double { value > 0 ? min(value, 1) : 0 }
            cairo_set_source_rgba(cairo, cut(color.red), cut(color.green), cut(color.blue), cut(color.alpha))
        }

        /// Adds a rectangle with round corners to the path; nothing where it is empty or not finite.
        ///
        /// - Parameters:
        ///   - rect: in points; cut off a million pixels from the context's first one.
        ///   - cornerRadius: cut at half the shorter side, and at a million pixels; negative and NaN read
        ///     as 0.
        public func addRectangle(_ rect: Rect, cornerRadius: Double = 0) {
            guard rect.isVisible else { return }
            // Under a matrix that cannot be inverted nothing is seen.
            guard let toPoints = matrix.inverted() else { return }
            let rect = rect.cut(to: toPoints.boundingRect(ofSquareOf: Self.horizon))
            guard rect.isVisible else { return }
            // Skewed, a rectangle that is cut off may be longer than that in pixels, and so may its corners.
            let limit = Self.horizon / matrix.longestAxis
            let radius = min(cornerRadius, rect.size.width / 2, rect.size.height / 2, limit)
            guard cornerRadius > 0, radius > 0 else {
                return cairo_rectangle(cairo, rect.minX, rect.minY, rect.size.width, rect.size.height)
            }
            cairo_new_sub_path(cairo)
            cairo_arc(cairo, rect.maxX - radius, rect.minY + radius, radius, -.pi / 2, 0)
            cairo_arc(cairo, rect.maxX - radius, rect.maxY - radius, radius, 0, .pi / 2)
            cairo_arc(cairo, rect.minX + radius, rect.maxY - radius, radius, .pi / 2, .pi)
            cairo_arc(cairo, rect.minX + radius, rect.minY + radius, radius, .pi, .pi * 3 / 2)
            cairo_close_path(cairo)
        }

        /// Rectangles are cut off this far from the context's first pixel, in pixels and not in points: it
        /// may lie further than this from its picture's origin. Cairo computes in 24 bits and 8 more for
        /// fractions, and larger round corners take it longer.
        private static let horizon = Double(1 << 20)

        /// Fills a rectangle with round corners; nothing where it is empty or not finite.
        public func fill(_ rect: Rect, cornerRadius: Double = 0, with color: Color) {
            setSource(color)
            addRectangle(rect, cornerRadius: cornerRadius)
            cairo_fill(cairo)
        }

        /// Calls a closure, and then restores source, path, clip and matrix.
        public func withState<Result>(_ body: () throws -> Result) rethrows -> Result {
            // Cairo saves all of this but the path.
            let path = cairo_copy_path(cairo)
            let hasPoint = cairo_has_current_point(cairo) != 0
            cairo_save(cairo)
            defer {
                cairo_restore(cairo)
                cairo_new_path(cairo)
                cairo_append_path(cairo, path)
                if !hasPoint { cairo_new_sub_path(cairo) }
                cairo_path_destroy(path)
            }
            return try body()
        }

        /// Draws an image into a rectangle, stretched to it.
        ///
        /// - Parameters:
        ///   - image: the whole of it.
        ///   - rect: in points; nothing is drawn where it is empty or not finite.
        ///   - cornerRadius: of the rectangle, whose corners are clipped.
        public func draw(_ image: CairoImage, in rect: Rect, cornerRadius: Double = 0) throws {
            guard rect.isVisible else { return }
            let size = Size(
                width: Double(image.pixelWidth) / image.scale, height: Double(image.pixelHeight) / image.scale
            )
            let transform = LayerTransform(
                a: rect.size.width / size.width, b: 0, c: 0, d: rect.size.height / size.height, tx: rect.minX,
                ty: rect.minY)
            let clips = cornerRadius > 0 ? [ContentsPlacement.Clip(rect, cornerRadius: cornerRadius)] : []
            try draw(image, placed: ContentsPlacement(transform: transform, clips: clips))
        }

        /// Blends an image over what is there: moved, scaled, turned, translucent and clipped, within the
        /// clip and under the matrix that hold now.
        ///
        /// Moved by whole pixels at the context's own scale every pixel is taken over exactly. Otherwise
        /// colours are interpolated between the picture's pixels, and its edges are anti-aliased, as those of
        /// the clips are.
        public func draw(_ image: CairoImage, placed placement: ContentsPlacement) throws {
            guard placement.opacity > 0 else { return }
            try withState {
                let outer = matrix
                for clip in placement.clips {
                    guard clip.rect.isVisible,
                        let transform = clip.transform.concatenating(outer).ifInvertible
                    else { return }
                    matrix = transform
                    cairo_new_path(cairo)
                    addRectangle(clip.rect, cornerRadius: clip.cornerRadius)
                    cairo_clip(cairo)
                }
                let fromPixels = LayerTransform.scale(x: 1 / image.scale, y: 1 / image.scale)
                let toPixels = fromPixels.concatenating(placement.transform).concatenating(outer)
                let move = toPixels.wholePixelMove(width: image.pixelWidth, height: image.pixelHeight)
                guard let exact = move.map({ .translation(x: $0.x, y: $0.y) }) ?? toPixels.ifInvertible else {
                    return
                }
                matrix = exact
                if move == nil {
                    cairo_new_path(cairo)
                    addRectangle(
                        Rect(
                            size: Size(width: Double(image.pixelWidth), height: Double(image.pixelHeight))))
                    cairo_clip(cairo)
                }
                try image.withSurface { cairo_set_source_surface(cairo, $0, 0, 0) }
                let source = cairo_get_source(cairo)
                cairo_pattern_set_filter(source, move == nil ? CAIRO_FILTER_GOOD : CAIRO_FILTER_NEAREST)
                // The filter looks beyond the picture, where by default all is clear: its edges would fade,
                // and reach beyond their place.
                if move == nil { cairo_pattern_set_extend(source, CAIRO_EXTEND_PAD) }
                cairo_paint_with_alpha(cairo, min(placement.opacity, 1))
            }
            try check()
        }

        /// From the points of now to pixels.
        private var matrix: LayerTransform {
            get {
                var matrix = cairo_matrix_t()
                cairo_get_matrix(cairo, &matrix)
                return LayerTransform(
                    a: matrix.xx, b: matrix.yx, c: matrix.xy, d: matrix.yy, tx: matrix.x0, ty: matrix.y0)
            }
            set {
                var matrix = cairo_matrix_t(
                    xx: newValue.a, yx: newValue.b, xy: newValue.c, yy: newValue.d, x0: newValue.tx,
                    y0: newValue.ty)
                cairo_set_matrix(cairo, &matrix)
            }
        }
    }

    extension LayerTransform {
        /// The longer semi-axis of the ellipse that a circle of radius 1 becomes.
        fileprivate var longestAxis: Double {
            let (x, y) = (a * a + b * b, c * c + d * d)
            let (half, product) = ((x - y) / 2, a * c + b * d)
            return ((x + y) / 2 + (half * half + product * product).squareRoot()).squareRoot()
        }

        /// Nil if Cairo's context would fail with an error and draw nothing any more.
        fileprivate var ifInvertible: LayerTransform? { inverted() == nil ? nil : self }

        /// What a square becomes whose sides are twice as long as this, and whose middle is the origin.
        fileprivate func boundingRect(ofSquareOf limit: Double) -> Rect {
            let (width, height) = (limit * (abs(a) + abs(c)), limit * (abs(b) + abs(d)))
            return Rect(center: Point(x: tx, y: ty), size: Size(width: 2 * width, height: 2 * height))
        }
    }

    extension Rect {
        fileprivate var isVisible: Bool {
            [minX, minY, maxX, maxY].allSatisfy(\.isFinite) && !isEmpty
        }

        /// What of it lies within another one; empty where nothing does. What lies within wholly comes out as
        /// it is.
        fileprivate func cut(to limits: Rect) -> Rect {
            if limits.minX <= minX, maxX <= limits.maxX, limits.minY <= minY, maxY <= limits.maxY {
                return self
            }
            func cut(_ value: Double, _ low: Double, _ high: Double) -> Double { min(max(value, low), high) }
            let (x, y) = (cut(minX, limits.minX, limits.maxX), cut(minY, limits.minY, limits.maxY))
            return Rect(
                x: x, y: y, width: cut(maxX, limits.minX, limits.maxX) - x,
                height: cut(maxY, limits.minY, limits.maxY) - y)
        }
    }
#endif
