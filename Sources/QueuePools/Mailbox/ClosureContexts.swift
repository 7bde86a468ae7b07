#if os(Linux)
    import CQueuePoolsThreads
    import QueuePoolsLocks

    /// The contexts of closures, whose blocks of memory outlive them: see ``Mailbox``. The runtime does not
    /// promise that, so a process checks it before it relies on it.
    enum ClosureContexts {
        /// Whether blocks can be kept, found out when the process makes its first mailbox.
        static let canBeKept =
            SwiftRuntime.isKnown && areKept(by: cqp_context_keep, until: cqp_context_release)

        /// Keeps the blocks of some contexts, and looks whether the contexts end, and the blocks do not.
        ///
        /// A block that is free is mostly used for the next context, but not always: glibc keeps seven for
        /// each thread, and puts others elsewhere. So each look allocates one block more before.
        static func areKept(by keep: (UInt) -> Bool, until release: (UInt) -> Void) -> Bool {
            (0..<8).allSatisfy { isKept(by: keep, until: release, allocatingBefore: $0) }
        }

        private static func isKept(
            by keep: (UInt) -> Bool, until release: (UInt) -> Void, allocatingBefore count: Int
        ) -> Bool {
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
            let others = (0..<count).map { _ in makeClosure(of: object) }
            defer { for words in others { _ = Closure(owned: words) } }
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
