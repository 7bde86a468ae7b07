import Foundation

/// How many files and sockets this process may have open.
///
/// With none left no client is accepted, however many connections the settings allow, and NIO asks again only
/// once a second: so there must be more of them than connections.
enum OpenFiles {
    /// What the program needs besides its clients' sockets: NIO's own for each core, the journal, and some to
    /// spare.
    static var reserve: Int { 64 + 4 * ProcessInfo.processInfo.activeProcessorCount }

    /// Raises the limit as far as the system allows: what a shell gives is often 1,024. Returns it.
    static func raiseLimit() -> Int {
        #if canImport(Darwin)
            let kind = RLIMIT_NOFILE
        #else
            let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #endif
        var limit = rlimit()
        guard getrlimit(kind, &limit) == 0 else { return Int.max }
        var raised = limit
        raised.rlim_cur = limit.rlim_max
        if setrlimit(kind, &raised) == 0 { limit = raised }
        return Int(clamping: limit.rlim_cur)
    }
}
