#if os(Linux)
    import MemoryModel

    /// The engine's files use this in place of `QueuePoolsLocks.Lock`: the explorer decides which thread has
    /// it next.
    struct Lock<Value: ~Copyable>: ~Copyable, @unchecked Sendable {  // the explorer decides whose it is
        private let value: UnsafeMutablePointer<Value>

        init(_ value: consuming sending Value) {
            self.value = .allocate(capacity: 1)
            self.value.initialize(to: value)
        }

        deinit {
            Explorer.running?.endLock(UInt(bitPattern: value))
            value.deinitialize(count: 1)
            value.deallocate()
        }

        borrowing func withLock<Result: ~Copyable, Failure: Error>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            let explorer = Explorer.running
            explorer?.lock(UInt(bitPattern: value))
            defer { explorer?.unlock(UInt(bitPattern: value)) }
            return try body(&value.pointee)
        }
    }
#endif
