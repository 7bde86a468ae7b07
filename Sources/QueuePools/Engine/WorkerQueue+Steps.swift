#if os(Linux)
    extension WorkerQueue: SerialExecutor, TaskExecutor, StepExecutor {
        /// Puts the next step of a task or an actor on the queue. Called by the Swift runtime.
        public func enqueue(_ job: consuming ExecutorJob) { enqueue(.queueStep, UnownedJob(job), of: self) }

        /// Traps unless the caller runs on the queue: its jobs count as isolated to an actor that runs there.
        public func checkIsolated() { require(isCurrent, "expected to run on the queue \"\(label)\"") }

        /// Whether the caller runs on the queue.
        public func isIsolatingCurrentContext() -> Bool? { isCurrent }

        func run(_ step: UnownedJob) {
            step.runSynchronously(
                isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
        }

        /// Sends a step of a task or an actor; never refused. If the queue was idle, the calling worker runs
        /// it next, unless that keeps other work.
        func enqueue(_ kind: Message.Kind, _ step: UnownedJob, of executor: AnyObject) {
            group.prepareToSend()
            let words = Message.words(of: step, on: executor)
            guard let receiver = mailbox.send(kind, words) else { return }
            if let work = group.keep(.queue(HeldQueue(self, receiver: receiver))) { group.send(work) }
        }
    }
#endif
