#if os(Linux)
    import CQueuePoolsThreads
#else
    import QueuePoolsLocks
#endif

/// The calling thread, as the system's tools show it.
package struct SystemThread: Hashable, Sendable {
    /// The kernel's number. Elsewhere than on Linux any number that no other thread has at the time.
    package var number: UInt32
    /// The name, 16 bytes that end with zeros; all zero if it is not known.
    package var name: (UInt64, UInt64) { (firstHalf, secondHalf) }

    private var firstHalf: UInt64 = 0
    private var secondHalf: UInt64 = 0

    /// The calling thread. The name is that of the first call, unless this package has named the thread
    /// since.
    @inline(__always)
    package static var current: Self {
        #if os(Linux)
            let identity = UnsafeRawPointer(cqp_current_thread_identity().unsafelyUnwrapped)
            return Self(
                number: UInt32(truncatingIfNeeded: identity.load(as: UInt64.self)),
                firstHalf: identity.load(fromByteOffset: 8, as: UInt64.self),
                secondHalf: identity.load(fromByteOffset: 16, as: UInt64.self))
        #else
            return Self(number: UInt32(truncatingIfNeeded: ThreadIdentity.current.hashValue))
        #endif
    }

    private init(number: UInt32, firstHalf: UInt64 = 0, secondHalf: UInt64 = 0) {
        self.number = number
        self.firstHalf = firstHalf
        self.secondHalf = secondHalf
    }

    /// The number of the process; 1 elsewhere than on Linux.
    package static var processNumber: Int {
        #if os(Linux)
            Int(cqp_first_thread())
        #else
            1
        #endif
    }
}
