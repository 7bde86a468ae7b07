import Dispatch

#if canImport(Musl)
    import Musl
#elseif canImport(Glibc)
    import Glibc
#endif

/// Looks at this process from outside.
enum ProcessProbe {
    /// Now, in nanoseconds of a monotonic clock that stands still while the machine sleeps.
    static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    /// How many threads this process has; nil where the system is not asked, or /proc is missing.
    ///
    /// Takes a few microseconds per ten threads: call it between frames, not within them.
    static var threadCount: Int? {
        #if os(Linux)
            guard let folder = opendir("/proc/self/task") else { return nil }
            defer { closedir(folder) }
            var count = 0
            while let entry = readdir(folder) {
                // "." and ".." are the only names that begin so; the others are thread ids.
                if entry.pointee.d_name.0 != UInt8(ascii: ".") { count += 1 }
            }
            return count
        #else
            return nil
        #endif
    }
}
