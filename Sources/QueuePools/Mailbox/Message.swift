#if os(Linux)
    /// One message of a mailbox: two words, and how to read them.
    ///
    /// The thread that has taken it out of the mailbox ends it, once: it runs or drops the message, or hands
    /// the queue over to the call that sent it (``HeldQueue/grant(_:)``).
    struct Message: ~Copyable {
        enum Kind: UInt8 {
            /// Not a message: the queue is idle until there is one here.
            case awaited
            /// Not a message any more: it was cancelled or refused.
            case skipped
            case closure
            /// A closure that can be taken back.
            case cancellable
            /// A closure that serves the mailbox's owner, and is not counted as a job.
            case control
            /// A ``HolderMessage``.
            case holder
            /// A call of `sync`, whose caller is to hold the queue: the address of its ``SyncCall``.
            case call
            /// A call of `sync`, whose closure the queue's thread is to call: the same.
            case threadCall
            /// A step of a task or an actor whose executor is the queue: the job, and the `WorkerQueue`.
            case queueStep
            /// A step of a task on a pool's tier: the job, and the `PoolTaskExecutor`.
            case taskStep
            /// A step of an actor on a pool's queue: the job, and the `ActorExecutor`.
            case actorStep
            /// In a lane: a ``MadeQueue`` that has work.
            case activation

            static let bitCount: UInt64 = 4

            var isClosure: Bool { self == .closure || self == .cancellable || self == .control }
        }

        let kind: Kind
        let words: (UInt, UInt)
        /// When it was sent, if that is measured.
        let sentAt: UInt64?

        init(_ kind: Kind, _ words: (UInt, UInt), sentAt: UInt64? = nil) {
            self.kind = kind
            self.words = words
            self.sentAt = sentAt
        }

        deinit { assertionFailure("a message was neither run nor dropped") }

        /// The words of a step of a task or an actor: an `UnownedJob`, which is one pointer, and the address
        /// of its executor, which is not retained: see ``runStep(_:on:)``.
        @inline(__always)
        static func words(of step: UnownedJob, on executor: AnyObject) -> (UInt, UInt) {
            let address = UInt(bitPattern: Unmanaged.passUnretained(executor).toOpaque())
            return (unsafeBitCast(step, to: UInt.self), address)
        }

        /// Runs the step of a task or an actor, or the closure.
        @inline(__always)
        consuming func run() {
            let (kind, words) = intoParts()
            switch kind {
            case .queueStep: Self.runStep(words, on: WorkerQueue.self)
            case .taskStep: Self.runStep(words, on: PoolTaskExecutor<WorkerQueue>.self)
            case .actorStep: Self.runStep(words, on: ActorExecutor.self)
            default: Self.runClosure(words)
            }
        }

        /// Releases the closure of a job that does not run. Steps, calls and messages for the holder are
        /// never dropped: a shutdown cancels jobs only, and a queue with an unread message is retained.
        consuming func drop() {
            let (kind, words) = intoParts()
            if kind.isClosure { _ = Closure(owned: words) }
        }

        /// Takes the message apart. The caller then owns the closure or the object whose words they are.
        @inline(__always)
        consuming func intoParts() -> (kind: Kind, words: (UInt, UInt)) {
            let parts = (kind, words)
            discard self
            return parts
        }

        /// A function of its own, so that the captures are released before the job counts as finished.
        @inline(never)
        private static func runClosure(_ words: (UInt, UInt)) { Closure(owned: words).body() }

        /// The executor is alive while it has steps to run, because tasks and actors retain theirs.
        private static func runStep<Executor: StepExecutor>(_ words: (UInt, UInt), on _: Executor.Type) {
            let address = UnsafeRawPointer(bitPattern: words.1).unsafelyUnwrapped
            let step = unsafeBitCast(words.0, to: UnownedJob.self)
            Unmanaged<Executor>.fromOpaque(address)._withUnsafeGuaranteedRef { $0.run(step) }
        }
    }
#endif
