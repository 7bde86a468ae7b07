#if Cairo
    public import AsyncLayers
    import CQueuePoolsCairo

    /// What is done to pictures before they are shown: off the main thread, and once (``ImageCache``).
    extension CairoImage {
        /// How a picture is fitted to a size of another aspect ratio.
        public enum Fitting: Hashable, Sendable {
            /// As large as fits, with nothing cropped; the rest is clear.
            case fit
            /// As small as covers the size; what exceeds it is cropped, equally on both sides.
            case fill
            /// Width and height are scaled independently.
            case stretch
        }

        /// The picture in another size, with round corners. O(pixels).
        ///
        /// - Parameters:
        ///   - size: in points, of at least one pixel; what is less is an error, and parts of pixels count as
        ///     whole ones.
        ///   - scale: pixels per point.
        ///   - fitting: what becomes of another shape. Default: it is filled.
        ///   - cornerRadius: in points. Default: zero.
        /// - Throws: ``CairoError`` where Cairo has no such pictures, or no memory.
        public func resized(
            to size: Size, scale: Double = 1, fitting: Fitting = .fill, cornerRadius: Double = 0
        ) throws -> CairoImage {
            let context = try CairoContext(points: size, scale: scale)
            // Of whole pixels, so that the last ones are filled too.
            let size = Size(
                width: Double(context.pixelWidth) / scale, height: Double(context.pixelHeight) / scale)
            let whole = Rect(size: size)
            let (width, height) = (Double(pixelWidth), Double(pixelHeight))
            let ratios = (size.width / width, size.height / height)
            var rect = whole
            if fitting != .stretch {
                let ratio = fitting == .fit ? min(ratios.0, ratios.1) : max(ratios.0, ratios.1)
                rect = Rect(
                    center: whole.center, size: Size(width: width * ratio, height: height * ratio))
            }
            if cornerRadius > 0 {
                context.addRectangle(fitting == .fit ? rect : whole, cornerRadius: cornerRadius)
                cairo_clip(context.cairo)
            }
            try context.draw(self, in: rect)
            return try context.makeImage()
        }

        /// The picture with a shadow behind it, larger by what that needs on each side: the radius and the
        /// longer of the offsets, each rounded to whole pixels. The picture's own pixels stay as they are.
        /// O(pixels).
        ///
        /// - Parameters:
        ///   - radius: how far the shadow's edge is blurred to both sides, in points; cut to 0…100, and NaN
        ///     reads as 0.
        ///   - offset: how far the shadow is moved, in points; what is not finite is an error. Default: not
        ///     at all.
        ///   - color: the shadow's. Default: black at a third.
        /// - Throws: ``CairoError`` where Cairo has no such pictures, or no memory.
        public func withShadow(
            radius: Double, offset: Point = .zero, color: Color = Color(white: 0, alpha: 0.33)
        ) throws -> CairoImage {
            // max() may take no notice of a NaN.
            guard offset.x.isFinite, offset.y.isFinite else { throw CairoError(CAIRO_STATUS_INVALID_SIZE) }
            let radius = radius > 0 ? min(radius, 100) : 0
            // In whole pixels, so that the picture keeps its own.
            let reach = (radius * scale).rounded()
            let move = Point(x: (offset.x * scale).rounded(), y: (offset.y * scale).rounded())
            let margin = reach + max(abs(move.x), abs(move.y))
            guard margin <= Double(CairoPixels.maximumExtent) else {
                throw CairoError(CAIRO_STATUS_INVALID_SIZE)
            }
            let added = 2 * Int(margin)
            let context = try CairoContext(
                ContextDescription(
                    pixelWidth: pixelWidth + added, pixelHeight: pixelHeight + added, scale: scale))
            let (width, height) = (context.pixelWidth, context.pixelHeight)
            let shadow = try CairoPixels(format: CAIRO_FORMAT_A8, width: width, height: height)
            try shadow.drawAlpha(of: self, x: margin + move.x, y: margin + move.y)
            shadow.blur(reach: Int(reach))
            context.setSource(color)
            try context.withState {
                cairo_identity_matrix(context.cairo)
                let surface = try shadow.makeSurface()
                cairo_mask_surface(context.cairo, surface.pointer, 0, 0)
            }
            let place = LayerTransform.translation(x: margin / scale, y: margin / scale)
            try context.draw(self, placed: ContentsPlacement(transform: place))
            return try context.makeImage()
        }
    }

    extension CairoContext {
        /// A clear context of a size in points.
        fileprivate convenience init(points size: Size, scale: Double) throws(CairoError) {
            guard
                let description = try? ContextDescription(size: size, scale: scale, isOpaque: false)
            else { throw CairoError(CAIRO_STATUS_INVALID_SIZE) }
            try self.init(description)
        }
    }

    extension CairoPixels {
        fileprivate func drawAlpha(of image: CairoImage, x: Double, y: Double) throws {
            let surface = try makeSurface()
            let drawing = try CairoDrawing(on: surface)
            try image.withSurface { cairo_set_source_surface(drawing.pointer, $0, x, y) }
            cairo_paint(drawing.pointer)
            try CairoError.check(cairo_status(drawing.pointer))
            cairo_surface_flush(surface.pointer)
        }

        /// Three means over squares, which come near to a Gaussian and together take in as many pixels to
        /// each side as is said. Only for one byte a pixel.
        fileprivate func blur(reach: Int) {
            var line = [UInt8](repeating: 0, count: max(width, height))
            for radius in [reach / 3, (reach + 1) / 3, (reach + 2) / 3] where radius > 0 {
                for row in 0..<height { Self.blur(start + row * bytesPerRow, width, 1, radius, &line) }
                for column in 0..<width { Self.blur(start + column, height, bytesPerRow, radius, &line) }
            }
        }

        private static func blur(
            _ start: UnsafeMutablePointer<UInt8>, _ count: Int, _ step: Int, _ radius: Int,
            _ line: inout [UInt8]
        ) {
            for index in 0..<count { line[index] = start[index * step] }
            var sum = line[..<min(radius, count)].reduce(0) { $0 + Int($1) }
            let length = 2 * radius + 1
            for index in 0..<count {
                if index + radius < count { sum += Int(line[index + radius]) }
                if index - radius - 1 >= 0 { sum -= Int(line[index - radius - 1]) }
                start[index * step] = UInt8(sum / length)
            }
        }
    }
#endif
