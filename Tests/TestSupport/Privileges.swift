#if os(Linux)
    import Foundation

    /// Becomes an ordinary user, for good.
    package func dropPrivileges() {
        guard getuid() == 0 else { return }
        precondition(setgid(65534) == 0 && setuid(65534) == 0)
    }
#endif
