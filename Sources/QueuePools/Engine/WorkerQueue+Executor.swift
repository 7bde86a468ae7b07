#if os(Linux)
    import CQueuePoolsThreads

    extension WorkerQueue: SerialExecutor, TaskExecutor, StepExecutor {
        /// Puts the next step of a task or an actor on the queue. Called by the Swift runtime.
        public func enqueue(_ job: consuming ExecutorJob) {
            checkNotEnded()
            core.enqueue(.queueStep, UnownedJob(job), of: self)
        }

        /// Traps unless the caller runs on the queue: its jobs count as isolated to an actor that runs there.
        public func checkIsolated() {
            checkNotEnded()
            require(isCurrent, "expected to run on the queue \"\(label)\"")
        }

        /// Whether the caller runs on the queue.
        public func isIsolatingCurrentContext() -> Bool? {
            checkNotEnded()
            return isCurrent
        }

        func run(_ step: UnownedJob) {
            step.runSynchronously(
                isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
        }
    }

    extension WorkerQueue {
        /// Their memory, without their fields.
        private static let lastEnded = LastEnded<UInt>()

        /// For `deinit`: keeps the object's memory for a while.
        final func keepMemory() {
            let object = Unmanaged.passUnretained(self).toOpaque()
            cqp_reference_keep(object)
            guard let former = Self.lastEnded.keep(UInt(bitPattern: object)) else { return }
            cqp_reference_release(UnsafeMutableRawPointer(bitPattern: former))
        }

        @inline(__always)
        private final func checkNotEnded() {
            require(
                !cqp_reference_is_gone(Unmanaged.passUnretained(self).toOpaque()),
                """
                an actor uses a WorkerQueue that has ended: unownedExecutor must return that of the queue \
                that the actor retains, and not make one at each call
                """)
        }
    }
#endif
