#if Cairo
    import CLibCairo
    import CLibPNG
    import CLibTurboJPEG

    /// Reads PNG and JPEG, with libpng and libjpeg-turbo.
    ///
    ///     let avatar = try ImageDecoder().decode(bytes)  // in a draw closure, or on a pool's thread
    ///
    /// Made for files from strangers: extents are looked at before memory is taken, a file that is cut off or damaged is
    /// an error and not half a picture, and no picture makes the process end. Colour profiles and the orientation that
    /// cameras note are not looked at. *Thread-safe*, and not for the main thread.
    public struct ImageDecoder: Sendable {
        /// The most pixels of a picture, which take four bytes each. Default: 2²⁶, a quarter of a GiB.
        public var maximumPixelCount = 1 << 26

        /// Makes a decoder.
        public init() {}

        /// Reads a picture from memory. O(pixels).
        ///
        /// - Parameters:
        ///   - bytes: the whole file.
        ///   - scale: the pixels per point that the picture was made for; what is not finite and above zero counts as 1.
        public func decode(_ bytes: [UInt8], scale: Double = 1) throws(ImageError) -> CairoImage {
            let pixels = try bytes.withUnsafeBufferPointer { (file) throws(ImageError) -> CairoPixels in
                switch ImageFormat(file) {
                case .png: try decodePNG(file)
                case .jpeg: try decodeJPEG(file)
                case nil: throw .unknownFormat
                }
            }
            return CairoImage(pixels, scale: scale > 0 && scale.isFinite ? scale : 1)
        }

        /// Reads a picture from a file. O(bytes + pixels).
        ///
        /// What is no file, such as a pipe or a device, is no picture either (``ImageError/unknownFormat``), and is not
        /// waited for. A file with more bytes than ten for each of ``maximumPixelCount`` and 16 MiB besides is not read:
        /// ``ImageError/unreadable(path:errno:)`` with `EFBIG`.
        public func decode(contentsOfFile path: String, scale: Double = 1) throws(ImageError) -> CairoImage {
            // PNG takes up to eight bytes for a pixel, and nine where a row has but one.
            let (bytes, overflow) = max(maximumPixelCount, 0).multipliedReportingOverflow(by: 10)
            let limit = overflow || bytes > .max - 16 << 20 ? .max : bytes + 16 << 20
            return try decode(ImageFile.bytes(of: path, limit: limit), scale: scale)
        }

        // MARK: PNG

        private func decodePNG(_ file: UnsafeBufferPointer<UInt8>) throws(ImageError) -> CairoPixels {
            var image = png_image()
            // libpng notes the address of what it is given, and so it must be the same one in all calls.
            return try withUnsafeMutablePointer(to: &image) { (image) throws(ImageError) -> CairoPixels in
                try decodePNG(file, by: image)
            }
        }

        private func decodePNG(
            _ file: UnsafeBufferPointer<UInt8>, by image: UnsafeMutablePointer<png_image>
        ) throws(ImageError) -> CairoPixels {
            // Frees what is left after an error.
            defer { png_image_free(image) }
            guard clibpng_begin(image, file.baseAddress, file.count) != 0 else {
                throw .damaged(image.pointee.words)
            }
            let hasAlpha = clibpng_has_alpha(image) != 0
            let pixels = try makePixels(
                width: Int(image.pointee.width), height: Int(image.pointee.height),
                format: hasAlpha ? CAIRO_FORMAT_ARGB32 : CAIRO_FORMAT_RGB24)
            guard clibpng_finish(image, pixels.start, Int32(pixels.bytesPerRow)) != 0 else {
                throw .damaged(image.pointee.words)
            }
            if hasAlpha { pixels.premultiply() }
            return pixels
        }

        // MARK: JPEG

        private func decodeJPEG(_ file: UnsafeBufferPointer<UInt8>) throws(ImageError) -> CairoPixels {
            guard let decoder = tjInitDecompress() else { throw .outOfMemory }
            defer { tjDestroy(decoder) }
            func check(_ status: Int32) throws(ImageError) {
                if status != 0 { throw .damaged(String(cString: tjGetErrorStr2(decoder))) }
            }
            var (width, height, subsampling, colors) = (Int32(0), Int32(0), Int32(0), Int32(0))
            try check(
                tjDecompressHeader3(
                    decoder, file.baseAddress, UInt(file.count), &width, &height, &subsampling, &colors))
            let pixels = try makePixels(width: Int(width), height: Int(height), format: CAIRO_FORMAT_RGB24)
            try check(
                clibturbojpeg_decompress(
                    decoder, file.baseAddress, UInt(file.count), pixels.start, width,
                    Int32(pixels.bytesPerRow),
                    height))
            return pixels
        }

        // MARK: Both

        private func makePixels(
            width: Int, height: Int, format: cairo_format_t
        ) throws(ImageError) -> CairoPixels {
            let (count, overflow) = width.multipliedReportingOverflow(by: height)
            guard width > 0, height > 0, !overflow, count <= maximumPixelCount else {
                throw .tooLarge(pixelWidth: width, pixelHeight: height)
            }
            do {
                return try CairoPixels(format: format, width: width, height: height)
            } catch {
                if error.status == CAIRO_STATUS_NO_MEMORY.rawValue { throw .outOfMemory }
                throw .tooLarge(pixelWidth: width, pixelHeight: height)
            }
        }

    }

    extension png_image {
        /// What libpng says.
        fileprivate var words: String {
            withUnsafeBytes(of: message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        }
    }

    extension CairoPixels {
        /// Multiplies colours by their alpha, as Cairo wants them.
        fileprivate func premultiply() {
            for row in 0..<height {
                let pixels = UnsafeMutableRawPointer(start + row * bytesPerRow).assumingMemoryBound(
                    to: UInt32.self)
                for column in 0..<width {
                    let pixel = pixels[column]
                    let alpha = pixel >> 24
                    guard alpha < 255 else { continue }
                    func part(_ shift: UInt32) -> UInt32 {
                        // Rounded division by 255.
                        let product = (pixel >> shift & 0xFF) * alpha + 128
                        return ((product + product >> 8) >> 8) << shift
                    }
                    pixels[column] = alpha << 24 | part(16) | part(8) | part(0)
                }
            }
        }
    }
#endif
