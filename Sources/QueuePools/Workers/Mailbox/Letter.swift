#if os(Linux)
    /// What a sender puts into a mailbox: two words, and how to read them.
    struct Letter {
        enum Kind: UInt8 {
            /// Not a letter: the receiver sleeps until there is one.
            case awaited
            /// Not a letter any more: cancelled or refused.
            case skipped
            /// A closure.
            case closure
            /// A closure that can be taken back.
            case cancellable
            /// A closure that serves the worker itself, and is not counted as a job.
            case errand
            /// A step of a task or an actor whose executor is the queue: the job, and the `WorkerQueue`.
            case queueStep
            /// A step of a task on a pool's tier: the job, and the `PoolTaskExecutor`.
            case taskStep
            /// A step of an actor on a pool's queue: the job, and the `PoolSerialExecutor`.
            case actorStep

            var isClosure: Bool { self == .closure || self == .cancellable || self == .errand }
        }

        let kind: Kind
        let first: UInt
        let second: UInt
        var words: (UInt, UInt) { (first, second) }
        /// When it was sent, if that is measured.
        let sentAt: UInt64?
    }

    /// A closure in the shape of two words, owned by whoever holds them.
    ///
    /// The struct around the closure keeps it as it is: passed as a generic parameter by itself, a closure
    /// would be wrapped in another one, with an allocation of its own.
    struct Closure {
        let body: @Sendable () -> Void

        @inline(__always)
        init(_ body: __owned @escaping @Sendable () -> Void) {
            self.body = body
        }

        /// Takes the closure back out of its words.
        @inline(__always)
        init(owned words: (UInt, UInt)) {
            var words = words
            self = withUnsafeMutableBytes(of: &words) { bytes in
                bytes.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: Closure.self).move()
            }
        }

        /// The closure's words. The caller owns them.
        @inline(__always)
        func intoWords() -> (UInt, UInt) {
            var words: (UInt, UInt) = (0, 0)
            withUnsafeMutableBytes(of: &words) { bytes in
                _ = bytes.baseAddress.unsafelyUnwrapped.initializeMemory(as: Closure.self, to: self)
            }
            return words
        }
    }
#endif
