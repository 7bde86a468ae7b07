#if os(Linux)
    #if canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #endif

    /// Reads the kernel's text files.
    enum TextFile {
        /// Enough for the mount table of a crowded container host; keeps a hostile file from filling the
        /// memory.
        private static let maximumBytes = 4 << 20

        /// The file's text, cut after 4 MiB, with bytes that are not UTF-8 replaced; nil where it cannot be
        /// read.
        ///
        /// Foundation is not used: a program that needs only a pool should not have to link it.
        static func contents(of path: String) -> String? {
            // Without O_NONBLOCK, opening a named pipe would wait for a writer.
            let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard descriptor >= 0 else { return nil }
            defer { close(descriptor) }
            var text: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 4096)
            while text.count < maximumBytes {
                let count = read(descriptor, &chunk, chunk.count)
                if count < 0 && errno == EINTR { continue }
                guard count >= 0 else { return nil }
                guard count > 0 else { break }
                text += chunk[..<count]
            }
            return String(decoding: text, as: UTF8.self)
        }
    }
#endif
