#if Cairo
    import CQueuePoolsCairo
    import CQueuePoolsJPEG
    import CQueuePoolsPNG

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Darwin)
        import Darwin
    #endif

    /// Reads PNG and JPEG, with libpng and libjpeg-turbo.
    ///
    ///     // In a draw closure.
    ///     let avatar = try ImageDecoder().decode(bytes, isCancelled: { scope.isCancelled })
    ///
    /// Made for files from strangers: extents are looked at before memory is taken, the work that a file can
    /// cause is bounded, a file that is cut off or damaged is an error and not half a picture, and no picture
    /// makes the process end. *Thread-safe*, and not for the main thread.
    ///
    /// Colours are those of sRGB. The samples of a PNG file are taken as such at any depth, unless the file
    /// has a chunk `gAMA`, and none `sRGB`: then they are converted from that gamma. Colour profiles
    /// (`iCCP`), primaries (`cHRM`), and the orientation that cameras note are not looked at.
    public struct ImageDecoder: Sendable {
        /// The most pixels of a picture, which take four bytes each. Default: 2²⁶, a quarter of a GiB.
        ///
        /// All memory that grows with the picture counts. A JPEG file that is progressive, or has several
        /// scans for another reason, is kept in coefficients until its last scan, which take as much as one
        /// and a half further pixels for each pixel, or three quarters where colours have half the
        /// resolution. By default such a picture may have 2²⁶ ÷ 2.5, 27 million pixels, or 38 million.
        ///
        /// Time is bounded, too: a picture of `n` pixels may have at most 16 × `pixelLimit` ÷ `n`
        /// scans, and at most 500. Cameras and programs write about ten.
        public var pixelLimit = 1 << 26

        /// Makes a decoder.
        public init() {}

        /// Reads a picture from memory. O(pixels), of each scan.
        ///
        /// - Parameters:
        ///   - bytes: the whole file.
        ///   - scale: the pixels per point that the picture was made for; what is not finite and above zero
        ///     counts as 1.
        public func decode(_ bytes: [UInt8], scale: Double = 1) throws(ImageError) -> CairoImage {
            try uncancelled { try decode(bytes, scale: scale, isCancelled: { false }) }
        }

        /// Reads a picture from memory, and stops when it is not needed. O(pixels), of each scan.
        ///
        /// - Parameters:
        ///   - bytes: the whole file.
        ///   - scale: the pixels per point that the picture was made for; what is not finite and above zero
        ///     counts as 1.
        ///   - isCancelled: stops reading, such as `DrawScope.isCancelled`. Called on this thread, before
        ///     each row of pixels, and before each row of blocks of each scan: at least every few
        ///     milliseconds.
        /// - Throws: ``ImageError``; `CancellationError` if `isCancelled` returns true.
        public func decode(
            _ bytes: [UInt8], scale: Double = 1, isCancelled: () -> Bool
        ) throws -> CairoImage {
            let pixels = try bytes.withUnsafeBufferPointer { file in
                switch ImageFormat(file) {
                case .png: try decodePNG(file, isCancelled)
                case .jpeg: try decodeJPEG(file, isCancelled)
                case nil: throw ImageError.unknownFormat
                }
            }
            return CairoImage(pixels, scale: scale > 0 && scale.isFinite ? scale : 1)
        }

        /// Reads a picture from a file. O(bytes + pixels, of each scan).
        ///
        /// What is no file, such as a pipe or a device, is no picture either (``ImageError/unknownFormat``),
        /// and is not waited for. A file with more bytes than ten for each of ``pixelLimit`` and 16
        /// MiB besides is not read: ``ImageError/unreadable(path:errno:)`` with `EFBIG`.
        public func decode(contentsOfFile path: String, scale: Double = 1) throws(ImageError) -> CairoImage {
            try uncancelled { try decode(contentsOfFile: path, scale: scale, isCancelled: { false }) }
        }

        /// Reads a picture from a file, as ``decode(contentsOfFile:scale:)`` does, and stops when it is not
        /// needed. O(bytes + pixels, of each scan).
        ///
        /// - Parameters:
        ///   - path: the file's.
        ///   - scale: the pixels per point that the picture was made for; what is not finite and above zero
        ///     counts as 1.
        ///   - isCancelled: stops reading, such as `DrawScope.isCancelled`. Called on this thread, before
        ///     each 64 KiB of the file, and then as ``decode(_:scale:isCancelled:)`` does.
        /// - Throws: ``ImageError``; `CancellationError` if `isCancelled` returns true.
        public func decode(
            contentsOfFile path: String, scale: Double = 1, isCancelled: () -> Bool
        ) throws -> CairoImage {
            // PNG takes up to eight bytes for a pixel, and nine where a row has but one.
            let (bytes, overflow) = max(pixelLimit, 0).multipliedReportingOverflow(by: 10)
            let limit = overflow || bytes > .max - 16 << 20 ? .max : bytes + 16 << 20
            return try decode(
                ImageFile.bytes(of: path, limit: limit, isCancelled), scale: scale, isCancelled: isCancelled)
        }

        /// The same with the type of all errors that are left.
        private func uncancelled(_ body: () throws -> CairoImage) throws(ImageError) -> CairoImage {
            do {
                return try body()
            } catch let error as ImageError {
                throw error
            } catch {
                preconditionFailure("decoding ended with \(error)")
            }
        }

        // MARK: PNG

        private func decodePNG(
            _ file: UnsafeBufferPointer<UInt8>, _ isCancelled: () -> Bool
        ) throws -> CairoPixels {
            guard let reader = cqp_png_open(file.baseAddress, file.count) else {
                throw ImageError.outOfMemory
            }
            defer { cqp_png_close(reader) }
            func check(_ result: Int32) throws {
                if result == 0 { throw ImageError.damaged(String(cString: cqp_png_words(reader))) }
            }
            try check(cqp_png_read_head(reader))
            let hasAlpha = cqp_png_has_alpha(reader) != 0
            let pixels = try makePixels(
                width: Int(cqp_png_width(reader)), height: Int(cqp_png_height(reader)),
                format: hasAlpha ? CAIRO_FORMAT_ARGB32 : CAIRO_FORMAT_RGB24)
            let passCount = cqp_png_start(reader)
            try check(passCount)
            for pass in 1...passCount {
                for row in 0..<pixels.height {
                    if isCancelled() { throw CancellationError() }
                    try check(cqp_png_read_row(reader, pixels.start + row * pixels.bytesPerRow))
                    if hasAlpha, pass == passCount { pixels.premultiply(row: row) }
                }
            }
            return pixels
        }

        // MARK: JPEG

        private func decodeJPEG(
            _ file: UnsafeBufferPointer<UInt8>, _ isCancelled: () -> Bool
        ) throws -> CairoPixels {
            guard let reader = cqp_jpeg_open() else { throw ImageError.outOfMemory }
            defer { cqp_jpeg_close(reader) }
            func check(_ isRead: Bool) throws {
                guard !isRead else { return }
                if cqp_jpeg_lacks_memory(reader) != 0 { throw ImageError.outOfMemory }
                throw ImageError.damaged(String(cString: cqp_jpeg_words(reader)))
            }
            try check(cqp_jpeg_read_head(reader, file.baseAddress, file.count) != 0)
            let hasScans = cqp_jpeg_has_scans(reader) != 0
            let pixels = try makePixels(
                width: Int(cqp_jpeg_width(reader)), height: Int(cqp_jpeg_height(reader)),
                format: CAIRO_FORMAT_RGB24, besides: hasScans ? cqp_jpeg_coefficient_bytes(reader) : 0)
            try check(cqp_jpeg_start(reader) != 0)
            if hasScans {
                let limit = maximumScanCount(ofPixels: pixels.width * pixels.height)
                var result: Int32 = 1
                while result > 0 {
                    guard cqp_jpeg_scan(reader) <= limit else { throw ImageError.tooManyScans(limit: limit) }
                    if isCancelled() { throw CancellationError() }
                    result = cqp_jpeg_read_scans(reader)
                    try check(result >= 0)
                }
            }
            try check(cqp_jpeg_start_rows(reader) != 0)
            for row in 0..<pixels.height {
                if isCancelled() { throw CancellationError() }
                try check(cqp_jpeg_read_row(reader, pixels.start + row * pixels.bytesPerRow) != 0)
            }
            try check(cqp_jpeg_finish(reader) != 0)
            return pixels
        }

        /// A scan takes a few bytes of the file, and time for all pixels, so that a small file could take a
        /// thread for minutes. Scans of a small picture take time for their tables.
        private func maximumScanCount(ofPixels count: Int) -> Int {
            Int(min(500, 16 * Double(pixelLimit) / Double(count)))
        }

        // MARK: Both

        /// - Parameter besides: the bytes that the decoder takes besides the pixels.
        private func makePixels(
            width: Int, height: Int, format: cairo_format_t, besides bytes: Int = 0
        ) throws(ImageError) -> CairoPixels {
            let (count, overflow) = width.multipliedReportingOverflow(by: height)
            guard width > 0, height > 0, !overflow, count <= pixelLimit,
                bytes / 4 <= pixelLimit - count
            else {
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

    extension CairoPixels {
        /// Multiplies a row's colours by their alpha, as Cairo wants them.
        fileprivate func premultiply(row: Int) {
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
        /// - Parameters:
        ///   - limit: the most bytes.
        ///   - isCancelled: called before each block.
        static func bytes(of path: String, limit: Int, _ isCancelled: () -> Bool) throws -> [UInt8] {
            // Opening a pipe must not wait for its writer.
            let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            guard file >= 0 else { throw ImageError.unreadable(path: path, errno: errno) }
            defer { close(file) }
            var status = stat()
            guard fstat(file, &status) == 0 else { throw ImageError.unreadable(path: path, errno: errno) }
            switch status.st_mode & S_IFMT {
            case S_IFREG: break
            case S_IFDIR: throw ImageError.unreadable(path: path, errno: EISDIR)
            default: throw ImageError.unknownFormat
            }

            var bytes: [UInt8] = []
            var block = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                if isCancelled() { throw CancellationError() }
                let count = next(&block, of: file)
                guard count >= 0 else { throw ImageError.unreadable(path: path, errno: errno) }
                if bytes.isEmpty {
                    guard ImageFormat(block[..<count]) != nil else { throw ImageError.unknownFormat }
                    if Int(status.st_size) > limit { throw ImageError.unreadable(path: path, errno: EFBIG) }
                }
                if count == 0 { return bytes }
                // The size that the file system reports is not trusted: it may grow, or be wrong.
                if count > limit - bytes.count { throw ImageError.unreadable(path: path, errno: EFBIG) }
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
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum ImageError: Error, Equatable, CustomStringConvertible {
        /// The bytes begin neither as PNG nor as JPEG does; or the path is that of a pipe or a device.
        case unknownFormat
        /// The file is cut off, was changed, or uses what its decoder does not know; the decoder's words.
        case damaged(String)
        /// The picture has more pixels than the decoder was allowed to make room for, or than Cairo has room
        /// for; or it is in several scans, and takes more memory than that until it is decoded
        /// (``ImageDecoder/pixelLimit``).
        case tooLarge(pixelWidth: Int, pixelHeight: Int)
        /// The JPEG file has more scans than the decoder reads of a picture of its size
        /// (``ImageDecoder/pixelLimit``).
        case tooManyScans(limit: Int)
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
            case .tooManyScans(let limit): "a picture of more than \(limit) scans"
            case .outOfMemory: "the system has no memory for a picture"
            case .unreadable(let path, let errno): "\(path) cannot be read (errno \(errno))"
            }
        }
    }
#endif
