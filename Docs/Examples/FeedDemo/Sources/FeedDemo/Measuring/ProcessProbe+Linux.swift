#if os(Linux)
    #if canImport(Musl)
        import Musl
    #else
        import Glibc
    #endif

    extension ProcessProbe {
        /// How many threads this process has; nil when /proc is not there.
        ///
        /// Takes a few microseconds per ten threads: call it between frames, not within them.
        static var threadCount: Int? {
            guard let folder = opendir("/proc/self/task") else { return nil }
            defer { closedir(folder) }
            var count = 0
            while let entry = readdir(folder) {
                // "." and ".." are the only names that begin so; the others are thread ids.
                if entry.pointee.d_name.0 != UInt8(ascii: ".") { count += 1 }
            }
            return count
        }
    }
#endif
