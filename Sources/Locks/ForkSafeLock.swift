internal import Synchronization

#if os(Linux)
    internal import CLinuxThreads
#endif

/// A lock that also works in a forked child: if a thread held it that remained in the parent, and if several
/// of the child's threads want it.
///
/// `Mutex` does neither on Linux: it records its owner by the thread number that a thread remembers from
/// before a fork, and the kernel ends the wait for such an owner with an error. What is half done under this
/// lock in the parent must be harmless in the child, and the closure must not fork.
///
/// For what is rare and short: a thread that waits looks again every tenth of a millisecond.
public struct ForkSafeLock: ~Copyable, Sendable {
    #if os(Linux)
        /// One more than the count of forks of the process that holds it, or 0. Locking acquires, unlocking
        /// releases.
        private let holder = Atomic<UInt32>(0)
    #else
        private let lock = Lock(())
    #endif

    /// Makes an unlocked lock.
    public init() {}

    /// Runs a closure alone. Calling it again from within the closure hangs.
    public borrowing func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
        #if os(Linux)
            let own = clinux_fork_count() + 1
            while true {
                let seen = holder.load(ordering: .relaxed)
                if seen == own {
                    clinux_sleep(100)
                } else if holder.compareExchange(expected: seen, desired: own, ordering: .acquiring).exchanged
                {
                    break
                }
            }
            defer { holder.store(0, ordering: .releasing) }
            return try body()
        #else
            return try lock.withLock { _ in try body() }
        #endif
    }
}
