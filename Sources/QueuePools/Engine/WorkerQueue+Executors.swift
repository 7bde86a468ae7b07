#if os(Linux)
    extension WorkerQueue: SerialExecutor, TaskExecutor {
        /// Puts the next step of a task or an actor on the queue. Called by the Swift runtime.
        public func enqueue(_ job: consuming ExecutorJob) {
            enqueue(.queueStep, UnownedJob(job), of: self)
        }

        /// Traps unless the caller runs on the queue: its jobs count as isolated to an actor that runs there.
        public func checkIsolated() {
            precondition(isCurrent, "expected to run on the queue \"\(label)\"")
        }

        /// Whether the caller runs on the queue.
        public func isIsolatingCurrentContext() -> Bool? { isCurrent }
    }

    extension WorkerQueue: StepExecutor {
        func run(_ step: UnownedJob) {
            step.runSynchronously(
                isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
        }
    }
#endif
