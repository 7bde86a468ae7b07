#if Cairo
    import CLibCairo
    import CLibPNG
    import CLibTurboJPEG

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Darwin)
        import Darwin
    #endif

    /// Reads PNG and JPEG, with libpng and libjpeg-turbo.
    ///
    ///     let avatar = try ImageDecoder().decode(bytes)  // in a draw closure, or on a pool's thread
    ///
    /// Made for files from strangers: extents are looked at before memory is taken, a file that is cut off or
    /// damaged is an error and not half a picture, and no picture makes the process end. Colour profiles and
    /// the orientation that cameras note are not looked at. *Thread-safe*, and not for the main thread.
    public struct ImageDecoder: Sendable {
        /// The most pixels of a picture, which take four bytes each. Default: 2²⁶, a quarter of a GiB.
        public var maximumPixelCount = 1 << 26

        /// Makes a decoder.
        public init() {}

        /// Reads a picture from memory. O(pixels).
        ///
        /// - Parameters:
        ///   - bytes: the whole file.
        ///   - scale: the pixels per point that the picture was made for; what is not finite and above zero
        ///     counts as 1.
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
        /// What is no file, such as a pipe or a device, is no picture either (``ImageError/unknownFormat``),
        /// and is not waited for. A file with more bytes than ten for each of ``maximumPixelCount`` and 16
        /// MiB besides is not read: ``ImageError/unreadable(path:errno:)`` with `EFBIG`.
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

    /// What a file's first bytes say that it is.
    enum ImageFormat {
        case png
        case jpeg

        init?(_ bytes: some Sequence<UInt8>) {
            if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
                self = .png
            } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
                self = .jpeg
            } else {
                return nil
            }
        }
    }

    /// Reads files that may be anything.
    enum ImageFile {
        /// The bytes of a file that begins as a picture does.
        ///
        /// - Parameter limit: the most bytes.
        static func bytes(of path: String, limit: Int) throws(ImageError) -> [UInt8] {
            // Opening a pipe must not wait for its writer.
            let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            guard file >= 0 else { throw .unreadable(path: path, errno: errno) }
            defer { close(file) }
            var status = stat()
            guard fstat(file, &status) == 0 else { throw .unreadable(path: path, errno: errno) }
            switch status.st_mode & S_IFMT {
            case S_IFREG: break
            case S_IFDIR: throw .unreadable(path: path, errno: EISDIR)
            default: throw .unknownFormat
            }

            var bytes: [UInt8] = []
            var block = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = next(&block, of: file)
                guard count >= 0 else { throw .unreadable(path: path, errno: errno) }
                if bytes.isEmpty {
                    guard ImageFormat(block[..<count]) != nil else { throw .unknownFormat }
                    if Int(status.st_size) > limit { throw .unreadable(path: path, errno: EFBIG) }
                }
                if count == 0 { return bytes }
                // The size that the file system reports is not trusted: it may grow, or be wrong.
                if count > limit - bytes.count { throw .unreadable(path: path, errno: EFBIG) }
                bytes += block[..<count]
            }
        }

        /// As many bytes as come at once; zero at the end, and below where that fails.
        private static func next(_ block: inout [UInt8], of file: Int32) -> Int {
            while true {
                let count = read(file, &block, block.count)
                guard count < 0, errno == EINTR else { return count }
            }
        }
    }

    /// Why a picture could not be read.
    public enum ImageError: Error, Hashable, CustomStringConvertible {
        /// The bytes begin neither as PNG nor as JPEG does; or the path is that of a pipe or a device.
        case unknownFormat
        /// The file is cut off, was changed, or uses what its decoder does not know; the decoder's words.
        case damaged(String)
        /// The picture has more pixels than the decoder was allowed to make room for, or than Cairo has room
        /// for.
        case tooLarge(pixelWidth: Int, pixelHeight: Int)
        /// The system has no memory for the pixels.
        case outOfMemory
        /// The file cannot be read, or has more bytes than the decoder was allowed to take; the system's
        /// number of the error.
        case unreadable(path: String, errno: Int32)

        /// One line for a log, in English.
        public var description: String {
            switch self {
            case .unknownFormat: "neither PNG nor JPEG"
            case .damaged(let reason): "a damaged picture: \(reason)"
            case .tooLarge(let width, let height): "a picture of \(width) × \(height) pixels is too large"
            case .outOfMemory: "the system has no memory for a picture"
            case .unreadable(let path, let errno): "\(path) cannot be read (errno \(errno))"
            }
        }
    }
#endif
