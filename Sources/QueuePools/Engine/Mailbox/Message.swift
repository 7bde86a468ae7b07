#if os(Linux)
    /// What a sender puts into a mailbox: two words, and how to read them.
    struct Message {
        enum Kind: UInt8 {
            /// Not a message: the queue is idle until there is one here.
            case awaited
            /// Not a message any more: cancelled or refused.
            case skipped
            /// A closure.
            case closure
            /// A closure that can be taken back.
            case cancellable
            /// A closure that serves the queue itself, and is not counted as a job.
            case control
            /// A call of `sync`: the address of its ``SyncCall``.
            case call
            /// A step of a task or an actor whose executor is the queue: the job, and the `WorkerQueue`.
            case queueStep
            /// A step of a task on a pool's tier: the job, and the `PoolTaskExecutor`.
            case taskStep
            /// A step of an actor on a pool's queue: the job, and the `PoolSerialExecutor`.
            case actorStep

            /// How many bits a kind takes.
            static let bitCount: UInt64 = 4

            var isClosure: Bool { self == .closure || self == .cancellable || self == .control }
        }

        let kind: Kind
        let first: UInt
        let second: UInt
        var words: (UInt, UInt) { (first, second) }
        /// When it was sent, if that is measured.
        let sentAt: UInt64?

        /// Runs the step of a task or an actor, or the closure, that it holds.
        @inline(__always)
        func run() {
            switch kind {
            case .queueStep: runStep(on: WorkerQueue.self)
            case .taskStep: runStep(on: PoolTaskExecutor<WorkerQueue>.self)
            case .actorStep: runStep(on: PoolSerialExecutor<WorkerQueue>.self)
            case .call: SyncCall.callBody(of: self)
            default: runClosure()
            }
        }

        /// A function of its own, so that the closure's captures are gone before the job counts as finished.
        @inline(never)
        private func runClosure() {
            Closure(owned: words).body()
        }

        /// The executor is alive as long as it has steps to run, because tasks and actors hold theirs.
        private func runStep<Executor: StepExecutor>(on _: Executor.Type) {
            let address = UnsafeRawPointer(bitPattern: second).unsafelyUnwrapped
            let step = unsafeBitCast(first, to: UnownedJob.self)
            Unmanaged<Executor>.fromOpaque(address)._withUnsafeGuaranteedRef { $0.run(step) }
        }
    }

    /// An executor whose steps the engine runs.
    protocol StepExecutor: AnyObject {
        func run(_ step: UnownedJob)
    }
#endif
