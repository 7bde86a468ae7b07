#if Cairo
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Darwin)
        import Darwin
    #endif

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
            // Opening a pipe must not wait for somebody who writes into it.
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
                // The size that the file system tells is not trusted: it may grow, or be a lie.
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
#endif
