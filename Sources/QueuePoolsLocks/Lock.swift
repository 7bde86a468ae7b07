public import Synchronization

/// A `Mutex` whose order Thread Sanitizer can see.
///
/// On Linux the standard library's `Mutex` is a futex inside a library that is not instrumented, so Thread
/// Sanitizer believes that nothing is locked and reports every protected access as a race. Here an atomic is
/// read after locking (acquiring) and written before unlocking (releasing): the order of the mutex once more,
/// in instrumented code. It costs one load and one store of a cache line that is in the cache.
///
/// Public, because what is `package` is not inlined in other modules and then looks its types up at each use
/// (700 instructions, measured). The module is in no product, so only the package sees it.
///
/// Not a lock implementation: exclusion is the mutex's. `Docs/Decisions/0002-locks-under-thread-sanitizer.md`
/// has the alternatives.
public struct Lock<Value: ~Copyable>: ~Copyable, Sendable {
    /// The value, in a struct that counts as `Sendable`, because Swift 6.2 does not let a closure pass its
    /// `inout sending` parameter on. The mutex orders all accesses. `withLock` lends the value to a closure
    /// whose own parameter is `inout sending`: the compiler checks that closure as before.
    @usableFromInline
    struct Guarded: ~Copyable, @unchecked Sendable {
        @usableFromInline var value: Value

        @inlinable
        init(_ value: consuming sending Value) { self.value = value }
    }

    @usableFromInline let mutex: Mutex<Guarded>
    @usableFromInline let order = Atomic<Bool>(false)

    /// Makes an unlocked lock around a value.
    @inlinable
    public init(_ value: consuming sending Value) { mutex = Mutex(Guarded(value)) }

    /// Runs a closure with the value, alone. Calling it again from within the closure on the same thread
    /// traps or hangs, as with `Mutex`.
    @inlinable
    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try mutex.withLock { (guarded) throws(Failure) -> sending Result in
            _ = order.load(ordering: .acquiring)
            defer { order.store(true, ordering: .releasing) }
            return try body(&guarded.value)
        }
    }
}
