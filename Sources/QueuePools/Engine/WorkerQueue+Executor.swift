#if os(Linux)
    import CQueuePoolsThreads
    import QueuePoolsLocks

    extension WorkerQueue: SerialExecutor, TaskExecutor, StepExecutor {
        /// Puts the next step of a task or an actor on the queue. Called by the Swift runtime.
        public func enqueue(_ job: consuming ExecutorJob) {
            checkNotEnded(self)
            core.enqueue(.queueStep, UnownedJob(job), of: self)
        }

        /// Traps unless the caller runs on the queue: its jobs count as isolated to an actor that runs there.
        public func checkIsolated() {
            checkNotEnded(self)
            require(isCurrent, "expected to run on the queue \"\(label)\"")
        }

        /// Whether the caller runs on the queue.
        public func isIsolatingCurrentContext() -> Bool? {
            checkNotEnded(self)
            return isCurrent
        }

        func run(_ step: UnownedJob) {
            step.runSynchronously(
                isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
        }
    }

    /// The memory of queues that have ended, without their fields.
    private let lastEnded = LastEnded<UInt>()

    /// For the `deinit` of a queue: keeps the object's memory for a while.
    func keepEndedExecutor(_ queue: AnyObject) {
        guard SwiftRuntime.isKnown else { return }
        let object = Unmanaged.passUnretained(queue).toOpaque()
        cqp_reference_keep(object)
        guard let former = lastEnded.keep(UInt(bitPattern: object)) else { return }
        cqp_reference_release(UnsafeMutableRawPointer(bitPattern: former))
    }

    @inline(__always)
    func checkNotEnded(_ queue: AnyObject) {
        require(
            !SwiftRuntime.isKnown || !cqp_reference_is_gone(Unmanaged.passUnretained(queue).toOpaque()),
            """
            an actor uses a queue that has ended: unownedExecutor must return that of the queue that the \
            actor retains, and not make one at each call
            """)
    }
#endif
