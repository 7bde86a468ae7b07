#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#endif

/// A thread. One that has ended may leave its identity to a later one.
package struct ThreadIdentity: Hashable, Sendable {
    private let bits: UInt

    /// The calling thread.
    package static var current: Self {
        #if canImport(Glibc)
            Self(bits: UInt(pthread_self()))
        #else
            // A pointer or a signed number, as wide as a word.
            Self(bits: UInt(bitPattern: pthread_self()))
        #endif
    }
}
