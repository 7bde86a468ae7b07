#if os(Linux)
    import CLinuxThreads
#endif

/// How many forks lie between the program's first process and this one. Whoever remembers it can tell later
/// that it is in a forked process, where only the thread that forked has gone on.
@inline(__always)
func currentForkCount() -> UInt32 {
    #if os(Linux)
        clinux_fork_count()
    #else
        0
    #endif
}
