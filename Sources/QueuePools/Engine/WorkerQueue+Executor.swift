#if os(Linux)
    extension WorkerQueue: SerialExecutor, TaskExecutor, StepExecutor {
        /// Puts the next step of a task or an actor on the queue. Called by the Swift runtime.
        public func enqueue(_ job: consuming ExecutorJob) {
            core.enqueue(.queueStep, UnownedJob(job), of: self)
        }

        /// Traps unless the caller runs on the queue: its jobs count as isolated to an actor that runs there.
        public func checkIsolated() { require(isCurrent, "expected to run on the queue \"\(label)\"") }

        /// Whether the caller runs on the queue.
        public func isIsolatingCurrentContext() -> Bool? { isCurrent }

        func run(_ step: UnownedJob) {
            step.runSynchronously(
                isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
        }
    }
#endif
