#if Cairo
    import CQueuePoolsCairo

    /// A finished picture in Cairo's own format: premultiplied, 32 bits a pixel, rows from the top.
    ///
    /// It never changes, so any thread may read it, and several may draw it at the same time: each gets a
    /// surface of its own over the one memory, which is freed with the last of them. Images come from
    /// ``CairoRenderer/makeContents(from:)``, which hands the pixels over without copying them, or from a
    /// decoder. *Thread-safe.*
    public final class CairoImage: CustomStringConvertible, Sendable {
        let pixels: CairoPixels

        /// Pixels per point that the picture was drawn at; finite and above zero.
        public let scale: Double

        /// The size and the scale, such as "640 × 480 pixels at scale 2.0".
        public var description: String { "\(pixelWidth) × \(pixelHeight) pixels at scale \(scale)" }

        init(_ pixels: CairoPixels, scale: Double) {
            self.pixels = pixels
            self.scale = scale
        }

        /// Makes a picture of pixels from elsewhere: a screenshot, a frame of a video.
        ///
        ///     let image = try CairoImage(pixelWidth: 640, pixelHeight: 480) { bytes, stride in
        ///         SDL_RenderReadPixels(renderer, nil, format, bytes.baseAddress, Int32(stride))
        ///     }
        ///
        /// - Parameters:
        ///   - pixelWidth: from 1 to 32,767.
        ///   - pixelHeight: from 1 to 32,767.
        ///   - scale: pixels per point; what is not finite and above zero counts as 1. Default: 1.
        ///   - isOpaque: whether the format has no alpha (see ``isOpaque``). Default: false.
        ///   - body: writes the pixels, in the format of ``withUnsafeBytes(_:)``: premultiplied,
        ///     `bytesPerRow` bytes from the beginning of a row to that of the next one. All are zero before.
        ///     Called once; the bytes must not be kept.
        /// - Throws: ``CairoError`` where Cairo has no such pictures, or no memory; or what the body throws.
        public convenience init(
            pixelWidth: Int, pixelHeight: Int, scale: Double = 1, isOpaque: Bool = false,
            writingPixelsWith body: (_ bytes: UnsafeMutableRawBufferPointer, _ bytesPerRow: Int) throws ->
                Void
        ) throws {
            let format = isOpaque ? CAIRO_FORMAT_RGB24 : CAIRO_FORMAT_ARGB32
            let pixels = try CairoPixels(format: format, width: pixelWidth, height: pixelHeight)
            try body(
                UnsafeMutableRawBufferPointer(start: pixels.start, count: pixels.byteCount),
                pixels.bytesPerRow)
            self.init(pixels, scale: scale > 0 && scale.isFinite ? scale : 1)
        }

        /// Width in pixels, at least 1.
        public var pixelWidth: Int { pixels.width }

        /// Height in pixels, at least 1.
        public var pixelHeight: Int { pixels.height }

        /// The bytes from the beginning of a row to that of the next one.
        public var bytesPerRow: Int { pixels.bytesPerRow }

        /// The memory that the pixels take.
        public var byteCount: Int { pixels.byteCount }

        /// True if the format has no alpha (`CAIRO_FORMAT_RGB24`, where a pixel's highest byte means
        /// nothing); false if it has (`CAIRO_FORMAT_ARGB32`).
        public var isOpaque: Bool { pixels.format == CAIRO_FORMAT_RGB24 }

        /// Lends the bytes for the time of a call: ``bytesPerRow`` times ``pixelHeight``, each pixel a number
        /// of 32 bits in the machine's byte order, alpha in its highest 8 bits, then red, green and blue,
        /// premultiplied. Where the image ``isOpaque``, the highest 8 bits are undefined: read them as 255.
        public func withUnsafeBytes<Result: ~Copyable, Failure>(
            _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
        ) throws(Failure) -> Result {
            try body(UnsafeRawBufferPointer(start: pixels.start, count: pixels.byteCount))
        }

        /// The pixel at a column and a row, counted from the top left: alpha in the highest 8 bits, then red,
        /// green and blue, premultiplied. Clear outside the picture. O(1).
        public subscript(x x: Int, y y: Int) -> UInt32 {
            guard (0..<pixelWidth).contains(x), (0..<pixelHeight).contains(y) else { return 0 }
            let pixel = UnsafeRawPointer(pixels.start)
                .load(fromByteOffset: y * bytesPerRow + 4 * x, as: UInt32.self)
            return isOpaque ? pixel | 0xFF00_0000 : pixel
        }

        /// Lends a `cairo_surface_t` of the calling thread's own over the pixels, to be drawn with: a source,
        /// a mask. What takes a reference to it may keep it for longer. *It must not be drawn into.*
        ///
        /// - Throws: ``CairoError`` if Cairo has no memory, or what the body throws.
        public func withSurface<Result>(_ body: (_ surface: OpaquePointer) throws -> Result) throws -> Result
        {
            let surface = try pixels.makeSurface()
            return try body(surface.pointer)
        }

        /// Writes the picture to a file as PNG.
        ///
        /// - Throws: ``CairoError`` where the file cannot be written.
        public func writePNG(to path: String) throws(CairoError) {
            let surface = try pixels.makeSurface()
            try CairoError.check(cairo_surface_write_to_png(surface.pointer, path))
        }
    }

    /// Pictures as files in memory, for programs that send or keep them.
    extension CairoImage {
        /// The picture as a PNG file in memory: with alpha, unless ``isOpaque``. O(pixels), and not for the
        /// main thread.
        ///
        ///     let png = try image.pngBytes()
        ///     let same = try ImageDecoder().decode(png)
        ///
        /// Equal pixels give equal bytes. What is opaque comes back exactly; colours under alpha are kept as
        /// PNG has them, not premultiplied, in eight bits, and so come back to within one step.
        ///
        /// - Throws: ``CairoError`` where Cairo has no memory.
        public func pngBytes() throws(CairoError) -> [UInt8] {
            let surface = try pixels.makeSurface()
            var bytes: [UInt8] = []
            let status = withUnsafeMutablePointer(to: &bytes) { bytes in
                cairo_surface_write_to_png_stream(
                    surface.pointer,
                    { closure, data, count in
                        guard let closure, let data else { return CAIRO_STATUS_WRITE_ERROR }
                        let part = UnsafeBufferPointer(start: data, count: Int(count))
                        closure.assumingMemoryBound(to: [UInt8].self).pointee.append(contentsOf: part)
                        return CAIRO_STATUS_SUCCESS
                    }, bytes)
            }
            try CairoError.check(status)
            return bytes
        }
    }
#endif
