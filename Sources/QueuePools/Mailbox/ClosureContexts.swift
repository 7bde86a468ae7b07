#if os(Linux)
    import CQueuePoolsThreads

    /// The contexts of closures, whose blocks of memory outlive them: see ``Mailbox``. The runtime does not
    /// promise that, so a process checks it before it relies on it.
    enum ClosureContexts {
        /// Whether blocks can be kept, found out when the process makes its first mailbox.
        static let canBeKept = areKept(by: cqp_context_keep, until: cqp_context_release)

        /// Keeps the block of a context, and looks whether the context ends, and the block does not.
        static func areKept(by keep: (UInt) -> Bool, until release: (UInt) -> Void) -> Bool {
            let object = Captured()
            func makeClosure(of other: Captured) -> (UInt, UInt) {
                Closure { object.number += other.number }.intoWords()
            }
            // A closure that is nothing but the object that it captures has no context to keep.
            let unboxed = Closure { object.number = 1 }.intoWords()
            defer { _ = Closure(owned: unboxed) }
            var other = Optional(Captured())
            weak let captured = other
            let words = makeClosure(of: other.take().unsafelyUnwrapped)
            let isKept = !keep(unboxed.1) && keep(words.1) && captured != nil
            _ = Closure(owned: words)
            guard isKept else { return false }
            // Nothing else is allocated in between: a block that is free would be used for this.
            let next = makeClosure(of: object)
            defer { _ = Closure(owned: next) }
            guard captured == nil, next.1 != words.1 else { return false }
            release(words.1)
            return true
        }

        private final class Captured: @unchecked Sendable {  // used by one thread
            var number = 0
        }
    }
#endif
